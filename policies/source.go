package policies

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
)

// largest is how many bytes a policy file may have.
const largest = 1 << 20

// source is the text of one file, as it is parsed: without a byte order mark,
// with bare newlines.
type source struct {
	name   string
	text   []byte
	broken bool // its syntax is: what is missing in it may stand where the parser lost its way
}

// readSource reads a policy file. A device or a pipe is refused before it is
// opened: reading it might never end.
func readSource(name string) (*source, *Diagnostic) {
	complain := func(format string, args ...any) (*source, *Diagnostic) {
		return nil, &Diagnostic{File: name, Summary: "this file can't be read", Detail: fmt.Sprintf(format, args...)}
	}
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return complain("%v", err)
	case info.IsDir():
		return complain("%s is a directory, not a file", name)
	case !info.Mode().IsRegular():
		return complain("%s is not a regular file", name)
	}
	file, err := os.Open(name)
	if err != nil {
		return complain("%v", err)
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, largest+1))
	switch {
	case err != nil:
		return complain("%v", err)
	case len(text) > largest:
		return complain("it has more than %d bytes", largest)
	}
	return newSource(name, text)
}

// newSource cleans a text. Editors on Windows write a byte order mark and
// CRLF; neither may change what a policy means or its digest.
func newSource(name string, text []byte) (*source, *Diagnostic) {
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	s := &source{name: name, text: text}
	if utf8.Valid(text) {
		return s, nil
	}
	bad := 0
	for r, size := rune(0), 0; bad < len(text); bad += size {
		if r, size = utf8.DecodeRune(text[bad:]); r == utf8.RuneError && size == 1 {
			break
		}
	}
	line := 1 + bytes.Count(text[:bad], []byte("\n"))
	column := 1 + utf8.RuneCount(text[bytes.LastIndexByte(text[:bad], '\n')+1:bad])
	return nil, &Diagnostic{File: name, Line: line, Column: column, Summary: "this file is not UTF-8",
		Detail: fmt.Sprintf("byte %#02x can't stand here; save the file as UTF-8", text[bad])}
}

// dir is the directory that relative paths in the file start from.
func (s *source) dir() string { return filepath.Dir(s.name) }

// place finds a range of the parser in the text.
func (s *source) place(r hcl.Range) Place {
	p := Place{File: s.name, Line: r.Start.Line, Column: r.Start.Column, source: s}
	p.from = min(max(r.Start.Byte, 0), len(s.text))
	p.to = min(max(r.End.Byte, p.from), len(s.text))
	return p
}

// Place is where something stands in a file. Line and Column count from 1;
// they are 0 where a whole file is meant.
type Place struct {
	File         string
	Line, Column int

	source   *source
	from, to int
}

// String gives file:line:column.
func (p Place) String() string {
	if p.Line == 0 {
		return p.File
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
}

// secretLike finds an argument whose value should not be repeated in a
// message, even where somebody wrote a password into the file.
var secretLike = regexp.MustCompile(`(?i)^(\s*[\w-]*(?:pass|pwd|secret|token|credential|key)[\w-]*\s*=\s*)\S.*$`)

// line gives the source line of the place, the text before the place on it,
// and the part of the place that lies on it.
func (p Place) line() (line, before, marked string) {
	if p.source == nil {
		return "", "", ""
	}
	text := p.source.text
	start := bytes.LastIndexByte(text[:p.from], '\n') + 1
	end := len(text)
	if i := bytes.IndexByte(text[p.from:], '\n'); i >= 0 {
		end = p.from + i
	}
	line = string(text[start:end])
	before, marked = string(text[start:p.from]), string(text[p.from:min(p.to, end)])
	if hidden := secretLike.FindStringSubmatch(line); hidden != nil {
		line = hidden[1] + "(hidden)"
		if len(before) >= len(hidden[1]) {
			before, marked = hidden[1], "(hidden)"
		}
	}
	return line, before, marked
}
