package local

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/mqhk/mqhk/agent/connect"
)

// files is how the files beside a queue manager are reached.
type files interface {
	// read gives the content of a regular file of at most mostOutput bytes.
	read(ctx context.Context, path string) ([]byte, error)
	// list gives the entries of a folder as LOGDIR shows them.
	list(ctx context.Context, path string) ([]byte, error)
	// space gives the room in the file system of a path as SPACE shows it.
	space(ctx context.Context, path string) ([]byte, error)
	// open opens a folder of extents for changes.
	open(ctx context.Context, path string) (folder, error)
}

// folder is a folder of extents that is held open. It makes sure of the file,
// not of whether it may go.
type folder interface {
	// proven tells whether the log control file is there, beside or in the
	// folder, and whether the path still leads here.
	proven(ctx context.Context) error
	// remove unlinks a regular file with that fingerprint and one name.
	remove(ctx context.Context, name, fingerprint string) error
	// force makes durable what was removed.
	force(ctx context.Context) error
	// save opens an extent to be read whole. Reading fails where it changes
	// meanwhile.
	save(ctx context.Context, name string) (connect.Content, error)
	// restore makes a file of a copy of so many bytes, with size, owner and
	// mode of a neighbour; connect.ErrThere where it is there.
	restore(ctx context.Context, name, neighbour string, size int64, content io.Reader) error
	// discard takes away what a restore has left that was cut short.
	discard(ctx context.Context, name string) error
	// names gives all entries.
	names(ctx context.Context) ([]string, error)
	io.Closer
}

// part is the name of a file that is being restored, which MQ does not take for
// an extent.
func part(name string) string { return ".mqhk-restore-" + name }

// controlFile is the log control file. Releases and notes put it beside the
// folder of the extents or into it; both prove it (reference, Multiplatforms
// 1.4).
const controlFile = "amqhlctl.lfh"

// entry is a line of LOGDIR.
type entry struct {
	name        string
	bytes       int64
	modified    time.Time
	owner, mode string
}

// appendTo writes the line: name size mtime owner mode. What is not known is
// left out from there on.
func (e entry) appendTo(out []byte) []byte {
	if plainName(e.name) {
		out = append(out, e.name...)
	} else {
		out = strconv.AppendQuote(out, e.name)
	}
	out = strconv.AppendInt(append(out, ' '), e.bytes, 10)
	out = e.modified.UTC().AppendFormat(append(out, ' '), time.RFC3339Nano)
	if e.owner != "" && e.mode != "" {
		out = append(append(append(append(out, ' '), e.owner...), ' '), e.mode...)
	}
	return append(out, '\n')
}

// plainName tells whether a name stands in a line as it is.
func plainName(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(c rune) bool {
		return c <= ' ' || c > '~' || c == '"' || c == '\\' || c == '#'
	}) && !strings.HasPrefix(name, ">>>")
}

// room gives size and free bytes of a file system of so many blocks, of which
// some are unused and some of those free for users. As df reckons, those that
// are kept for root belong to neither: what is not free is used.
func room(block, blocks, unused, free uint64) (size, freeBytes uint64) {
	return (blocks - unused + free) * block, free * block
}

// spaceLines gives an answer to SPACE.
func spaceLines(size, free uint64) []byte { return fmt.Appendf(nil, "size %d\nfree %d\n", size, free) }

// whileLive reads until its context ends.
type whileLive struct {
	ctx  context.Context
	from io.Reader
}

func (w whileLive) Read(into []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	return w.from.Read(into)
}
