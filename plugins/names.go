package plugins

import (
	"fmt"
	"regexp"
)

const (
	// longestName is the length of the longest name of a plugin.
	longestName = 64
	// longestVersion is that of the longest version: it stands in one column.
	longestVersion = 100
)

var (
	// plainName is what a plugin is named by: it is part of the name of a
	// file, and there are file systems that know no case and systems that take
	// what stands behind a dot as a kind of file.
	plainName      = regexp.MustCompile(`^[a-z][a-z0-9_-]*$`)
	versionInPrint = regexp.MustCompile(`^[!-~]+$`) //nolint:gocritic // all of ASCII in print
)

// CheckName tells what is wrong with the name of a plugin; empty: nothing.
func CheckName(name string) string {
	switch {
	case name == "":
		return "a name is not empty"
	case len(name) > longestName:
		return fmt.Sprintf("a name has at most %d characters", longestName)
	case !plainName.MatchString(name):
		return fmt.Sprintf("%q: a plugin's name has lower-case letters, digits, hyphens and underscores, and begins with a letter", name)
	}
	return ""
}

// CheckVersion tells what is wrong with the version of a plugin; empty: nothing.
func CheckVersion(version string) string {
	switch {
	case version == "":
		return "a version is not empty"
	case len(version) > longestVersion:
		return fmt.Sprintf("a version has at most %d characters", longestVersion)
	case !versionInPrint.MatchString(version):
		return fmt.Sprintf("%q: a version has no blanks and no characters beyond ASCII", version)
	}
	return ""
}
