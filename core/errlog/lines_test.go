package errlog

import (
	"errors"
	"io"
	"strings"
	"testing"
)

// endless gives the same text over and over.
type endless struct{ text string }

func (e endless) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		n += copy(p[n:], e.text)
	}
	return n, nil
}

// Whatever a log is made of, and however long it is, little of it is held.
func TestLinesHoldLittle(t *testing.T) {
	header := "05/01/26 10:00:00 - Process(1.1) User(mqm) Program(x)\nAMQ7467I: "
	for name, text := range map[string]string{
		"zeros": "\x00", "no end of line": "x", "short lines": "x\n", "one message": "x\n x\n", "objects": `{"host":{"host":"`,
	} {
		s := &scanner{lines: newLines(io.MultiReader(strings.NewReader(header), io.LimitReader(endless{text}, 8<<20))), yield: func(Record, error) bool { return true }}
		s.run()
		if held := cap(s.buf) + cap(s.spare.kept); held > 4<<20 {
			t.Errorf("%s: %d bytes are held", name, held)
		}
	}
}

// still is a source that gives nothing and does not end.
type still struct{}

func (still) Read([]byte) (int, error) { return 0, nil }

func TestLinesGiveUp(t *testing.T) {
	for _, err := range Scan(still{}) {
		if !errors.Is(err, io.ErrNoProgress) {
			t.Errorf("%v", err)
		}
	}
}
