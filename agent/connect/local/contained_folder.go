package local

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/core/observe"
)

// The scripts that change a folder in a container. $1 is the folder, $2 the
// extent; each leaves with one of the codes below. One process of the
// container looks and acts, so that nothing lies between but the look.
const (
	codeNotProven = 61
	codeChanged   = 62
	codeThere     = 63

	enter = `cd -- "$1" || exit 61; `

	proveScript = enter + `test -f "` + controlFile + `" || test -f "$1/../` + controlFile + `" || test -f "../` + controlFile + `" || exit 61`

	removeScript = enter + `found=$(stat -c '%F|%h|%s|%.9Y' -- "$2") || exit 1
test "$found" = "$3" || { printf '%s\n' "$2 is $found, and $3 was judged" >&2; exit 62; }
exec unlink "$2"`

	forceScript = enter + `exec sync .`

	lookScript = enter + `exec stat -c '%F|%s|%i|%.9Y' -- "$2"`

	readScript = enter + `exec cat -- "$2"`

	discardScript = enter + `test ! -e "$2" && exit 0; test -f "$2" && exec rm -- "$2"; exit 62`

	// $3 is the part, $4 a neighbour, $5 the size that both must have.
	restoreScript = enter + `test -e "$2" && exit 63
test "$(stat -c '%F %s' -- "$4")" = "regular file $5" || { echo "its neighbour $4 has another size" >&2; exit 62; }
set -C; umask 077
cat > "$3" || exit 1
test "$(stat -c %s -- "$3")" = "$5" || { echo "the content has not the $5 bytes of its neighbours" >&2; exit 62; }
{ test "$(stat -c %u:%g -- "$3")" = "$(stat -c %u:%g -- "$4")" || chown --reference="$4" -- "$3"; } && chmod --reference="$4" -- "$3" && sync "$3" || exit 1
ln -- "$3" "$2" || { test -e "$2" && exit 63; exit 1; }
rm -- "$3" && sync .`
)

// distant is a folder in a container.
type distant struct {
	contained
	path string
}

func (c contained) open(_ context.Context, path string) (folder, error) {
	return &distant{c, path}, nil
}

// Close has nothing to close.
func (*distant) Close() error { return nil }

// script runs one of the scripts in the folder.
func (d *distant) script(ctx context.Context, text string, input io.Reader, parameters ...string) (ended, error) {
	argv := append([]string{"sh", "-c", text, "sh", d.path}, parameters...)
	result, err := d.run(ctx, argv, input)
	if err != nil || result.code == 0 {
		return result, err
	}
	why := programFailed(result)
	switch result.code {
	case codeNotProven:
		return result, fmt.Errorf("%w: there is no %s beside or in %s: %w", ErrNotProven, controlFile, d.path, why)
	case codeChanged:
		return result, fmt.Errorf("%w: %w", ErrChanged, why)
	case codeThere:
		return result, fmt.Errorf("%w: %w", connect.ErrThere, why)
	}
	return result, why
}

func (d *distant) proven(ctx context.Context) error {
	_, err := d.script(ctx, proveScript, nil)
	return err
}

func (d *distant) names(ctx context.Context) ([]string, error) {
	listed, err := d.output(ctx, "ls", "-AU", "--quoting-style=c", "--", strings.TrimRight(d.path, "/")+"/")
	if err != nil {
		return nil, err
	}
	var names []string
	for line := range strings.Lines(string(listed)) {
		name, err := strconv.Unquote(strings.TrimSuffix(line, "\n"))
		if err != nil {
			return nil, fmt.Errorf("it is not what ls prints (GNU coreutils): %q", line)
		}
		names = append(names, name)
	}
	return names, nil
}

// fingerprint is how [observe.Extent.Fingerprint] writes size and time.
var fingerprint = regexp.MustCompile(`^bytes=([0-9]+) modified=(\S+)$`)

