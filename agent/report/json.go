package report

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"

	"github.com/mqhk/mqhk/agent/ledger"
)

// encodeJSON writes a normalised record: two spaces of indent, HTML
// characters as they are, a line end at the end.
func encodeJSON(record ledger.Record) (string, error) {
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(record); err != nil {
		return "", err
	}
	return escapeInvisible(out.String()), nil
}

// escapeInvisible writes as \uXXXX what a terminal or an editor would act on
// instead of showing: C1 controls, delete, bidirectional controls and other
// format characters. encoding/json escapes only C0. Such runes occur in JSON
// only inside strings, so the value that a program reads stays the same.
func escapeInvisible(text string) string {
	if strings.IndexFunc(text, invisible) < 0 {
		return text
	}
	var out strings.Builder
	for _, r := range text {
		switch {
		case !invisible(r):
			out.WriteRune(r)
		case r > 0xffff:
			r -= 0x10000
			fmt.Fprintf(&out, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
		default:
			fmt.Fprintf(&out, `\u%04x`, r)
		}
	}
	return out.String()
}

// invisible leaves out the line end, which is JSON's own layout here: inside
// a string it is written as \n.
func invisible(r rune) bool { return r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r)) }
