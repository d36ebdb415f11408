package ledger

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
)

// storedAction is an action as it stands in the trail, for as long as the
// ledger lives: fields may be added, none is renamed. It has the fields of
// plugins.Action, which the compiler holds.
type storedAction struct {
	ID           string             `json:"id"`
	QueueManager string             `json:"queue_manager"`
	Kind         plugins.Kind       `json:"kind"`
	Command      plugins.Command    `json:"command,omitzero"`
	Object       string             `json:"object,omitempty"`
	Items        []string           `json:"items,omitempty"`
	Segment      recovery.SegmentID `json:"segment,omitzero"`
	Fingerprint  string             `json:"fingerprint,omitempty"`
	Store        string             `json:"store,omitempty"`
	After        []string           `json:"after,omitempty"`
	Within       time.Duration      `json:"within,omitempty"` // nanoseconds
	Reason       string             `json:"reason,omitempty"`
}

// pack makes a large body small: the record of ten thousand receivers is 4 MB
// of JSON and a tenth of it packed.
func pack(body []byte) ([]byte, error) {
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestSpeed)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(body); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return packed.Bytes(), nil
}

// maxUnpacked bounds what a body may hold when it is unpacked, in bytes.
const maxUnpacked = 1 << 30

func unpack(packed []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("unpacking: %w", err)
	}
	body, err := io.ReadAll(io.LimitReader(r, maxUnpacked+1))
	if err != nil {
		return nil, fmt.Errorf("unpacking: %w", err)
	}
	if len(body) > maxUnpacked {
		return nil, fmt.Errorf("unpacking: more than %d MiB", maxUnpacked>>20)
	}
	return body, nil
}

func packRecord(record Record) ([]byte, error) {
	body, err := json.Marshal(record)
	if err != nil {
		return nil, fmt.Errorf("writing the record: %w", err)
	}
	return pack(body)
}

// unpackRecord reads a record of this schema; one of another is an error.
func unpackRecord(packed []byte) (Record, error) {
	body, err := unpack(packed)
	if err != nil {
		return Record{}, fmt.Errorf("reading a record: %w", err)
	}
	var record Record
	if err := json.Unmarshal(body, &record); err != nil {
		return Record{}, fmt.Errorf("reading a record: %w", err)
	}
	if record.Schema != Schema {
		return Record{}, fmt.Errorf("reading a record: its schema is %q, not %q", record.Schema, Schema)
	}
	return record, nil
}