// statOf gives what stat prints of a file with that fingerprint.
func statOf(text string) (string, error) {
	found := fingerprint.FindStringSubmatch(text)
	if found == nil {
		return "", fmt.Errorf("%w: %q was judged, which does not say when it was changed", ErrChanged, text)
	}
	modified, err := time.Parse(time.RFC3339Nano, found[2])
	if err != nil {
		return "", fmt.Errorf("%w: %q was judged: %w", ErrChanged, text, err)
	}
	kind := "regular file"
	if found[1] == "0" {
		kind = "regular empty file"
	}
	return fmt.Sprintf("%s|1|%s|%d.%09d", kind, found[1], modified.Unix(), modified.Nanosecond()), nil
}

func (d *distant) remove(ctx context.Context, name, fingerprint string) error {
	want, err := statOf(fingerprint)
	if err == nil {
		_, err = d.script(ctx, removeScript, nil, name, want)
	}
	return err
}

func (d *distant) force(ctx context.Context) error {
	_, err := d.script(ctx, forceScript, nil)
	return err
}

func (d *distant) discard(ctx context.Context, name string) error {
	_, err := d.script(ctx, discardScript, nil, part(name))
	return err
}

func (d *distant) restore(ctx context.Context, name, neighbour string, size int64, content io.Reader) error {
	if err := d.discard(ctx, name); err != nil {
		return err
	}
	read := &proofread{from: io.LimitReader(content, size+1)}
	_, err := d.script(ctx, restoreScript, read, name, part(name), neighbour, strconv.FormatInt(size, 10))
	if err != nil {
		err = errors.Join(read.failed(), err, d.discard(context.WithoutCancel(ctx), name))
	}
	return err
}

// proofread gives what is read one piece late, so that the last piece comes only
// once the source has ended well: a process at the other end takes the end of
// its input for the end of the content, whatever the reason.
type proofread struct {
	from  io.Reader
	ready []byte // may be given
	next  []byte // waits for what the source says next
	err   error  // what the source said; nil: it goes on
}

func (p *proofread) Read(b []byte) (int, error) {
	for len(p.ready) == 0 {
		if p.err != nil {
			return 0, p.err
		}
		piece := make([]byte, 32<<10)
		n, err := p.from.Read(piece)
		if n > 0 {
			p.ready, p.next = p.next, piece[:n]
		}
		if p.err = err; errors.Is(err, io.EOF) {
			p.ready, p.next = append(p.ready, p.next...), nil
		}
	}
	n := copy(b, p.ready)
	p.ready = p.ready[n:]
	return n, nil
}

// failed gives why the source did not end well.
func (p *proofread) failed() error {
	if errors.Is(p.err, io.EOF) {
		return nil
	}
	return p.err
}

// save looks, reads and looks again.
func (d *distant) save(ctx context.Context, name string) (connect.Content, error) {
	before, err := d.script(ctx, lookScript, nil, name)
	if err != nil {
		return connect.Content{}, err
	}
	words := strings.Split(string(before.output), "|")
	if len(words) != 4 || words[0] != "regular file" {
		return connect.Content{}, fmt.Errorf("%w: %s is %q", ErrChanged, name, before.output)
	}
	size, err := strconv.ParseInt(words[1], 10, 64)
	modified, unread := parseSeconds(strings.TrimSpace(words[3]))
	if err = errors.Join(err, unread); err != nil {
		return connect.Content{}, fmt.Errorf("%w: %s is %q", ErrChanged, name, before.output)
	}
	stream, err := d.start(ctx, []string{"sh", "-c", readScript, "sh", d.path, name})
	if err != nil {
		return connect.Content{}, err
	}
	stream.last = func() error {
		after, err := d.script(ctx, lookScript, nil, name)
		if err == nil && (!bytes.Equal(after.output, before.output) || stream.bytes != size) {
			err = fmt.Errorf("%w: %s changed while it was read: %d bytes of %q, then %q", ErrChanged, name, stream.bytes, before.output, after.output)
		}
		return err
	}
	content := struct {
		io.Reader
		io.Closer
	}{whileLive{ctx, stream}, stream}
	judged := observe.Extent{Bytes: size, Modified: modified}.Fingerprint()
	return connect.Content{ReadCloser: content, Bytes: size, Origin: d.path + "/" + name, Fingerprint: judged}, nil
}
