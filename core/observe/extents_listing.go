package observe

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// ListedFile is one line of an answer to LOGDIR.
type ListedFile struct {
	Name        string
	Bytes       int64
	Modified    time.Time // zero: not told
	Owner, Mode string    // empty: not told
}

// Regular tells whether it is a file and no directory, link or device, as far as
// the mode says.
func (f ListedFile) Regular() bool { return f.Mode == "" || f.Mode[0] == '-' }

// ParseListing reads an answer to LOGDIR: lines of `name size [mtime owner
// mode]`. The size is in bytes, mtime RFC 3339, the mode as ls shows it. A name
// or an owner with blanks is quoted as in Go. A dash stands for what is not
// known. A line that can't be read is an error: half a list is none. So is a
// name that stands twice.
func ParseListing(body []byte) ([]ListedFile, error) {
	text := string(body)
	files := make([]ListedFile, 0, strings.Count(text, "\n"))
	names := make(map[string]bool, cap(files))
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimRight(line, "\r\n")
		if strings.Trim(line, " \t") == "" {
			continue
		}
		f, err := parseFile(line)
		if err == nil && names[f.Name] {
			err = fmt.Errorf("%q stands twice", f.Name)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		names[f.Name] = true
		files = append(files, f)
	}
	return files, nil
}

// parseFile reads one line.
func parseFile(line string) (ListedFile, error) {
	var f ListedFile
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
	f.Name, f.Owner, f.Mode = fields[0], fields[3], fields[4]
	size, err := strconv.ParseUint(fields[1], 10, 62)
	switch {
	case count < 2:
		return f, fmt.Errorf("%q has no size", f.Name)
	case f.Name == "" || strings.ContainsAny(f.Name, "/\x00"):
		return f, fmt.Errorf("%q is no name of a file", f.Name)
	case err != nil:
		return f, fmt.Errorf("%s: %q is no size", f.Name, fields[1])
	case f.Mode != "" && len(f.Mode) < len("-rw-rw----"):
		return f, fmt.Errorf("%s: %q is no mode", f.Name, f.Mode)
	}
	f.Bytes = int64(size)
	if fields[2] != "" {
		if f.Modified, err = time.Parse(time.RFC3339Nano, fields[2]); err != nil {
			return f, fmt.Errorf("%s: %q is no time", f.Name, fields[2])
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
