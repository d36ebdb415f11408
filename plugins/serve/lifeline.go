package serve

import (
	"fmt"
	"io"
	"os"
	"strconv"
)

// watchLifeline calls exit when the host is gone, however it went: kill -9
// sends no signal to a child (go-plugin #10). Without a lifeline there is
// nothing to watch.
func watchLifeline(where string, exit func(code int)) error {
	line, err := openLifeline(where)
	if line == nil || err != nil {
		return err
	}
	go func() {
		// Nobody writes: whatever ends the read means that the host ended.
		_, _ = io.Copy(io.Discard, line)
		exit(1)
	}()
	return nil
}

func openLifeline(where string) (*os.File, error) {
	switch where {
	case "":
		return nil, nil
	case "stdin":
		return os.Stdin, nil
	}
	fd, err := strconv.ParseUint(where, 10, 31)
	if err != nil {
		return nil, fmt.Errorf("reading %s=%q: %w", EnvLifeline, where, err)
	}
	closeOnExec(uintptr(fd))
	file := os.NewFile(uintptr(fd), "lifeline")
	if file == nil {
		return nil, fmt.Errorf("%s=%q is no file descriptor", EnvLifeline, where)
	}
	return file, nil
}
