// Package report renders the record of a run for people and for programs:
// as text for a terminal, as JSON, as Markdown for a change ticket, and as
// the statements that a person would submit.
//
// Text and Markdown are two renderings of one [document], so that neither can
// say less than the other. Whatever came from a system, a file or a plugin is
// made harmless by the renderer, never by who composed it.
package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/mqhk/mqhk/agent/ledger"
)

// Format says how a record is written.
type Format string

// The formats, as the command line names them.
const (
	Text     Format = "text"     // for a terminal: plain ASCII, coloured only when asked for
	JSON     Format = "json"     // the record itself, schema mqhk.report/v1
	Markdown Format = "markdown" // the text's content as tables
	Script   Format = "script"   // the statements a person would submit
)

// ParseFormat reads a format's name, in any case. Its error names the four.
func ParseFormat(word string) (Format, error) {
	switch f := Format(strings.ToLower(word)); f {
	case Text, JSON, Markdown, Script:
		return f, nil
	default:
		return "", fmt.Errorf("format %q is none of text, json, markdown, script", word)
	}
}

// The widths of text output, in columns. The screens of the platforms, 5250
// and 3270, have 80.
const (
	DefaultWidth = 100
	MinimumWidth = 80
)

// Options say how a record is rendered. The zero value is text without
// colour, one line a range of segments, [DefaultWidth] columns wide.
type Options struct {
	Format  Format
	Verbose bool // each segment and each action on a line of its own
	Colour  bool // text only: terminal colours; the caller knows whether there is a terminal
	Width   int  // text and the drawings, in columns; 0 is DefaultWidth, less than MinimumWidth is MinimumWidth
}

func (o Options) width() int {
	if o.Width == 0 {
		return DefaultWidth
	}
	return max(o.Width, MinimumWidth)
}

// Write renders the record. It changes nothing in it. Errors are those of w
// and a format that is none of the four.
func Write(w io.Writer, record ledger.Record, options Options) error {
	Normalise(&record)
	var text string
	switch options.Format {
	case Text, "":
		text = renderText(compose(record, options), options)
	case Markdown:
		text = renderMarkdown(compose(record, options))
	case Script:
		text = script(record)
	case JSON:
		encoded, err := encodeJSON(record)
		if err != nil {
			return fmt.Errorf("writing the record of run %s as JSON: %w", printable(record.Run.ID), err)
		}
		text = encoded
	default:
		return fmt.Errorf("writing a report: format %q is none of text, json, markdown, script", options.Format)
	}
	if _, err := io.WriteString(w, text); err != nil {
		return fmt.Errorf("writing the report of run %s as %s: %w", printable(record.Run.ID), options.Format, err)
	}
	return nil
}
