package qmgr

import (
	"bufio"
	"bytes"
	"fmt"
	"strings"
)

// stanza is one of mqs.ini or qm.ini: its name and its keys in their order.
type stanza struct {
	name string
	keys []setting
}

type setting struct{ name, value string }

// get gives the value of a key; keys are not case-sensitive.
func (s *stanza) get(name string) string {
	for _, k := range s.keys {
		if strings.EqualFold(k.name, name) {
			return k.value
		}
	}
	return ""
}

// readIni reads a file of stanzas: a name and a colon, then key=value lines.
// Both may be indented, blanks around = and CRLF do not matter, # begins a
// comment line (case 24). A line that is neither is an error that gives its
// number.
func readIni(content []byte) ([]stanza, error) {
	var all []stanza
	lines := bufio.NewScanner(bytes.NewReader(content))
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		key, value, isKey := strings.Cut(line, "=")
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case !isKey && strings.HasSuffix(line, ":") && len(line) > 1:
			all = append(all, stanza{name: strings.TrimSpace(line[:len(line)-1])})
		case isKey && len(all) > 0 && strings.TrimSpace(key) != "":
			last := &all[len(all)-1]
			last.keys = append(last.keys, setting{strings.TrimSpace(key), strings.TrimSpace(value)})
		default:
			return nil, fmt.Errorf("line %d is neither a stanza nor a key in one", n)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	return all, nil
}

// writeIni is the way back.
func writeIni(all []stanza) []byte {
	var b bytes.Buffer
	for _, s := range all {
		fmt.Fprintf(&b, "%s:\n", s.name)
		for _, k := range s.keys {
			fmt.Fprintf(&b, "   %s=%s\n", k.name, k.value)
		}
	}
	return b.Bytes()
}
