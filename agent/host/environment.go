package host

import (
	"os"
	"slices"
)

// DefaultEnv lists the variables that a plugin inherits unless the settings
// name others: what a program needs to find its files and to write in the
// right language and time zone. Nothing that holds a secret is among them.
func DefaultEnv() []string {
	return []string{
		"PATH", "HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "LC_CTYPE", "LC_MESSAGES", "TZ", "TMPDIR",
		// Without these a Windows program can't open a socket or a file.
		"SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "USERPROFILE", "TEMP", "TMP", "PATHEXT",
	}
}

// environment gives NAME=VALUE of the allowed variables that are set, and
// then those that are added.
func environment(allowed []string, added ...string) []string {
	env := make([]string, 0, len(allowed)+len(added))
	for _, name := range allowed {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return slices.Concat(env, added)
}
