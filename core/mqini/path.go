package mqini

import (
	"regexp"
	"strings"
)

// windowsPath is a drive or a share.
var windowsPath = regexp.MustCompile(`^([A-Za-z]:|\\\\)`)

// join puts the parts of a path together, with the separator of its first part.
func join(first string, parts ...string) string {
	separator := "/"
	if windowsPath.MatchString(first) {
		separator = `\`
	}
	first = strings.TrimSuffix(trimEnd(first), separator) // that of the root stays otherwise
	return strings.Join(append([]string{first}, parts...), separator)
}

// trimEnd takes the separators off the end of a path. A backslash ends a path
// of Windows only: elsewhere it is a character of a name.
func trimEnd(path string) string {
	separators := "/"
	if windowsPath.MatchString(path) {
		separators = `\/`
	}
	if trimmed := strings.TrimRight(path, separators); trimmed != "" {
		return trimmed
	}
	return path
}

// LogFolder gives a log's folder without a separator at its end and without the
// folder active, in which the extents are. LogPath of qm.ini comes without it,
// LOGPATH of DISPLAY QMSTATUS with it; both give the same folder.
func LogFolder(path string) string {
	path = trimEnd(path)
	for _, end := range []string{"/active", `\active`} {
		if folder, found := strings.CutSuffix(path, end); found && folder != "" && (end[0] == '/' || windowsPath.MatchString(path)) {
			return trimEnd(folder)
		}
	}
	return path
}

// ActiveFolder gives the folder of the extents for a log's path in either form.
func ActiveFolder(path string) string { return join(LogFolder(path), "active") }

// SameLog tells whether two paths name one log's folder, each in either form.
// Links are not followed. Windows takes any case and either separator.
func SameLog(a, b string) bool {
	if windowsPath.MatchString(a) && windowsPath.MatchString(b) {
		return strings.EqualFold(strings.ReplaceAll(LogFolder(strings.ToLower(a)), "/", `\`), strings.ReplaceAll(LogFolder(strings.ToLower(b)), "/", `\`))
	}
	return LogFolder(a) == LogFolder(b)
}
