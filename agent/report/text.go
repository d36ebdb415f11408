package report

import "strings"

// indent is how far the content of a target stands to the right of its
// heading.
const indent = "  "

// renderText writes a document for a terminal: plain ASCII, no line wider
// than the options say unless one word is, colours only when asked for.
func renderText(d document, options Options) string {
	p := &textPrinter{width: options.width(), colour: options.Colour}
	for i, block := range d.blocks {
		if i > 0 && p.apart(d.blocks[i-1], block) {
			p.out.WriteByte('\n')
		}
		switch b := block.(type) {
		case heading:
			p.heading(b)
		case line:
			p.paragraph(b.cell)
		case list:
			p.list(b)
		case table:
			p.table(b)
		case figure:
			p.lines(b.lines)
		}
	}
	return p.out.String()
}

// apart tells whether an empty line is needed between two blocks: between
// tables, and between the parts of a report that have no indent.
func (p *textPrinter) apart(before, block any) bool {
	_, afterTable := before.(table)
	switch block.(type) {
	case table:
		return afterTable
	case line:
		return afterTable && p.inside == ""
	default:
		return false
	}
}

type textPrinter struct {
	out    strings.Builder
	width  int
	colour bool
	inside string // the indent of where it is
}

func (p *textPrinter) lines(lines []string) {
	for _, l := range lines {
		p.out.WriteString(strings.TrimRight(p.inside+l, " ") + "\n")
	}
}

func (p *textPrinter) heading(h heading) {
	p.inside = ""
	text := wrap(ascii(h.text), p.width)
	if h.level == 1 {
		longest := 0
		for _, l := range strings.Split(text, "\n") {
			longest = max(longest, len(l))
		}
		text += "\n" + strings.Repeat("=", longest)
	}
	p.out.WriteString("\n" + text + "\n")
	if h.level > 1 {
		p.inside = indent
	}
}

func (p *textPrinter) paragraph(c cell) {
	text := wrap(ascii(c.text), p.width-len(p.inside))
	for _, l := range strings.Split(text, "\n") {
		p.lines([]string{p.paint(l, c.tone)})
	}
}

func (p *textPrinter) list(l list) {
	for _, item := range l.items {
		for i, c := range item {
			lead := "  "
			if i == 0 {
				lead = "* "
			}
			for _, text := range strings.Split(wrap(ascii(c.text), p.width-len(p.inside)-2), "\n") {
				p.lines([]string{lead + p.paint(text, c.tone)})
				lead = "  "
			}
		}
	}
}

// paint colours text that is safe and wrapped already.
func (p *textPrinter) paint(text string, t tone) string {
	codes := map[tone]string{good: "32", warn: "33", bad: "1;31", faint: "2"}
	if !p.colour || codes[t] == "" || text == "" {
		return text
	}
	return "\x1b[" + codes[t] + "m" + text + "\x1b[0m"
}

// wrap breaks safe text at blanks into lines of at most width columns. A word
// that is longer stays whole: it is a name or a statement, and half a name is
// no use to anyone.
func wrap(text string, width int) string {
	var out strings.Builder
	column := 0
	for _, word := range words(text, width) {
		switch {
		case column == 0:
		case column+1+len(word) > width:
			out.WriteByte('\n')
			column = 0
		default:
			out.WriteByte(' ')
			column++
		}
		out.WriteString(word)
		column += len(word)
	}
	return out.String()
}

// words cuts text at its blanks, but keeps "FIRST .. LAST" in one piece where
// a line has room for it, so that a search for the range finds it.
func words(text string, width int) []string {
	var result []string
	fields := strings.Fields(text)
	for i := 0; i < len(fields); i++ {
		word := fields[i]
		if i+2 < len(fields) && fields[i+1] == ".." {
			if whole := strings.Join(fields[i:i+3], " "); len(whole) <= width {
				word = whole
				i += 2
			}
		}
		result = append(result, word)
	}
	return result
}
