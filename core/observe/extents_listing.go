package observe

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// listedFile is one line of an answer to LOGDIR.
type listedFile struct {
	name        string
	bytes       int64
	modified    time.Time // zero: not told
	owner, mode string    // empty: not told
}

// regular tells whether it is a file and no directory, link or device, as far as
// the mode says.
func (f listedFile) regular() bool { return f.mode == "" || f.mode[0] == '-' }

// parseListing reads an answer to LOGDIR: lines of `name size [mtime owner
// mode]`. The size is in bytes, mtime RFC 3339, the mode as ls shows it. A name
// or an owner with blanks is quoted as in Go. A dash stands for what is not
// known. A line that can't be read is an error: half a list is none. So is a
// name that stands twice.
func parseListing(body []byte) ([]listedFile, error) {
	text := string(body)
	files := make([]listedFile, 0, strings.Count(text, "\n"))
	names := make(map[string]bool, cap(files))
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimRight(line, "\r\n")
		if strings.Trim(line, " \t") == "" {
			continue
		}
		f, err := parseFile(line)
		if err == nil && names[f.name] {
			err = fmt.Errorf("%q stands twice", f.name)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		names[f.name] = true
		files = append(files, f)
	}
	return files, nil
}

// parseFile reads one line.
func parseFile(line string) (listedFile, error) {
	var f listedFile
	var fields [5]string
	count := 0
	for rest := strings.TrimLeft(line, " \t"); rest != ""; rest = strings.TrimLeft(rest, " \t") {
		field, after, err := cutField(rest)
		if err != nil {
			return f, err
		}
		if count == len(fields) {
			return f, fmt.Errorf("%q stands behind the mode; a name with blanks is quoted", rest)
		}
		fields[count], rest = field, after
		count++
	}
	for i := 2; i < len(fields); i++ {
		if fields[i] == "-" {
			fields[i] = ""
		}
	}
	f.name, f.owner, f.mode = fields[0], fields[3], fields[4]
	size, err := strconv.ParseUint(fields[1], 10, 62)
	switch {
	case count < 2:
		return f, fmt.Errorf("%q has no size", f.name)
	case f.name == "" || strings.ContainsAny(f.name, "/\x00"):
		return f, fmt.Errorf("%q is no name of a file", f.name)
	case err != nil:
		return f, fmt.Errorf("%s: %q is no size", f.name, fields[1])
	case f.mode != "" && len(f.mode) < len("-rw-rw----"):
		return f, fmt.Errorf("%s: %q is no mode", f.name, f.mode)
	}
	f.bytes = int64(size)
	if fields[2] != "" {
		if f.modified, err = time.Parse(time.RFC3339Nano, fields[2]); err != nil {
			return f, fmt.Errorf("%s: %q is no time", f.name, fields[2])
		}
	}
	return f, nil
}

// cutField takes the first field off a line that begins with it.
func cutField(text string) (field, rest string, err error) {
	if text[0] == '"' {
		quoted, err := strconv.QuotedPrefix(text)
		if err != nil {
			return "", "", fmt.Errorf("a quote is not closed: %s", text)
		}
		rest = text[len(quoted):]
		if rest != "" && rest[0] != ' ' && rest[0] != '\t' {
			return "", "", fmt.Errorf("something stands behind a quote: %s", text)
		}
		field, err = strconv.Unquote(quoted)
		return field, rest, err
	}
	if at := strings.IndexAny(text, " \t"); at >= 0 {
		return text[:at], text[at:], nil
	}
	return text, "", nil
}
