package local

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// contained looks at files through commands of the container that the prefix
// leads into. Paths are words of an argument list; where a shell is needed they
// are its positional parameters, so that nothing has to be quoted.
type contained struct{ *machine }

// output runs a command that has to succeed.
func (c contained) output(ctx context.Context, argv ...string) ([]byte, error) {
	result, err := c.run(ctx, argv, nil)
	if err == nil && result.code != 0 {
		err = programFailed(result)
	}
	return result.output, err
}

func (c contained) read(ctx context.Context, path string) ([]byte, error) {
	return c.output(ctx, "sh", "-c", `test -f "$1" && exec cat -- "$1" || { test -e "$1" && echo "$1: no regular file" >&2 || ls -- "$1"; exit 1; }`, "sh", path)
}

func (c contained) list(ctx context.Context, path string) ([]byte, error) {
	listed, err := c.output(ctx, "ls", "-lAU", "--quoting-style=c", "--time-style=+%s.%N", "--", strings.TrimRight(path, "/")+"/")
	if err != nil {
		return nil, err
	}
	out := make([]byte, 0, len(listed))
	for line := range bytes.Lines(listed) {
		e, ok, err := parseListed(strings.TrimSuffix(string(line), "\n"))
		if err != nil {
			return nil, err
		}
		if ok {
			out = e.appendTo(out)
		}
	}
	return out, nil
}

// parseListed reads a line of ls -l with names quoted as in C and times as
// seconds. The line with the total is none, nor are devices, which have no size.
func parseListed(line string) (entry, bool, error) {
	if strings.HasPrefix(line, "total ") || strings.HasPrefix(line, "b") || strings.HasPrefix(line, "c") {
		return entry{}, false, nil
	}
	bad := func() (entry, bool, error) {
		return entry{}, false, fmt.Errorf("it is not what ls prints (GNU coreutils): %q", line)
	}
	front, _, found := strings.Cut(line, `"`)
	words := strings.Fields(front)
	if !found || len(words) != 6 || len(words[0]) < len("-rwxrwxrwx") {
		return bad()
	}
	quoted, err := strconv.QuotedPrefix(line[len(front):])
	if err != nil {
		return bad()
	}
	name, err := strconv.Unquote(quoted)
	if err != nil {
		return bad()
	}
	size, err := strconv.ParseInt(words[4], 10, 64)
	if err != nil || size < 0 {
		return bad()
	}
	modified, err := parseSeconds(words[5])
	if err != nil {
		return bad()
	}
	return entry{name, size, modified, words[2] + ":" + words[3], words[0][:len("-rwxrwxrwx")]}, true, nil
}

// parseSeconds reads seconds since 1970 with nine digits of a fraction.
func parseSeconds(text string) (time.Time, error) {
	whole, fraction, _ := strings.Cut(text, ".")
	seconds, err := strconv.ParseInt(whole, 10, 64)
	if err != nil || len(fraction) != 9 {
		return time.Time{}, fmt.Errorf("%q are no seconds with nine digits of a fraction", text)
	}
	nano, err := strconv.ParseUint(fraction, 10, 32)
	return time.Unix(seconds, int64(nano)), err
}

func (c contained) space(ctx context.Context, path string) ([]byte, error) {
	shown, err := c.output(ctx, "stat", "-f", "-c", "%S %b %f %a", "--", path)
	if err != nil {
		return nil, err
	}
	var block, blocks, unused, free uint64
	if n, err := fmt.Sscanf(string(shown), "%d %d %d %d\n", &block, &blocks, &unused, &free); n != 4 || err != nil || unused > blocks {
		return nil, fmt.Errorf("it is not what stat -f prints (GNU coreutils): %q", shown)
	}
	return spaceLines(room(block, blocks, unused, free)), nil
}
