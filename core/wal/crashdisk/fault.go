package crashdisk

import "errors"

// Kind is what an operation does.
type Kind string

// The kinds of operation that a fault is asked about.
const (
	Create   Kind = "create"
	Open     Kind = "open"
	Rename   Kind = "rename"
	Remove   Kind = "remove"
	SyncDir  Kind = "sync-dir"
	Read     Kind = "read"
	Write    Kind = "write"
	Truncate Kind = "truncate"
	Sync     Kind = "sync"
)

// Op is one operation.
type Op struct {
	Kind   Kind
	Name   string
	Offset int64 // of a read or write; the new length of a truncate
	Bytes  int   // of a read or write
}

// ErrNotDone makes a sync, of a file or a folder, say that it was done when it
// was not: a disk that lies.
var ErrNotDone = errors.New("not done")

// ErrPower makes an operation fail because the power does. It differs from any
// other error in a sync alone: what was written before is not forgotten, the
// crash that follows may keep any part of it.
var ErrPower = errors.New("the power has failed")

// FailAfter is a fault: so many operations that change something or make it
// durable are done, and all after them fail with the error.
func FailAfter(operations int, err error) func(Op) error {
	return func(op Op) error {
		if op.Kind == Open || op.Kind == Read {
			return nil
		}
		if operations--; operations < 0 {
			return err
		}
		return nil
	}
}

// Short makes a write take its first Bytes only and then fail with Err.
type Short struct {
	Bytes int
	Err   error
}

func (s *Short) Error() string { return s.Err.Error() }

// Unwrap gives Err.
func (s *Short) Unwrap() error { return s.Err }

// Fault has every operation asked about before it is done: an error is what
// it answers, instead of being done. Nil: no faults. The function is called
// with the disk locked and must not call it.
//
// After a sync that failed, the file looks as before, but what was not durable
// never will be unless it is written again: so does Linux, and a program that
// tries the sync again believes what is not so.
func (d *Disk) Fault(fault func(Op) error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.fault = fault
}
