package report

import (
	"strings"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/internal/shell"
)

// unsafeStatement says why a statement can't be put into a script as it is,
// empty when it can. A script is submitted as a whole, so a statement must be
// one line and one statement, and must leave no quote, bracket or comment
// open that would take in the next line. Such a text comes from no part of
// mqhk; it could come from a name on a system or from a plugin.
func unsafeStatement(language observe.Language, text string) string {
	if text == "" || !shell.Printable(text) || strings.TrimSpace(text) != text {
		return "its statement is empty or holds characters that can't be shown."
	}
	bare, whole := outsideQuotes(text)
	if !whole {
		return "its statement leaves a quote or a bracket open."
	}
	refused := ""
	switch language {
	case observe.CL, observe.IDCAMS:
		if strings.HasPrefix(bare, "/*") || strings.Contains(bare, " /*") || strings.Contains(bare, "*/") {
			refused = "comment"
		}
	case observe.MQSC:
		if strings.Contains(bare, ";") || strings.HasPrefix(bare, "*") {
			refused = "second statement or comment"
		}
	case observe.CTL:
		if strings.ContainsAny(bare, ";&|<>()`$#\\\"*?~!") || strings.ContainsAny(text, "`") {
			refused = "character that a shell acts on"
		}
	case "":
		return "its language is not said."
	default:
		return "statements in " + string(language) + " are not submitted from a file."
	}
	if refused == "" && language != observe.CTL && strings.ContainsAny(text[len(text)-1:], "+-") {
		refused = "continuation"
	}
	if refused != "" {
		return "its statement holds a " + refused + "."
	}
	return ""
}

// outsideQuotes gives the text without what stands between apostrophes, and
// whether apostrophes and brackets are closed. A doubled apostrophe closes
// and opens again, which comes to the same.
func outsideQuotes(text string) (bare string, whole bool) {
	var out strings.Builder
	quoted, depth := false, 0
	for _, r := range text {
		switch {
		case r == '\'':
			quoted = !quoted
			out.WriteRune('\'')
			continue
		case quoted:
			continue
		case r == '(':
			depth++
		case r == ')':
			depth--
		}
		if depth < 0 {
			return out.String(), false
		}
		out.WriteRune(r)
	}
	return out.String(), !quoted && depth == 0
}

// foldWidth is how wide a CL statement may be: source members have 80 columns
// of data, and SEU shows 71 of them.
const foldWidth = 70

// foldCL breaks a long CL statement between its parameters. A + at the end
// of a line drops the blanks at the start of the next one, so the blank
// before it is the one that separates.
func foldCL(text string) string { return foldAt(text, foldWidth) }

// foldAt breaks a statement between its parameters so that no line is wider, as
// far as its parameters are not. MQSC goes on behind a + as CL does.
func foldAt(text string, width int) string {
	if len(text) <= width {
		return text
	}
	var lines []string
	current := ""
	for _, parameter := range parameters(text) {
		switch {
		case current == "":
			current = parameter
		case len(current)+1+len(parameter)+2 > width:
			lines = append(lines, current+" +")
			current = "    " + parameter
		default:
			current += " " + parameter
		}
	}
	return strings.Join(append(lines, current), "\n")
}

// parameters cuts a statement at the blanks that stand in no quote and in no
// bracket.
func parameters(text string) []string {
	var result []string
	var current strings.Builder
	quoted, depth := false, 0
	for _, r := range text {
		switch {
		case r == '\'':
			quoted = !quoted
		case quoted:
		case r == '(':
			depth++
		case r == ')':
			depth--
		case r == ' ' && depth == 0:
			if current.Len() > 0 {
				result = append(result, current.String())
				current.Reset()
			}
			continue
		}
		current.WriteRune(r)
	}
	if current.Len() > 0 {
		result = append(result, current.String())
	}
	return result
}
