package multi

import (
	"fmt"
	"slices"
	"strings"
)

// flags are the flags of a command with their values; one without a value has
// an empty one.
type flags map[string][]string

// has tells whether a flag was given.
func (f flags) has(name string) bool { return len(f[name]) > 0 }

// value gives the value of a flag that is given once.
func (f flags) value(name string) string {
	if all := f[name]; len(all) > 0 {
		return all[len(all)-1]
	}
	return ""
}

// among gives those of some flags that were given.
func (f flags) among(names ...string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(n string) bool { return !f.has(n) })
}

// parseArguments reads flags and operands. Flags of control commands have names
// of one letter or more and are not joined: -ll is one. A value may stand
// behind its flag at once or as the next word. Operands may stand anywhere.
func parseArguments(args, known []string) (flags, []string, error) {
	given := flags{}
	var words []string
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if len(arg) < 2 || arg[0] != '-' {
			words = append(words, arg)
			continue
		}
		name, attached, err := flagOf(arg[1:], known)
		switch {
		case err != nil:
			return nil, nil, err
		case attached != "" || slices.Contains(known, name):
			given[name] = append(given[name], attached)
		case i+1 == len(args):
			return nil, nil, fmt.Errorf("-%s needs a value", name)
		default:
			i++
			given[name] = append(given[name], args[i])
		}
	}
	return given, words, nil
}

// flagOf finds the flag that a word is, or begins with and has its value behind
// it: the longest that fits.
func flagOf(word string, known []string) (name, attached string, err error) {
	if slices.Contains(known, word) || slices.Contains(known, word+"=") {
		return word, "", nil
	}
	for _, k := range known {
		stem, takes := strings.CutSuffix(k, "=")
		if takes && strings.HasPrefix(word, stem) && len(stem) > len(name) {
			name, attached = stem, word[len(stem):]
		}
	}
	if name == "" {
		return "", "", fmt.Errorf("-%s is no flag of this command", word)
	}
	return name, attached, nil
}
