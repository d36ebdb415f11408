package host

import (
	"bytes"
	"sync"
)

// lineWriter cuts a stream of bytes into lines and hands each to emit. Of a
// line it keeps maxLine bytes; the rest of it is dropped as it comes, so that
// a plugin that writes without end takes no memory. Safe for concurrent use.
type lineWriter struct {
	emit func(line string)

	mu   sync.Mutex
	line []byte
	cut  bool
}

// Write never fails.
func (w *lineWriter) Write(data []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := len(data)
	for {
		head, rest, found := bytes.Cut(data, []byte{'\n'})
		w.keep(head)
		if !found {
			return n, nil
		}
		w.end()
		data = rest
	}
}

// Close ends a line that was not ended. It never fails.
func (w *lineWriter) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.line) > 0 {
		w.end()
	}
	return nil
}

func (w *lineWriter) keep(part []byte) {
	room := maxLine - len(w.line)
	if len(part) > room {
		part, w.cut = part[:room], true
	}
	w.line = append(w.line, part...)
}

func (w *lineWriter) end() {
	line := string(bytes.TrimSuffix(w.line, []byte{'\r'}))
	if w.cut {
		line += "..."
	}
	w.line, w.cut = w.line[:0], false
	w.emit(line)
}
