package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/mqhk/mqhk/core/wal/crashdisk"
)

// quiet makes sure that nothing is left in the engine.
func quiet(t *testing.T) {
	t.Helper()
	if a, b, c := len(engine.turns), len(engine.workers), len(engine.frames); a+b+c != 0 {
		t.Errorf("%d turns, %d workers and %d frames are taken", a, b, c)
	}
}

// countingSource counts how many of its kind have begun and not ended.
type countingSource struct {
	io.Reader
	open, most *atomic.Int64
	begun      bool
}

func (s *countingSource) Read(b []byte) (int, error) {
	if !s.begun {
		s.begun = true
		if now := s.open.Add(1); now > s.most.Load() {
			s.most.Store(now) // near enough: it only ever grows
		}
	}
	n, err := s.Reader.Read(b)
	if err != nil {
		s.open.Add(-1)
	}
	return n, err
}

// All segments of a log may be put at once: so many are kept at a time, and all
// are there in the end.
func TestManyPutsAtOnce(t *testing.T) {
	d := newStore(t, compressing)
	framed(d, 64<<10)
	var open, most atomic.Int64
	var wait sync.WaitGroup
	const extents = 40
	for i := range extents {
		wait.Go(func() {
			content := someBytes(uint64(i), 300_000)
			from := &countingSource{Reader: bytes.NewReader(content), open: &open, most: &most}
			if _, err := d.Put(t.Context(), extent(fmt.Sprintf("S%07d.LOG", i)), Facts{Bytes: 300_000, Log: "."}, from); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if most.Load() > Concurrent {
		t.Errorf("%d were read at a time", most.Load())
	}
	copies, problems := listed(d, "ORDERS")
	if len(copies) != extents || len(problems) != 0 {
		t.Errorf("%d copies, %v", len(copies), problems)
	}
	for _, c := range copies {
		if err := d.Verify(t.Context(), c); err != nil {
			t.Error(err)
		}
	}
	quiet(t)
}

// Sources that stand still keep their turns and one frame each: what else goes
// through the engine goes on.
func TestSourcesThatStandStill(t *testing.T) {
	d := newStore(t, compressing)
	content := someBytes(1, 3*frameBytes)
	c := put(t, d, extent("S0000000.LOG"), Facts{}, content)
	var wait sync.WaitGroup
	reading := make(chan struct{})
	stalled := make(chan struct{})
	for i := range Concurrent - 1 {
		wait.Go(func() {
			told := false
			still := readerFunc(func(b []byte) (int, error) {
				if !told {
					told = true
					reading <- struct{}{}
				}
				<-stalled
				return 0, errors.New("it stood still")
			})
			from := io.MultiReader(bytes.NewReader(content[:frameBytes+1]), still)
			if _, err := d.Put(t.Context(), extent(fmt.Sprintf("S000001%d.LOG", i)), Facts{}, from); err == nil {
				t.Error("kept")
			}
		})
	}
	for range Concurrent - 1 {
		<-reading
	}
	put(t, d, extent("S0000001.LOG"), Facts{}, content)
	if err := d.Verify(t.Context(), c); err != nil {
		t.Error(err)
	}
	close(stalled)
	wait.Wait()
	quiet(t)
}

// A content that ends early leaves nothing of it in the engine: its source
// breaks, its disk is full, its context ends.
func TestEngineAfterFailures(t *testing.T) {
	content, broken := someBytes(2, 20<<10), errors.New("broken")
	for name, test := range map[string]struct {
		limit int64 // of the disk
		then  func(end context.CancelFunc) error
		want  error
	}{
		"a source that breaks": {0, func(context.CancelFunc) error { return broken }, broken},
		"a full disk":          {5 << 10, func(context.CancelFunc) error { return io.EOF }, syscall.ENOSPC},
		"a context that ends":  {0, func(end context.CancelFunc) error { end(); return nil }, context.Canceled},
	} {
		files := crashdisk.New()
		files.Limit(test.limit)
		ctx, end := context.WithCancel(t.Context())
		from := io.MultiReader(bytes.NewReader(content), readerFunc(func([]byte) (int, error) { return 0, test.then(end) }))
		d := onDisk(files, true)
		_, err := d.Put(ctx, extent("S0000007.LOG"), Facts{}, from)
		if !errors.Is(err, test.want) {
			t.Errorf("%s: %v", name, err)
		}
		if copies, problems := listed(d, "ORDERS"); len(copies)+len(problems) != 0 {
			t.Errorf("%s: listed %+v, %v", name, copies, problems)
		}
		quiet(t)
		end()
	}
}

const memoryWord = "memory-for-test"

// hoarder is a process that archives segments and prints the most memory that
// it had: PATH.
func hoarder(arguments []string) int {
	d, err := NewDirectory(Settings{Name: "vault", Path: arguments[0], SameFilesystem: true, Compress: true})
	if err != nil {
		return 1
	}
	page := make([]byte, 1<<20) // that nothing compresses: the most that a frame takes
	chance := rand.New(rand.NewPCG(3, 3))
	for i := range page {
		page[i] = byte(chance.Uint32())
	}
	var wait sync.WaitGroup
	var failed atomic.Bool
	for i := range 24 {
		wait.Go(func() {
			var parts []io.Reader
			for range 8 {
				parts = append(parts, bytes.NewReader(page))
			}
			_, err := d.Put(context.Background(), extent(fmt.Sprintf("S%07d.LOG", i)), Facts{Log: "."}, io.MultiReader(parts...))
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
				failed.Store(true)
			}
		})
	}
	wait.Wait()
	if failed.Load() {
		return 1
	}
	fmt.Println(peakMemory())
	return 0
}

// The memory of the sequence is bounded, however many segments are put at once.
func TestMemoryIsBounded(t *testing.T) {
	if testing.Short() || runtime.GOOS != "linux" || underRace() {
		t.Skip("it takes a process of its own, as it is shipped, and what Linux tells of it")
	}
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	said, err := exec.CommandContext(t.Context(), binary, memoryWord, filepath.Join(t.TempDir(), "vault")).Output()
	if err != nil {
		t.Fatal(err)
	}
	peak, err := strconv.Atoi(strings.TrimSpace(string(said)))
	if err != nil || peak == 0 || peak > 128e6 {
		t.Errorf("%d bytes, %v", peak, err)
	}
}

func underRace() bool {
	info, _ := debug.ReadBuildInfo()
	for _, s := range info.Settings {
		if s.Key == "-race" {
			return s.Value == "true"
		}
	}
	return false
}
