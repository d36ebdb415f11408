package observe

import (
	"path"
	"regexp"
	"strings"

	"github.com/mqhk/mqhk/core/mqini"
)

// windowsDrive begins a path of Windows: a drive, or a share.
var windowsDrive = regexp.MustCompile(`^([A-Za-z]:|\\\\)`)

// cleanPath gives a path without doubled separators and without one at its end.
// Of Windows only the end is cleaned.
func cleanPath(text string) string {
	switch {
	case text == "":
		return ""
	case windowsDrive.MatchString(text):
		return strings.TrimRight(text, `\/`)
	}
	return path.Clean(text)
}

// sameLogPath tells whether two paths, in any form, name one log.
func sameLogPath(a, b string) bool { return mqini.SameLog(cleanPath(a), cleanPath(b)) }

// joinPath appends a name to a directory, with the separator that it has.
func joinPath(directory, name string) string {
	separator := "/"
	if windowsDrive.MatchString(directory) {
		separator = `\`
	}
	return strings.TrimRight(directory, separator) + separator + name
}

// splitPath cuts the last name off a path.
func splitPath(text string) (parent, name string) {
	separators := "/"
	if windowsDrive.MatchString(text) {
		separators = `\/`
	}
	at := strings.LastIndexAny(text, separators)
	switch {
	case at < 0:
		return ".", text
	case at == 0:
		return text[:1], text[1:]
	}
	return text[:at], text[at+1:]
}
