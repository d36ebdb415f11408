package transcript

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxSize bounds what is read of a transcript and of each file beside it. The
// largest bodies are error logs; they are a few MiB.
const maxSize = 256 << 20

// byteOrderMark is what some editors put before UTF-8.
var byteOrderMark = []byte("\xef\xbb\xbf")

// Parse reads a transcript. Name is for messages only. Attach gives the
// content of a plain file name in the transcript's own folder, for headers
// that end with "= NAME"; it may be nil where there is no folder, and such a
// header is an error then. What is wrong in the text comes back as a
// [SyntaxError], never a partial transcript: a plan on half the facts could
// let go too much.
func Parse(name string, r io.Reader, attach func(name string) ([]byte, error)) (*Transcript, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxSize+1))
	if err != nil {
		return nil, fmt.Errorf("reading transcript %s: %w", name, err)
	}
	if len(text) > maxSize {
		return nil, fmt.Errorf("reading transcript %s: more than %d MiB", name, maxSize>>20)
	}
	p := parser{file: name, attach: attach}
	if err := p.lines(bytes.TrimPrefix(text, byteOrderMark)); err != nil {
		return nil, err
	}
	if err := p.declared(); err != nil {
		return nil, err
	}
	return &Transcript{entries: p.entries, warnings: p.warnings()}, nil
}

// parser collects entries line by line.
type parser struct {
	file    string
	attach  func(name string) ([]byte, error)
	entries []entry
	at      []int // the line of each entry's header
	doubts  []doubt

	open    *header // the block whose body is being read; nil before the first and after a directive
	began   bool    // a block was seen: what belongs to no body is a mistake from here on
	body    bytes.Buffer
	newline bool // the last line read ended with one
}

func (p *parser) lines(text []byte) error {
	for line := 1; len(text) > 0; line++ {
		var raw []byte
		raw, text, p.newline = bytes.Cut(text, []byte("\n"))
		raw = bytes.TrimSuffix(raw, []byte("\r"))
		if !utf8.Valid(raw) {
			return p.fail(line, "not UTF-8: a body of other bytes is written BASE64", nil)
		}
		if err := p.line(line, string(raw)); err != nil {
			return err
		}
	}
	return p.close(true)
}

func (p *parser) line(line int, text string) error {
	if rest, ok := strings.CutPrefix(text, mark); ok {
		return p.header(line, rest)
	}
	p.doubtLine(line, text)
	switch {
	case p.open != nil && p.open.attach == "":
		return p.bodyLine(line, text)
	case !p.began || strings.TrimSpace(text) == "" || strings.HasPrefix(text, "#"):
		return nil // comment
	case p.open != nil:
		return p.fail(line, "this belongs to no answer: the body is in the file "+p.open.attach, nil)
	default:
		return p.fail(line, "this belongs to no answer: a directive has no body", nil)
	}
}

func (p *parser) header(line int, text string) error {
	if err := p.close(false); err != nil {
		return err
	}
	h, err := parseHeader(text)
	if err != nil {
		return p.fail(line, "header", err)
	}
	p.entries, p.at = append(p.entries, h.entry), append(p.at, line)
	if _, ok := h.entry.(*block); ok {
		p.open, p.began = &h, true
	}
	return nil
}

// bodyLine adds a line to the open block. A line that begins with the mark or
// with a backslash was written with a backslash before it; any other line
// that begins with one lost it, or never had it, and nobody knows which.
func (p *parser) bodyLine(line int, text string) error {
	if rest, ok := strings.CutPrefix(text, `\`); ok {
		if !strings.HasPrefix(rest, mark) && !strings.HasPrefix(rest, `\`) {
			return p.fail(line, `a body line that begins with \ is written with another \ before it`, nil)
		}
		text = rest
	}
	p.body.WriteString(text)
	p.body.WriteByte('\n')
	return nil
}

// close ends the open block and gives it its body; last says that the file
// ends here.
func (p *parser) close(last bool) error {
	h := p.open
	if h == nil {
		return nil
	}
	line := p.at[len(p.at)-1]
	body := bytes.Clone(p.body.Bytes())
	p.open = nil
	p.body.Reset()
	if h.attach != "" {
		var err error
		if body, err = p.attached(h.attach); err != nil {
			return p.fail(line, "body of "+h.entry.(*block).question().String(), err)
		}
	}
	if h.base64 {
		if last && h.attach == "" && !p.newline {
			return p.fail(line, "the file ends inside this BASE64 body", nil)
		}
		var err error
		if body, err = decode(body); err != nil {
			return p.fail(line, "BASE64 body", err)
		}
	}
	h.entry.(*block).body = body
	return nil
}

func (p *parser) attached(name string) ([]byte, error) {
	if p.attach == nil {
		return nil, fmt.Errorf("file %s: this transcript lies in no folder", name)
	}
	body, err := p.attach(name)
	if err != nil {
		return nil, fmt.Errorf("file %s: %w", name, err)
	}
	return body, nil
}

// declared checks that every name is declared once, that zones and members
// speak of declared ones, and that what the host answers will be asked for. A
// declaration may stand below its use.
func (p *parser) declared() error {
	names, groups := map[string]bool{}, map[string]bool{}
	members := map[member]bool{}
	rules := []func(e entry) string{
		func(e entry) string {
			d, ok := e.(*target)
			if ok && names[d.name] {
				return d.name + " is declared twice"
			}
			if ok {
				names[d.name], groups[d.name] = true, d.group
			}
			return ""
		},
		func(e entry) string {
			m, ok := e.(*member)
			if !ok {
				return ""
			}
			key := member{manager: m.manager, group: m.group}
			switch {
			case !groups[m.group]:
				return fmt.Sprintf("%s is a member of %s, which no QSG line declares", m.manager, m.group)
			case members[key]:
				return fmt.Sprintf("%s is a member of %s twice", m.manager, m.group)
			}
			members[key], names[m.manager] = true, true
			return ""
		},
		func(e entry) string {
			if z, ok := e.(*zone); ok && !names[z.name] {
				return fmt.Sprintf("zone of %s, which no QMGR, QSG or MEMBER line declares", z.name)
			}
			return ""
		},
	}
	for _, rule := range rules {
		for i, e := range p.entries {
			if wrong := rule(e); wrong != "" {
				return p.fail(p.at[i], wrong, nil)
			}
		}
	}
	known := slices.Sorted(maps.Keys(names))
	if at, wrong := hostMistake(p.entries, known); wrong != "" {
		return p.fail(p.at[at], wrong, nil)
	}
	p.doubtNames(known)
	return nil
}

func (p *parser) fail(line int, what string, err error) error {
	return &SyntaxError{File: p.file, Line: line, What: what, Err: err}
}
