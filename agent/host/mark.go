package host

import (
	"bytes"
	"strings"
)

// The mark of a plugin stands in its environment, and so in that of all that
// it starts: what outlives its host is found by it. The first variable names
// the plugin's socket directory, which the host keeps locked while it lives;
// the second the host itself, in case that the directory was tidied away.
const (
	envRun     = "MQHK_PLUGIN_RUN"
	envRunHost = "MQHK_PLUGIN_HOST"
)

// mark says whose a process is. Without dir it is nobody's.
type mark struct{ dir, host string }

// environment gives the variables that make the mark.
func (m mark) environment() []string {
	return []string{envRun + "=" + m.dir, envRunHost + "=" + m.host}
}

// parseMark finds the mark in an environment as the kernel shows it: NAME=VALUE,
// each ended by a zero byte. Of a variable that is there twice the first
// counts, as for getenv(3).
func parseMark(environ []byte) (m mark) {
	for variable := range bytes.SplitSeq(environ, []byte{0}) {
		name, value, _ := strings.Cut(string(variable), "=")
		switch {
		case name == envRun && m.dir == "":
			m.dir = value
		case name == envRunHost && m.host == "":
			m.host = value
		}
	}
	return m
}
