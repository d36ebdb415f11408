package transcript

import "fmt"

// SyntaxError says where a transcript is not one. Line counts from 1 in File;
// File is the transcript's own name or, for a line of a body that stands in a
// file of its own, that file's.
type SyntaxError struct {
	File string
	Line int
	What string
	Err  error // what caused it; may be nil
}

func (e *SyntaxError) Error() string {
	text := fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.What)
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

func (e *SyntaxError) Unwrap() error { return e.Err }
