package policies

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/mqhk/mqhk/core/observe"
)

// longestName is the length of the longest name of a policy, task or store.
const longestName = 64

var (
	// A name stands in reports, on command lines and in file names.
	plainName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)
	// MQ's rules for naming objects; a slash, which they allow too, would
	// make platform/name ambiguous.
	managerName = regexp.MustCompile(`^[A-Za-z0-9_%][A-Za-z0-9._%]*$`)
	// A z/OS subsystem or queue-sharing group name.
	zosName = regexp.MustCompile(`^[A-Z$#@][A-Z0-9$#@]{0,3}$`)
	// An IBM i library: QMSATURN.Q is one that MQ makes itself.
	libraryName = regexp.MustCompile(`^[A-Z$#@][A-Z0-9$#@_.]{0,9}$`)
)

// checkName tells what is wrong with the name of a policy, task or store.
func checkName(name string) string {
	switch {
	case name == "":
		return "a name is not empty"
	case len(name) > longestName:
		return fmt.Sprintf("a name has at most %d characters", longestName)
	case !plainName.MatchString(name):
		return fmt.Sprintf("%q: a name has letters, digits, dots, hyphens and underscores, and begins with a letter or digit", name)
	case strings.HasSuffix(name, ".hcl"):
		return fmt.Sprintf("%q looks like a file: --policy could not tell them apart", name)
	}
	return ""
}

// checkManager tells what is wrong with the name of a queue manager.
func checkManager(name string, platform observe.Platform) string {
	switch {
	case platform == observe.ZOS && !zosName.MatchString(name):
		return fmt.Sprintf("%q: on z/OS a queue manager has 1 to 4 characters A-Z, 0-9, $, #, @, the first no digit", name)
	case platform == observe.ZOS:
		return ""
	case len(name) > 48 || !managerName.MatchString(name):
		return fmt.Sprintf("%q: a queue manager has 1 to 48 letters, digits, dots, underscores and percent signs, the first no dot", name)
	}
	return ""
}

// platformWords are the words that begin a target pattern.
var platformWords = []string{string(observe.IBMi), string(observe.Multiplatforms), string(observe.ZOS)}

// checkPattern tells what is wrong with a target pattern platform/name. Only
// * is special, as [observe.Target.Matches] has it.
func checkPattern(pattern string) string {
	platform, name, ok := strings.Cut(pattern, "/")
	if !ok || platform == "" || name == "" {
		return fmt.Sprintf("%q: a pattern is platform/name, such as ibmi/* or multiplatforms/QM1", pattern)
	}
	if strings.ContainsAny(pattern, `?[]\`) || strings.ContainsAny(name, "/ \t\n") {
		return fmt.Sprintf("%q: only * is special in a pattern, and it stands for any characters", pattern)
	}
	if strings.Contains(platform, "*") {
		for _, known := range platformWords {
			if (observe.Target{Platform: observe.Platform(known)}).Matches([]string{platform + "/"}) {
				return ""
			}
		}
	}
	for _, known := range platformWords {
		if platform == known {
			return ""
		}
	}
	return fmt.Sprintf("%q is not a platform; %s", platform, suggest(platform, platformWords))
}
