package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"time"

	"github.com/mqhk/mqhk/core/wal"
)

// EntryKind says what an [Entry] tells.
type EntryKind string

// The kinds of entries. Those of a unit of work have Unit, and Prev and Ref
// where the log was written with [Options.Detail].
const (
	EntryPut             EntryKind = "put"              // Object, Sequence, Priority, Body
	EntryPutPart         EntryKind = "put part"         // Object, Sequence, Body
	EntryGet             EntryKind = "get"              // Object, Sequence, Priority
	EntryBegin           EntryKind = "begin"            // of a unit of work; XID of a global one
	EntryPrepare         EntryKind = "prepare"          // XID
	EntryCommit          EntryKind = "commit"           //
	EntryBackout         EntryKind = "backout"          // a unit of work is being backed out
	EntryEnd             EntryKind = "end"              // it is backed out
	EntryDefine          EntryKind = "define"           // Object, Ref, Attributes
	EntryAlter           EntryKind = "alter"            // Object, Ref (with Detail), Attributes
	EntryDelete          EntryKind = "delete"           // Object, Ref (with Detail)
	EntryClear           EntryKind = "clear"            // Object, Ref (with Detail)
	EntryDamage          EntryKind = "damage"           // Object, Ref (with Detail)
	EntryCheckpoint      EntryKind = "checkpoint"       //
	EntryCheckpointTable EntryKind = "checkpoint table" // Units
	EntryCheckpointEnd   EntryKind = "checkpoint end"   // Begin
	EntryImage           EntryKind = "image"            // Object, Ref, Attributes
	EntryImagePart       EntryKind = "image part"       // Object
	EntryImageEnd        EntryKind = "image end"        // Begin
	EntryNote            EntryKind = "note"             // Key: its kind; Value: its text
	EntryKeep            EntryKind = "keep"             // Key, Value
	EntryDrop            EntryKind = "drop"             // Key
)

// Entry is a record of the log as it is shown. Bytes and slices in it are valid
// for one step of [Entries].
type Entry struct {
	LSN wal.LSN
	// Prev is the record before in the same unit of work; 0: none, or the log
	// does not say.
	Prev wal.LSN
	// Bytes that it takes of the log: up to the next record, so that their sum
	// is the difference of two positions, across segments too.
	Bytes      int64
	Kind       EntryKind
	Time       time.Time
	Unit       uint64 // 0: outside a unit of work
	XID        []byte // of a global unit of work, where the record says it
	Object     uint64 // position of its definition
	Ref        Ref
	Sequence   uint64
	Priority   int
	Body       []byte
	Attributes map[string]string
	Begin      wal.LSN // of an end: where the beginning is
	Units      []EntryUnit
	Key        string
	Value      []byte
}

// EntryUnit is a unit of work in a checkpoint.
type EntryUnit struct {
	ID          uint64
	XID         []byte
	First, Last wal.LSN
	Prepared    bool
}

// entryKinds are those of the records.
var entryKinds = [lastKind]EntryKind{
	recPut: EntryPut, recPutLong: EntryPut, recPutPart: EntryPutPart, recGet: EntryGet,
	recBegin: EntryBegin, recPrepare: EntryPrepare, recCommit: EntryCommit, recBackout: EntryBackout, recEndUnit: EntryEnd,
	recDefine: EntryDefine, recAlter: EntryAlter, recDelete: EntryDelete, recClear: EntryClear, recDamage: EntryDamage,
	recCheckpoint: EntryCheckpoint, recCheckpointPart: EntryCheckpointTable, recCheckpointEnd: EntryCheckpointEnd,
	recImage: EntryImage, recImagePart: EntryImagePart, recImageEnd: EntryImageEnd,
	recNote: EntryNote, recKeep: EntryKeep, recDrop: EntryDrop,
}

// Entries reads the records from a position, which must be that of one, up to
// another, which is not among them. A from of zero is the beginning of the
// first segment, a to of zero the end of the log. It reads what is on the disk:
// behind an engine that runs, up to [Status.Durable] of it at most.
func Entries(ctx context.Context, open wal.Opener, segments []wal.Segment, from, to wal.LSN) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		r, err := wal.NewReader(open, segments, wal.ReadOptions{Until: to})
		if err == nil && from != 0 {
			err = r.Seek(from)
		}
		if err != nil {
			yield(Entry{}, err)
			return
		}
		defer func() { _ = r.Close() }() // it was only read
		s := showing{decoder: decoder{borrow: true, skim: true, names: map[string]string{}}}
		for i := 1; ; i++ {
			rec, err := r.Next()
			if errors.Is(err, io.EOF) {
				return
			}
			if err == nil && i%1024 == 0 {
				err = context.Cause(ctx)
			}
			if err == nil {
				err = s.take(&rec)
			}
			if err != nil {
				yield(Entry{}, err)
				return
			}
			if !yield(s.entry, nil) {
				return
			}
		}
	}
}

// showing makes entries of records, in memory that it uses again.
type showing struct {
	decoder decoder
	entry   Entry
	units   []EntryUnit
}

func (s *showing) take(rec *wal.Record) error {
	s.decoder.rest, s.decoder.err = rec.Payload, nil
	r, err := s.decoder.record()
	if err != nil {
		return fmt.Errorf("log record at %s: %w", rec.LSN, err)
	}
	s.entry = Entry{
		LSN: rec.LSN, Prev: r.prev, Bytes: int64(rec.Next - rec.LSN), Kind: entryKinds[r.kind], Time: r.time,
		Unit: r.unit, XID: r.xid, Object: r.object, Ref: r.ref, Sequence: r.message.Sequence, Priority: r.message.Priority,
		Body: r.message.Body, Attributes: r.attrs, Begin: r.begin, Key: r.key, Value: r.value,
	}
	switch r.kind {
	case recDefine:
		s.entry.Object = uint64(rec.LSN)
	case recCheckpointPart:
		s.units = s.units[:0]
		for _, u := range r.table.units {
			s.units = append(s.units, EntryUnit{ID: u.id, XID: u.xid, First: u.first.LSN, Last: u.last, Prepared: u.prepared})
		}
		s.entry.Units = s.units
	}
	return nil
}
