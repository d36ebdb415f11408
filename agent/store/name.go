package store

import (
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// longestName is the longest name, in bytes, that is taken from outside. MQ's
// own have at most 48, those of data sets 44.
const longestName = 255

// longestIncarnation is the same for what a log belongs to: a path is in it,
// and that of a log has up to 1024 bytes (DISPLAY QMSTATUS, LOGPATH).
const longestIncarnation = 4096

// A part of a file name stays below these lengths, so that three of them, a
// date and two digests fit into the 255 bytes that file systems allow.
const (
	longestPart = 64
	keptOfLong  = 36 // of a longer one; the rest is a digest
)

const upperHex = "0123456789ABCDEF"

// encode gives a name from outside as a part of a file name. Different names
// give different parts on every file system, those that fold case or compose
// Unicode among them: A-Z, 0-9 and _ stand for themselves, +X for the letter x,
// =XX for any other byte, = alone for no name, and P@DIGEST for a name that is
// too long. The part is no device of Windows, has no dot, and no ~ as the short
// names of Windows do.
func encode(name string) string {
	if name == "" {
		return "="
	}
	var part strings.Builder
	kept := 0
	for i := range len(name) {
		part.WriteString(encodeByte(name[i], i == 0 && isDevice(name)))
		if part.Len() <= keptOfLong {
			kept = part.Len()
		}
	}
	if part.Len() <= longestPart {
		return part.String()
	}
	sum := sha256.Sum256([]byte(name))
	digest := base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(sum[:16])
	return part.String()[:kept] + "@" + digest
}

func encodeByte(c byte, escape bool) string {
	switch {
	case !escape && (c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_'):
		return string(rune(c))
	case c >= 'a' && c <= 'z':
		return "+" + string(rune(c-'a'+'A'))
	default:
		return "=" + upperHex[c>>4:c>>4+1] + upperHex[c&15:c&15+1]
	}
}

// isDevice tells whether Windows takes a file of such a name for a device,
// whatever follows after a dot (Naming Files, Paths, and Namespaces). In
// lower case no such name is left as it is.
func isDevice(name string) bool {
	switch name {
	case "CON", "PRN", "AUX", "NUL":
		return true
	}
	return len(name) == 4 && (name[:3] == "COM" || name[:3] == "LPT") && name[3] >= '0' && name[3] <= '9'
}

// checkName refuses what no platform gives as a name and what a manifest could
// not give back.
func checkName(what, name string) error { return checkText(what, name, longestName) }

func checkText(what, name string, longest int) error {
	switch {
	case len(name) > longest:
		return fmt.Errorf("%w: %s has %d bytes, more than %d", ErrSegment, what, len(name), longest)
	case !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl):
		return fmt.Errorf("%w: %s %q has characters that no name has", ErrSegment, what, name)
	case name != strings.TrimSpace(name):
		return fmt.Errorf("%w: %s %q begins or ends with a blank", ErrSegment, what, name)
	}
	return nil
}
