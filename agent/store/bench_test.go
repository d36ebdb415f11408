package store

import (
	"context"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"hash"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/wal/disk"
)

var corpusMiB = flag.Int("archive-mib", 256, "BenchmarkArchive: how much is archived, in MiB")

const (
	corpusFile = 64 << 20
	rounds     = 5 // of each side, by turns; the medians are reported
)

// BenchmarkArchive archives log-like files in the safe sequence, and has the
// commands of a shell do the same:
//
//	go test ./agent/store -run xxx -bench Archive -benchtime 1x -archive-mib 2048
//
// It reports the medians in seconds, how many times faster the store is
// (x-faster), how much longer compression alone takes than with zstd -T2 -3
// (x-zstd), and the highest memory of the process.
func BenchmarkArchive(b *testing.B) {
	dir := b.TempDir()
	files := corpus(b, dir, max(1, *corpusMiB<<20/corpusFile))
	_, err := exec.LookPath("zstd")
	shell := err == nil
	times := map[string][]time.Duration{}
	var peak int64
	for b.Loop() {
		for range rounds {
			took(b, times, "store", func() error { return archive(b, filepath.Join(dir, "vault"), files) })
			peak = max(peak, peakMemory())
			took(b, times, "compress", func() error { return compress(filepath.Join(dir, "out"), files) })
			if shell {
				took(b, times, "shell", func() error { return safeSequence(filepath.Join(dir, "shell"), files) })
				took(b, times, "zstd", func() error { return zstdAlone(filepath.Join(dir, "zstd"), files) })
			}
		}
	}
	b.ReportMetric(0, "ns/op") // of both sides and the waiting between: says nothing
	for name, all := range times {
		b.ReportMetric(median(all).Seconds(), name+"-s")
	}
	b.ReportMetric(float64(peak)/1e6, "MB-peak")
	if shell {
		b.ReportMetric(median(times["shell"]).Seconds()/median(times["store"]).Seconds(), "x-faster")
		b.ReportMetric(median(times["compress"]).Seconds()/median(times["zstd"]).Seconds(), "x-zstd")
	}
}

// took times one side, on a disk that has nothing left to write.
func took(b *testing.B, times map[string][]time.Duration, name string, do func() error) {
	b.Helper()
	if err := exec.Command("sync").Run(); err != nil {
		b.Skip("there is no sync")
	}
	debug.FreeOSMemory()
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) // what the peak counts from; Linux
	began := time.Now()
	if err := do(); err != nil {
		b.Fatal(err)
	}
	times[name] = append(times[name], time.Since(began))
}

func median(all []time.Duration) time.Duration {
	all = slices.Sorted(slices.Values(all))
	return all[len(all)/2]
}

// peakMemory gives the highest resident memory of the process; 0: not known.
func peakMemory() int64 {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, after, _ := strings.Cut(string(text), "VmHWM:")
	fields := strings.Fields(after)
	if len(fields) == 0 {
		return 0
	}
	kib, _ := strconv.ParseInt(fields[0], 10, 64)
	return kib << 10
}

// archive is what a run does with extents: all at once, as the store lets it.
func archive(b *testing.B, vault string, files []string) error {
	b.Helper()
	d, err := NewDirectory(Settings{Name: "vault", Path: vault, SameFilesystem: true, Compress: true, FullSpeed: true})
	if err != nil {
		return err
	}
	failed := make([]error, len(files))
	var wait sync.WaitGroup
	for i, path := range files {
		wait.Go(func() {
			f, err := os.Open(path)
			if err == nil {
				_, err = d.Put(b.Context(), extent(filepath.Base(path)), Facts{Bytes: corpusFile, Log: path}, f)
				err = errors.Join(err, f.Close())
			}
			failed[i] = err
		})
	}
	wait.Wait()
	return errors.Join(append(failed, os.RemoveAll(vault))...)
}

// compress is compression alone, one file after the other as zstd does it.
func compress(out string, files []string) error {
	for _, path := range files {
		from, err := os.Open(path)
		if err != nil {
			return err
		}
		to, err := disk.At(filepath.Dir(out)).Create(filepath.Base(out))
		if err != nil {
			return err
		}
		w := &frameWriter{to: &fileWriter{file: to}, sum: counted{hash: noHash{}}}
		err = w.copy(context.Background(), frameBytes, false, from)
		if err := errors.Join(err, from.Close(), to.Close(), os.Remove(out)); err != nil {
			return err
		}
	}
	return nil
}

type noHash struct{ hash.Hash }

func (noHash) Write(b []byte) (int, error) { return len(b), nil }

// safeSequence is what a careful script does.
func safeSequence(out string, files []string) error {
	return sh(`set -e; out=$1; shift; mkdir "$out"
sha256sum "$@" | cut -c1-64 >"$out/before"
zstd -q -T2 -3 --output-dir-flat "$out" "$@"
sync
for f; do zstd -q -dc "$out/${f##*/}.zst" | sha256sum; done | cut -c1-64 >"$out/after"
cmp "$out/before" "$out/after"; rm -r "$out"`, out, files)
}

func zstdAlone(out string, files []string) error {
	return sh(`set -e; out=$1; shift; for f; do zstd -q -T2 -3 -o "$out" "$f"; rm "$out"; done`, out, files)
}

func sh(script, out string, files []string) error {
	text, err := exec.Command("sh", append([]string{"-c", script, "sh", out}, files...)...).CombinedOutput() //nolint:gosec // a test's own
	if err != nil {
		return fmt.Errorf("%w: %s", err, text)
	}
	return nil
}

// corpus writes files that are like log extents: half of each is records with
// bodies of text, a fifth can't be compressed, and the rest was never written.
func corpus(b *testing.B, dir string, count int) []string {
	b.Helper()
	content := make([]byte, corpusFile)
	files := make([]string, count)
	for i := range files {
		files[i] = filepath.Join(dir, fmt.Sprintf("S%07d.LOG", i))
		extentLike(rand.New(rand.NewPCG(uint64(i), 16)), content)
		if err := os.WriteFile(files[i], content, 0o600); err != nil {
			b.Fatal(err)
		}
	}
	return files
}

func extentLike(r *rand.Rand, content []byte) {
	text, noise := len(content)/2, len(content)/2+len(content)/5
	words := make([]string, 2000)
	for i := range words {
		word := make([]byte, 2+r.IntN(9))
		for j := range word {
			word[j] = "eeeeaaatttooinnsshhrrdlucmfwypvbgk"[r.IntN(34)]
		}
		words[i] = string(word)
	}
	common := rand.NewZipf(r, 1.1, 4, uint64(len(words)-1))
	for at, number := 0, uint64(0); at < text; number++ {
		var record []byte
		record = binary.BigEndian.AppendUint32(record, 0x484c5248) // an eyecatcher, as a log record has
		record = binary.BigEndian.AppendUint64(record, number*737)
		record = binary.BigEndian.AppendUint64(record, r.Uint64()) // ids have no pattern
		record = append(record, "AMQ ORDERS          PAYMENTS.IN "...)
		for range 20 + r.IntN(120) {
			record = append(append(record, words[common.Uint64()]...), ' ')
		}
		at += copy(content[at:text], record)
	}
	for at := text; at+8 <= noise; at += 8 {
		binary.LittleEndian.PutUint64(content[at:], r.Uint64())
	}
	clear(content[noise:])
}
