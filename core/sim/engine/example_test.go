package engine_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/wal"
	"github.com/mqhk/mqhk/core/wal/crashdisk"
)

// library is the smallest platform there is: its segments are numbered, and
// its list is forgotten with it.
type library struct {
	disk *crashdisk.Disk
	list []wal.Segment
}

func (l *library) Now() time.Time { return time.Date(2026, 5, 28, 2, 0, 0, 0, time.UTC) }

func (l *library) Segments() []wal.Segment { return l.list }

func (l *library) Open(name string) (wal.Source, error) { return l.disk.Open(name) }

func (l *library) Next(context.Context) (wal.Layout, error) {
	if n := len(l.list); n == 0 || l.list[n-1].Start != 0 {
		l.list = append(l.list, wal.Segment{Name: fmt.Sprintf("log/S%07d.LOG", n)})
	}
	return wal.Layout{Name: l.list[len(l.list)-1].Name, Size: 64 << 10}, nil
}

func (l *library) Begun(s wal.Segment, _ uint64) error {
	l.list[len(l.list)-1] = s
	return nil
}

func (l *library) Checkpointed(m engine.Marks) { fmt.Println("restart mark", m.Restart.LSN) }

func (l *library) Imaged(object engine.Ref, m engine.Marks) {
	fmt.Println("image of", object, "media mark", m.Media.LSN)
}

// A queue manager that crashes, misses a segment, and starts again when it is
// back.
func Example() {
	ctx := context.Background()
	check := func(err error) {
		if err != nil {
			panic(err)
		}
	}
	d := crashdisk.New() // disk.At(folder) for a real one
	owner := &library{disk: d}
	opts := engine.Options{Disk: d, Folder: "qmgr"}

	e, err := engine.Create(ctx, owner, opts, wal.ID{1, 2, 3})
	check(err)
	check(e.Define(ctx, engine.Ref{Kind: engine.Queue, Name: "ORDERS"}, nil))
	u, err := e.Begin()
	check(err)
	_, err = u.Put(ctx, "ORDERS", engine.Message{Persistent: true, Body: []byte("an order")})
	check(err)
	check(u.Commit(ctx))
	d.Crash()

	segment, err := d.Contents("log/S0000000.LOG")
	check(err)
	check(d.Remove("log/S0000000.LOG"))
	_, _, err = engine.Start(ctx, owner, opts)
	var missing *engine.LogError
	if errors.As(err, &missing) && errors.Is(err, fs.ErrNotExist) {
		fmt.Println(missing.Purpose, "needs", missing.Segment, "from", missing.From.LSN)
	}

	d.Put("log/S0000000.LOG", segment)
	e, _, err = engine.Start(ctx, owner, opts)
	check(err)
	m, err := e.Get(ctx, "ORDERS")
	check(err)
	fmt.Printf("%s\n", m.Body)
	check(e.End(ctx))

	// Output:
	// restart mark 0000000000000010
	// restart needs log/S0000000.LOG from 0000000000000010
	// restart mark 00000000000000F0
	// an order
	// restart mark 0000000000000190
}
