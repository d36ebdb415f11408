package qmgr

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/mqhk/mqhk/core/mqini"
	"github.com/mqhk/mqhk/core/sim/multi/amqerr"
)

// Inserts are the variables of a message.
type Inserts = amqerr.Inserts

// errorLog writes the messages of the queue manager: in its error log, which
// can't be turned off, and by the services that DiagnosticMessages stanzas add
// (reference, Multiplatforms 2.3). It is opened when the first message is
// written, so that one who only looks makes no file.
type errorLog struct {
	manager  *Manager
	mu       sync.Mutex
	services []*service // nil: not open
}

// service writes what its stanza lets through.
type service struct {
	mqini.MessageService

	writer *amqerr.Writer
	last   map[string]time.Time // of messages that are written once in an interval
}

func (l *errorLog) write(msg amqerr.Message) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.open(); err != nil {
		return err
	}
	var failed error
	for _, s := range l.services {
		if s.lets(msg) {
			failed = errors.Join(failed, s.writer.Write(msg))
		}
	}
	return failed
}

// open opens what is not open. A service that writes elsewhere than on the
// system's disk, or not into files, is left out.
func (l *errorLog) open() error {
	if l.services != nil {
		return nil
	}
	m := l.manager
	var services []*service
	for i, of := range m.conf().services {
		files, ok := of.Files(m.DataPath(), m.site.Path(m.site.Data))
		if !ok || len(files) == 0 {
			continue
		}
		folder, ok := m.site.name(path.Dir(files[0]))
		if !ok {
			continue
		}
		w, err := amqerr.Open(m.disk(), folder, amqerr.Settings{
			Release: m.level, OnlyJSON: of.JSON, Prefix: of.FilePrefix, Size: of.FileSize.Value, NoSync: m.site.NoSync,
			Host: m.site.Host, Installation: m.site.Installation, InstallationPath: m.site.installationPath(),
			QueueManager: m.name, QMID: m.attribute("QMID"),
		})
		if err != nil {
			return err
		}
		if i == 0 {
			of = onlyHiding(of)
		}
		services = append(services, &service{of, w, map[string]time.Time{}})
	}
	l.services = services
	return nil
}

// hiding are the messages that SuppressMessage and ExcludeMessage of QMErrorLog
// can hide: none that tells of a recovery (reference, Multiplatforms 2.2 item 40;
// the list there is not whole).
var hiding = []string{"7163", "7234", "8245", "9001", "9002", "9202"}

func onlyHiding(of mqini.MessageService) mqini.MessageService {
	other := func(number string) bool { return !slices.Contains(hiding, number) }
	of.Exclude, of.Suppress = slices.DeleteFunc(slices.Clone(of.Exclude), other), slices.DeleteFunc(slices.Clone(of.Suppress), other)
	return of
}

// suppressed is the usual SuppressInterval, in seconds (from memory).
const suppressed = 30

// lets tells whether a message is written.
func (s *service) lets(msg amqerr.Message) bool {
	number := msg.ID[len("AMQ"):]
	always := mqini.MessageService{Stanza: s.Stanza, Exclude: s.Exclude, Severities: s.Severities}
	if _, hidden := always.Hides(msg.ID + string(rune(amqerr.Of(msg.ID).Severity))); hidden {
		return false
	}
	if !slices.Contains(s.Suppress, number) {
		return true
	}
	interval := suppressed * time.Second
	if s.SuppressInterval.Known() {
		interval = time.Duration(s.SuppressInterval.Value) * time.Second
	}
	last, told := s.last[number]
	if told && msg.At.Sub(last) < interval {
		return false
	}
	s.last[number] = msg.At
	return true
}

// forget has the logs opened anew: qm.ini may say something else now.
func (l *errorLog) forget() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.services = nil
}

// tell writes a message in the queue manager's error log. It doesn't ask the
// engine, so it may be called with that locked. A message for which the file
// system has no room is lost: work does not fail for the want of a word about it.
func (m *Manager) tell(id string, inserts Inserts) error {
	err := m.errlog.write(amqerr.Message{ID: id, At: m.site.Now(), Inserts: inserts, Process: m.process(0)})
	if err := unlessFull(err); err != nil {
		return fmt.Errorf("queue manager %s: %w", m.name, err)
	}
	return nil
}

// unlessFull drops the error of a file system without room, where what was to be
// written only tells of something.
func unlessFull(err error) error {
	if errors.Is(err, syscall.ENOSPC) {
		return nil
	}
	return err
}
