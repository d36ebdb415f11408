package wal_test

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/mqhk/mqhk/core/wal"
	"github.com/mqhk/mqhk/core/wal/crashdisk"
)

// A log of two segments, a crash, and a restart from a checkpoint in the second
// one.
func Example() {
	ctx := context.Background()
	d := crashdisk.New() // disk.At(folder) for a real one
	id := wal.ID{1, 2, 3}
	check := func(err error) {
		if err != nil {
			panic(err)
		}
	}

	w, err := wal.Create(d, wal.Layout{Name: "log/S0000000.LOG", Size: 64 << 10}, id, 0, wal.Options{})
	check(err)
	_, err = w.Commit(ctx, []byte("put 1"))
	check(err)

	next := wal.Layout{Name: "log/S0000001.LOG", Size: 64 << 10}
	check(wal.Prepare(d, next))
	list := []wal.Segment{{Name: "log/S0000000.LOG", Start: wal.First}, {Name: next.Name}}
	check(w.Rotate(ctx, next))
	list[1], _ = w.Current()

	checkpoint, err := w.Commit(ctx, []byte("checkpoint"))
	check(err)
	_, err = w.Commit(ctx, []byte("put 2"))
	check(err)
	_, err = w.Append([]byte("put 3, which nobody waited for"))
	check(err)
	d.Crash()

	open := func(name string) (wal.Source, error) {
		fmt.Println("opening", name)
		return d.Open(name)
	}
	r, err := wal.NewReader(open, list, wal.ReadOptions{ID: id, Durable: checkpoint})
	check(err)
	check(r.Seek(checkpoint))
	for {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		check(err)
		fmt.Printf("%s %s\n", rec.LSN, rec.Payload)
	}
	tail, _ := r.Tail()
	fmt.Println("end", tail.LSN, "torn", tail.Torn)
	w, err = wal.Resume(d, tail, wal.Options{})
	check(err)
	_, err = w.Commit(ctx, []byte("put 3"))
	check(err)
	check(w.Close())

	// Output:
	// opening log/S0000001.LOG
	// 0000000000000030 checkpoint
	// 0000000000000050 put 2
	// end 0000000000000070 torn false
}
