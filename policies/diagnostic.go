package policies

import (
	"cmp"
	"fmt"
	"slices"
)

// Diagnostic is one thing that is wrong, or doubtful, in a file.
type Diagnostic struct {
	Warning      bool   // doubtful; everything else is an error
	File         string //
	Line, Column int    // from 1; 0: the whole file
	Summary      string // what is wrong, in a few words
	Detail       string // what is allowed; may be empty
	Source       string // the line of the file; empty when not at hand

	before string // on Source, what stands before the caret
	marked string // on Source, what the caret is under
}

// String gives the diagnostic on one line.
func (d Diagnostic) String() string {
	text := Place{File: d.File, Line: d.Line, Column: d.Column}.String() + ": "
	if d.Warning {
		text += "warning: "
	}
	text += d.Summary
	if d.Detail != "" {
		text += ": " + d.Detail
	}
	return text
}

// Diagnostics are all mistakes of a configuration, ordered by file and line.
// As an error they give the first one and the number of the others;
// [Diagnostics.Write] shows them all.
type Diagnostics []Diagnostic

// Error gives the first mistake on one line and counts the others.
func (ds Diagnostics) Error() string {
	errors := slices.DeleteFunc(slices.Clone(ds), func(d Diagnostic) bool { return d.Warning })
	switch len(errors) {
	case 0:
		return "no mistakes"
	case 1:
		return errors[0].String()
	default:
		return fmt.Sprintf("%s (and %d more)", errors[0], len(errors)-1)
	}
}

// err gives the diagnostics as an error: nil where none is worse than a
// warning.
func (ds Diagnostics) err() error {
	if slices.ContainsFunc(ds, func(d Diagnostic) bool { return !d.Warning }) {
		return ds.sorted()
	}
	return nil
}

// sorted orders by file, line and column and drops repetitions.
func (ds Diagnostics) sorted() Diagnostics {
	ordered := slices.Clone(ds)
	slices.SortStableFunc(ordered, func(a, b Diagnostic) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return slices.CompactFunc(ordered, func(a, b Diagnostic) bool { return a.String() == b.String() })
}

// add complains of a place.
func (ds *Diagnostics) add(at Place, summary, format string, args ...any) {
	*ds = append(*ds, diagnose(at, false, summary, fmt.Sprintf(format, args...)))
}

// warn notes a doubt about a place.
func (ds *Diagnostics) warn(at Place, summary, format string, args ...any) {
	*ds = append(*ds, diagnose(at, true, summary, fmt.Sprintf(format, args...)))
}

func diagnose(at Place, warning bool, summary, detail string) Diagnostic {
	d := Diagnostic{Warning: warning, File: at.File, Line: at.Line, Column: at.Column, Summary: summary, Detail: detail}
	d.Source, d.before, d.marked = at.line()
	return d
}
