package house

import (
	"fmt"
	"regexp"
)

// LongestFile is the number of lines that a hand-written Go file may have.
// Most have 60 to 250.
const LongestFile = 500

// unfinished matches the marks of work left for later, as whole words.
var unfinished = regexp.MustCompile(`\b(TODO|FIXME|XXX|HACK)\b`)

// CheckStyle gives one sentence for every hand-written file that is too long
// and for every comment that puts work off.
func CheckStyle(files []File) []string {
	var complaints []string
	for _, file := range files {
		if file.Generated {
			continue
		}
		if file.Lines > LongestFile {
			complaints = append(complaints, fmt.Sprintf("%s: %d lines, more than %d: it holds more than one idea",
				file.Path, file.Lines, LongestFile))
		}
		for _, comment := range file.Comments {
			if mark := unfinished.FindString(comment.Text); mark != "" {
				complaints = append(complaints, fmt.Sprintf("%s:%d: %s: file an issue instead", file.Path, comment.Line, mark))
			}
		}
	}
	return complaints
}
