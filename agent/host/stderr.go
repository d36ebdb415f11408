package host

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"
)

// keptLines is how many of the last lines go into an error.
const keptLines = 20

// stderrLog takes the lines that a plugin writes outside its streams: to
// standard error, and to standard output after the handshake. It logs them
// and keeps the last ones for an error.
type stderrLog struct {
	handler slog.Handler // has the plugin's name
	stdout  func(string) // gets what comes from standard output too; nil: nobody does

	mu      sync.Mutex
	last    []string
	panic   string // the last line that began a panic; its stack may push it out of last
	limiter limiter
}

func newStderrLog(handler slog.Handler, plugin string, rate int) *stderrLog {
	return &stderrLog{
		handler: handler.WithAttrs([]slog.Attr{slog.String("plugin", plugin)}),
		limiter: limiter{now: time.Now, rate: rate},
	}
}

// line takes one line of any content.
func (s *stderrLog) line(text string) {
	shown := clean(text, maxLine)
	s.mu.Lock()
	if strings.HasPrefix(text, "panic") || strings.HasPrefix(text, "fatal error: ") {
		s.panic = shown
	}
	if len(s.last) == keptLines {
		s.last = slices.Delete(s.last, 0, 1)
	}
	s.last = append(s.last, shown)
	allowed, lost := s.limiter.allow(), 0
	if allowed {
		lost = s.limiter.lost()
	}
	s.mu.Unlock()
	if lost > 0 {
		s.log(droppedRecord(lost, s.limiter.rate))
	}
	if allowed {
		s.log(parseLine(text))
	}
}

// printed takes one line of standard output.
func (s *stderrLog) printed(text string) {
	s.line(text)
	if s.stdout != nil {
		s.stdout(clean(text, maxLine))
	}
}

// close tells of lines that were dropped at the end.
func (s *stderrLog) close() {
	s.mu.Lock()
	lost := s.limiter.lost()
	s.mu.Unlock()
	if lost > 0 {
		s.log(droppedRecord(lost, s.limiter.rate))
	}
}

// tail gives the last lines, a panic's first line before them.
func (s *stderrLog) tail() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.panic == "" || slices.Contains(s.last, s.panic) {
		return slices.Clone(s.last)
	}
	return append([]string{s.panic, "..."}, s.last...)
}

func (s *stderrLog) log(record slog.Record) {
	ctx := context.Background()
	if s.handler.Enabled(ctx, record.Level) {
		_ = s.handler.Handle(ctx, record)
	}
}

func droppedRecord(n, rate int) slog.Record {
	return slog.NewRecord(time.Now(), slog.LevelWarn, fmt.Sprintf("%d log records of the plugin were dropped: it writes more than %d a second", n, rate), 0)
}
