package local

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"

	"github.com/mqhk/mqhk/core/observe"
)

// native looks at the files of this machine.
type native struct{}

// waiting has something done that can't be told to stop: a file system that does
// not answer holds it, and not who asked.
func waiting(ctx context.Context, do func() ([]byte, error)) ([]byte, error) {
	type result struct {
		body []byte
		err  error
	}
	done := make(chan result, 1)
	go func() {
		body, err := do()
		done <- result{body, err}
	}()
	select {
	case r := <-done:
		return r.body, r.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (native) read(ctx context.Context, path string) ([]byte, error) {
	return waiting(ctx, func() ([]byte, error) { return readRegular(path) })
}

// readRegular reads a file through one handle, so that an error log that is
// renamed meanwhile is still read to its end.
func readRegular(path string) (_ []byte, err error) {
	f, err := os.OpenFile(path, os.O_RDONLY|withoutWaiting, 0)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no regular file", path)
	case info.Size() > mostOutput:
		return nil, fmt.Errorf("%s has %d bytes, more than %d MiB", path, info.Size(), mostOutput>>20)
	}
	body, err := io.ReadAll(io.LimitReader(f, mostOutput+1))
	if err == nil && len(body) > mostOutput {
		err = fmt.Errorf("%s has more than %d MiB", path, mostOutput>>20)
	}
	return body, err
}

func (native) list(ctx context.Context, path string) ([]byte, error) {
	return waiting(ctx, func() ([]byte, error) { return listFolder(ctx, path) })
}

// listFolder shows a folder through one handle. What vanishes while it is listed
// is left out; a link is shown as a link.
func listFolder(ctx context.Context, path string) (_ []byte, err error) {
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	names, err := namesIn(root)
	if err != nil {
		return nil, err
	}
	owners := owners{}
	out := make([]byte, 0, 64*len(names))
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		info, err := root.Lstat(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		e := entry{name: name, bytes: info.Size(), modified: info.ModTime(), mode: modeText(info.Mode())}
		e.owner = owners.of(info)
		out = e.appendTo(out)
	}
	return out, nil
}

func namesIn(root *os.Root) (_ []string, err error) {
	dir, err := root.Open(".")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, dir.Close()) }()
	return dir.Readdirnames(-1)
}

func (native) space(ctx context.Context, path string) ([]byte, error) {
	return waiting(ctx, func() ([]byte, error) {
		size, free, err := roomIn(path)
		if err != nil {
			return nil, &fs.PathError{Op: "statfs", Path: path, Err: err}
		}
		return spaceLines(size, free), nil
	})
}

// modeText shows a mode as ls does: drwxrws---.
func modeText(mode fs.FileMode) string {
	text := []byte("-rwxrwxrwx")
	for bit := range 9 {
		if mode&(1<<(8-bit)) == 0 {
			text[bit+1] = '-'
		}
	}
	switch {
	case mode&fs.ModeDir != 0:
		text[0] = 'd'
	case mode&fs.ModeSymlink != 0:
		text[0] = 'l'
	case mode&fs.ModeNamedPipe != 0:
		text[0] = 'p'
	case mode&fs.ModeSocket != 0:
		text[0] = 's'
	case mode&fs.ModeCharDevice != 0:
		text[0] = 'c'
	case mode&fs.ModeDevice != 0:
		text[0] = 'b'
	}
	special := func(bit fs.FileMode, at int, with, without byte) {
		if mode&bit == 0 {
			return
		}
		if text[at] == 'x' {
			text[at] = with
		} else {
			text[at] = without
		}
	}
	special(fs.ModeSetuid, 3, 's', 'S')
	special(fs.ModeSetgid, 6, 's', 'S')
	special(fs.ModeSticky, 9, 't', 'T')
	return string(text)
}

// fingerprintOf is what observe makes of the line of a file.
func fingerprintOf(info fs.FileInfo) string {
	return observe.Extent{Bytes: info.Size(), Modified: info.ModTime()}.Fingerprint()
}

// number gives a user or group without a name.
func number(id uint32) string { return strconv.FormatUint(uint64(id), 10) }
