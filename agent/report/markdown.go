package report

import (
	"fmt"
	"strings"
)

// renderMarkdown writes a document for a change ticket: GitHub's Markdown,
// with every piece of foreign text escaped, so that a queue name can neither
// end a table cell nor become a link, an image or HTML.
func renderMarkdown(d document) string {
	var out strings.Builder
	for i, block := range d.blocks {
		if i > 0 {
			out.WriteByte('\n')
		}
		switch b := block.(type) {
		case heading:
			fmt.Fprintf(&out, "%s %s\n", strings.Repeat("#", b.level+1), escape(b.text))
		case line:
			out.WriteString(emphasis(b.cell) + "\n")
		case list:
			for _, item := range b.items {
				out.WriteString(markdownItem(item))
			}
		case table:
			out.WriteString(markdownTable(b))
		case figure:
			fence := strings.Repeat("`", longestRun(b.lines, '`')+3)
			fmt.Fprintf(&out, "%stext\n%s\n%s\n", fence, strings.Join(b.lines, "\n"), fence)
		}
	}
	return out.String()
}

func markdownItem(item []cell) string {
	var texts []string
	for _, c := range item {
		texts = append(texts, emphasis(c))
	}
	return "- " + strings.Join(texts, "<br>\n  ") + "\n"
}

func markdownTable(t table) string {
	columns := len(t.rows[0])
	head := t.head
	if len(head) == 0 { // Markdown has no table without a head
		head = make([]string, columns)
	}
	rules := make([]string, columns)
	for i := range rules {
		rules[i] = "---"
	}
	for _, i := range t.right {
		rules[i] = "--:"
	}
	var out strings.Builder
	writeRow := func(cells []string) { out.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	writeRow(head)
	writeRow(rules)
	for _, cells := range t.rows {
		var texts []string
		for _, c := range cells {
			texts = append(texts, emphasis(c))
		}
		writeRow(texts)
	}
	return out.String()
}

// emphasis makes bold what text output shows in red.
func emphasis(c cell) string {
	text := escape(c.text)
	if c.tone == bad && text != "" {
		return "**" + text + "**"
	}
	return text
}

// escape makes foreign text harmless in Markdown: one line, every character
// that has a meaning anywhere in a line written so that it has none, nothing
// at its start that would begin a list or a rule, and no address that a
// viewer would make a link of by itself.
func escape(text string) string {
	text = strings.TrimSpace(printable(text))
	var out strings.Builder
	for i, r := range text {
		switch {
		case r == '&':
			out.WriteString("&amp;")
		case r == '<':
			out.WriteString("&lt;")
		case r == '>':
			out.WriteString("&gt;")
		case strings.ContainsRune("\\`*_[]{}|~#!$^@", r), opensBlock(text, i), opensLink(text, i):
			out.WriteString(`\` + string(r))
		default:
			out.WriteRune(r)
		}
	}
	return out.String()
}

// opensBlock tells whether the character at i, read with all before it, makes
// a list or an underline of the line: "- x", "1. x", "===".
func opensBlock(text string, i int) bool {
	if i == 0 {
		return strings.IndexByte("-+=", text[0]) >= 0
	}
	ends := i+1 == len(text) || text[i+1] == ' '
	return ends && strings.IndexByte(".)", text[i]) >= 0 && strings.Trim(text[:i], "0123456789") == ""
}

// opensLink tells whether viewers find an address by the character at i.
func opensLink(text string, i int) bool {
	rest := text[i:]
	return strings.HasPrefix(rest, "://") || rest[0] == '.' && strings.HasSuffix(strings.ToLower(text[:i]), "www")
}

func longestRun(lines []string, r rune) int {
	longest := 0
	for _, l := range lines {
		run := 0
		for _, c := range l {
			if c != r {
				run = 0
				continue
			}
			run++
			longest = max(longest, run)
		}
	}
	return longest
}
