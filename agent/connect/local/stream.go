package local

import (
	"context"
	"errors"
	"io"
	"os/exec"

	"github.com/mqhk/mqhk/internal/group"
)

// stream is the output of a command that is read while it runs.
type stream struct {
	output io.Reader
	said   *bounded
	cmd    *exec.Cmd
	cancel context.CancelFunc
	last   func() error // what is looked at when all was read; an error of it ends the reading
	bytes  int64
	ended  error // what the last read gave; nil: the command may run
}

// start starts a command to read its output.
func (m *machine) start(ctx context.Context, argv []string) (*stream, error) {
	limited, cancel := context.WithCancel(ctx)
	cmd, err := m.command(limited, argv)
	if err != nil {
		cancel()
		return nil, err
	}
	s := &stream{said: &bounded{most: mostSaid}, cmd: cmd, cancel: cancel}
	cmd.Stderr = s.said
	output, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		cancel()
		return nil, &notRun{err}
	}
	s.output = output
	return s, nil
}

// Read gives the output. It ends when the command ended well and nothing changed
// meanwhile.
func (s *stream) Read(b []byte) (int, error) {
	if s.ended != nil {
		return 0, s.ended
	}
	n, err := s.output.Read(b)
	s.bytes += int64(n)
	if err == nil {
		return n, nil
	}
	s.ended = err
	if why := s.wait(); why != nil {
		s.ended = why
	} else if errors.Is(err, io.EOF) && s.last != nil {
		if why := s.last(); why != nil {
			s.ended = why
		}
	}
	return n, s.ended
}

func (s *stream) wait() error {
	err := s.cmd.Wait()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.Exited() {
		return programFailed(ended{said: s.said.kept.Bytes(), code: exit.ExitCode()})
	}
	return err
}

// Close ends the command when its output was not read to the end.
func (s *stream) Close() error {
	s.cancel()
	if s.ended == nil {
		s.ended = errors.New("the output of the command was closed")
		_ = s.cmd.Wait() // it was ended just now, which is no news
		group.Kill(s.cmd)
	}
	return nil
}
