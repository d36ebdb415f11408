package os400

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// A message queue is a file of sealed lines of JSON: a message, or the mark
// that a clear leaves, so that no key is given twice. A line that is not whole,
// or not what its checksum says, was torn by a crash and counts as not there.

// line is one line of a queue's file.
type line struct {
	Message
	Cleared bool `json:",omitzero"` // Key is the last that was given
}

// encodeLine gives a line with its end.
func encodeLine(l line) ([]byte, error) {
	text, err := json.Marshal(l)
	if err != nil {
		return nil, fmt.Errorf("writing message %s: %w", l.ID, err)
	}
	sealed, _ := seal(0, text)
	return sealed, nil
}

// contents is what a queue's file holds.
type contents struct {
	messages []Message // oldest first
	last     uint64    // highest key
	whole    bool      // every byte was part of a good line
}

// decodeQueue reads a queue's file.
func decodeQueue(b []byte) contents {
	c := contents{whole: true}
	for len(b) > 0 {
		text, rest, ended := bytes.Cut(b, []byte("\n"))
		l, ok := decodeLine(text)
		b = rest
		if !ok || !ended {
			c.whole = false
			continue
		}
		c.last = max(c.last, l.Key)
		if !l.Cleared {
			c.messages = append(c.messages, l.Message)
		}
	}
	return c
}

func decodeLine(sealed []byte) (line, bool) {
	var l line
	text, _, ok := unseal(0, sealed)
	return l, ok && json.Unmarshal(text, &l) == nil
}
