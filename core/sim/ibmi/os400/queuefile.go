package os400

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"strconv"
)

// A message queue is a file of lines. Each has the CRC-32C of what follows it,
// in eight hexadecimal digits, a blank, and JSON: a message, or the mark that
// a clear leaves, so that no key is given twice. A line that is not whole, or
// not what its checksum says, was torn by a crash and counts as not there.

// line is one line of a queue's file.
type line struct {
	Message
	Cleared bool `json:",omitzero"` // Key is the last that was given
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// encodeLine gives a line with its end.
func encodeLine(l line) ([]byte, error) {
	text, err := json.Marshal(l)
	if err != nil {
		return nil, fmt.Errorf("writing message %s: %w", l.ID, err)
	}
	return fmt.Appendf(nil, "%08x %s\n", crc32.Checksum(text, castagnoli), text), nil
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

func decodeLine(text []byte) (line, bool) {
	var l line
	sum, rest, ok := bytes.Cut(text, []byte(" "))
	if !ok || len(sum) != 8 {
		return l, false
	}
	want, err := strconv.ParseUint(string(sum), 16, 32)
	if err != nil || want != uint64(crc32.Checksum(rest, castagnoli)) {
		return l, false
	}
	return l, json.Unmarshal(rest, &l) == nil
}
