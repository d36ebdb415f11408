package wal

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"strconv"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/wal/disk"
)

// In a process that has this variable the test binary is the writer that is
// killed.
const killVariable = "MQHK_WAL_KILL_TEST"

func TestMain(m *testing.M) {
	if root := os.Getenv(killVariable); root != "" {
		err := commitForEver(disk.At(root))
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// listed gives the segments of a folder that were begun, oldest first.
func listed(d disk.FS) ([]Segment, error) {
	names, err := d.List("log")
	var chain []Segment
	for _, name := range names {
		s, err := Inspect(From(d), path.Join("log", name))
		if err != nil {
			return nil, err
		}
		if s.Start != 0 {
			chain = append(chain, s)
		}
	}
	return chain, err
}

// commitForEver goes on with a log, and says each number once it is durable.
func commitForEver(d disk.FS) error {
	if err := d.MkdirAll("log"); err != nil {
		return err
	}
	chain, err := listed(d)
	if err != nil {
		return err
	}
	var w *Writer
	number := 0
	if len(chain) == 0 {
		w, err = Create(d, layout(0, 16<<10, 0), testID, 0, Options{})
	} else {
		var got []entry
		var tail Tail
		if got, tail, err = read(d, chain, ReadOptions{ID: testID}); err == nil {
			number = len(got)
			w, err = Resume(d, tail, Options{})
		}
	}
	for made := len(chain); err == nil; {
		_, err = w.Commit(context.Background(), fmt.Appendf(nil, "%0300d", number))
		if errors.Is(err, ErrFull) {
			made++
			err = w.Rotate(context.Background(), layout(made+10, 16<<10, 0))
			continue
		}
		fmt.Println(number)
		number++
	}
	return err
}

// A writer that is killed at any moment loses nothing that it said was
// durable, and the next one goes on.
func TestKilledWriter(t *testing.T) {
	root := t.TempDir()
	rounds := 6
	if testing.Short() {
		rounds = 2
	}
	said := -1
	for round := range rounds {
		said = max(said, runAndKill(t, root, 20+37*round))
		d := disk.At(root)
		chain, err := listed(d)
		must(t, err)
		got, _, err := read(d, chain, ReadOptions{ID: testID})
		must(t, err)
		if len(got) <= said {
			t.Fatalf("%d records, but record %d was said to be durable", len(got), said)
		}
		for i, e := range got {
			if want := fmt.Sprintf("%0300d", i); string(e.payload) != want {
				t.Fatalf("record %d is %s", i, e.payload)
			}
		}
	}
}

// runAndKill gives the last number that the writer said.
func runAndKill(t *testing.T, root string, lines int) int {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), killVariable+"="+root)
	out, err := cmd.StdoutPipe()
	must(t, err)
	var complaint strings.Builder
	cmd.Stderr = &complaint
	must(t, cmd.Start())
	said := -1
	read := bufio.NewReader(out)
	for n := 0; ; n++ {
		line, err := read.ReadString('\n')
		if err != nil {
			if !errors.Is(err, io.EOF) {
				t.Fatal(err)
			}
			break
		}
		said, err = strconv.Atoi(strings.TrimSpace(line))
		must(t, err)
		if n == lines {
			must(t, cmd.Process.Kill())
		}
	}
	if err := cmd.Wait(); err == nil || complaint.Len() > 0 {
		t.Fatalf("the writer ended by itself: %v %s", err, complaint.String())
	}
	return said
}
