package qmgr

import (
	"fmt"
	"sync"

	"github.com/mqhk/mqhk/core/sim/multi/amqerr"
)

// Inserts are the variables of a message.
type Inserts = amqerr.Inserts

// errorLog is the queue manager's error log. It is opened when the first
// message is written, so that one who only looks makes no file.
type errorLog struct {
	manager *Manager
	mu      sync.Mutex
	writer  *amqerr.Writer
}

func (l *errorLog) open() (*amqerr.Writer, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.writer != nil {
		return l.writer, nil
	}
	m := l.manager
	w, err := amqerr.Open(m.disk(), m.path("errors"), amqerr.Settings{
		Release: m.level, JSON: m.conf().json, Size: m.conf().errorSize, NoSync: m.site.NoSync,
		Host: m.site.Host, Installation: m.site.Installation, InstallationPath: m.site.installationPath(),
		QueueManager: m.name,
	})
	if err == nil {
		l.writer = w
	}
	return w, err
}

// forget has the log opened anew: qm.ini may say something else now.
func (l *errorLog) forget() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.writer = nil
}

// tell writes a message in the queue manager's error log. It doesn't ask the
// engine, so it may be called with that locked.
func (m *Manager) tell(id string, inserts Inserts) error {
	w, err := m.errlog.open()
	if err == nil {
		err = w.Write(amqerr.Message{ID: id, At: m.site.Now(), Inserts: inserts, Process: m.process(0)})
	}
	if err != nil {
		return fmt.Errorf("queue manager %s: %w", m.name, err)
	}
	return nil
}
