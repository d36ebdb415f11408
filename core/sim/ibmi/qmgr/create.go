package qmgr

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/mqhk/mqhk/core/sim/applications"
	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
	"github.com/mqhk/mqhk/core/wal"
)

// Bounds of THRESHOLD in KB (reference, IBM i 1.2). The least is that of the
// simulator, so that small journals can be rehearsed; CRTMQM takes 100000.
const (
	thresholdDefault = 100_000
	thresholdLeast   = 64
	thresholdMost    = 1_000_000_000
)

// systemQueues are the local queues that every queue manager has, as far as
// they matter here.
var systemQueues = []string{
	"SYSTEM.DEFAULT.LOCAL.QUEUE", "SYSTEM.DEAD.LETTER.QUEUE",
	"SYSTEM.ADMIN.COMMAND.QUEUE", "SYSTEM.ADMIN.LOGGER.EVENT", "SYSTEM.ADMIN.QMGR.EVENT",
	"SYSTEM.ADMIN.PERFM.EVENT", "SYSTEM.AUTH.DATA.QUEUE", "SYSTEM.CHANNEL.INITQ",
	"SYSTEM.CHANNEL.SYNCQ", "SYSTEM.PENDING.DATA.QUEUE",
}

// The objects that a queue manager has once, beside its queues.
const (
	kindManager   engine.Kind = "queue-manager"
	kindCatalogue engine.Kind = "catalogue"

	catalogueName = "QMQMOBJCAT"
)

// Create makes a queue manager, as CRTMQM does: its library, the journal with
// a first receiver, QMQMMSG, the SYSTEM queues, qm.ini and its stanza in
// mqs.ini. It is left ended; AMQJRNINF comes with the first start. Errors wrap
// [ErrName], [ErrExists] or the escape message of the system. The stanza is
// written last: a queue manager that could not be made whole is not known, and
// what was made of it stays for a person to look at.
func Create(ctx context.Context, sys *os400.System, spec Spec) (*Manager, error) {
	m, err := create(ctx, sys, spec)
	if err != nil {
		return nil, fmt.Errorf("creating queue manager %s: %w", spec.Name, err)
	}
	return m, nil
}

func create(ctx context.Context, sys *os400.System, spec Spec) (*Manager, error) {
	m, err := planned(sys, spec)
	if err != nil {
		return nil, err
	}
	// The file of the directory comes first, so that one that was begun and
	// never finished is not taken for free.
	m.kept = kept{Format: format, Spec: m.spec, Directory: m.directory, State: Ended}
	if err := m.change(func(*kept) {}); err != nil {
		return nil, err
	}
	if err := m.makePlatform(); err != nil {
		return nil, err
	}
	if err := m.makeObjects(ctx); err != nil {
		return nil, m.refused(err)
	}
	if err := sys.WriteFile(m.path("qm.ini"), m.configuration()); err != nil {
		return nil, err
	}
	return m, register(sys, entry{m.spec.Name, m.spec.Library, m.directory}, m.spec.Default)
}

// planned fills in what the specification leaves open and checks it.
func planned(sys *os400.System, spec Spec) (*Manager, error) {
	if err := checkName(spec.Name); err != nil {
		return nil, err
	}
	known, all, err := readRegistry(sys)
	if err == nil && len(all) == 0 {
		err = firstRegistry(sys)
	}
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(known, func(e entry) bool { return e.name == spec.Name }) {
		return nil, ErrExists
	}
	if spec.Threshold == 0 {
		spec.Threshold = thresholdDefault
	}
	if spec.Threshold < thresholdLeast || spec.Threshold > thresholdMost {
		return nil, fmt.Errorf("THRESHOLD(%d) is not between %d and %d", spec.Threshold, thresholdLeast, thresholdMost)
	}
	if spec.Letter == 0 {
		spec.Letter = 'A'
	}
	if spec.Letter < 'A' || spec.Letter > 'Z' {
		return nil, fmt.Errorf("journal letter %q is not A to Z", spec.Letter)
	}
	if spec.FirstReceiver == "" {
		spec.FirstReceiver = "AMQ" + string(spec.Letter) + "000000"
	}
	if digits, ok := strings.CutPrefix(spec.FirstReceiver, "AMQ"+string(spec.Letter)); !ok || len(digits) != 6 || strings.Trim(digits, "0123456789") != "" {
		return nil, fmt.Errorf("the first receiver %q is not AMQ%c and six digits", spec.FirstReceiver, spec.Letter)
	}
	if spec.Library == "" {
		spec.Library = libraryFor(spec.Name, sys.HasLibrary)
	}
	directory := directoryFor(spec.Name, func(d string) bool {
		_, err := sys.ReadFile(statePath(d))
		return !errors.Is(err, fs.ErrNotExist) ||
			slices.ContainsFunc(known, func(e entry) bool { return strings.EqualFold(e.directory, d) })
	})
	return &Manager{sys: sys, spec: spec, directory: directory, applications: applications.New(nil)}, nil
}

// makePlatform makes what IBM i has of the queue manager.
func (m *Manager) makePlatform() error {
	if err := m.sys.CreateLibrary(m.spec.Library); err != nil {
		return err
	}
	if err := m.sys.CreateQueue(m.MessageQueue()); err != nil {
		return err
	}
	return m.sys.CreateJournal(os400.JournalSpec{
		ID:         m.Journal(),
		First:      os400.ID{Library: m.spec.Library, Name: m.spec.FirstReceiver},
		Threshold:  m.spec.Threshold,
		SizeOption: m.spec.SizeOption,
	})
}

// makeObjects makes the queue manager object, the catalogue and the SYSTEM
// queues in a log of their own, and ends.
func (m *Manager) makeObjects(ctx context.Context) error {
	o, err := m.openJournal()
	if err != nil {
		return err
	}
	var id wal.ID
	_, _ = rand.Read(id[:]) // never fails
	e, err := engine.Create(ctx, o, m.options(o), id)
	if err != nil {
		return errors.Join(err, o.log.Close(0))
	}
	o.engine.Store(e)
	for _, ref := range firstObjects(m.spec.Name) {
		if err := e.Define(ctx, ref, nil); err != nil {
			return errors.Join(err, e.Crash(), o.log.Close(o.Entries()))
		}
	}
	return errors.Join(e.End(ctx), o.log.Close(o.Entries()))
}

func firstObjects(name string) []engine.Ref {
	refs := []engine.Ref{{Kind: kindManager, Name: name}, {Kind: kindCatalogue, Name: catalogueName}}
	for _, queue := range systemQueues {
		refs = append(refs, engine.Ref{Kind: engine.Queue, Name: queue})
	}
	return refs
}

// options are what the engine runs with.
func (m *Manager) options(o *owner) engine.Options {
	return engine.Options{
		Disk:      m.sys.Disk(),
		Folder:    os400.Path(m.path("objects")),
		Threshold: o.log.Threshold(),
		Essential: func(r engine.Ref) bool { return r.Kind == kindManager || r.Kind == kindCatalogue },
		NoSync:    m.spec.NoSync,
	}
}

// path gives the path of a file of the queue manager.
func (m *Manager) path(name string) string { return managers + "/" + m.directory + "/" + name }

// configuration gives qm.ini as CRTMQM writes it. A start does not read it:
// what it says about receivers the journal keeps, and new receivers inherit it
// (reference, IBM i 1.2).
func (m *Manager) configuration() []byte {
	return writeIni([]stanza{{"Log", []setting{
		{"LogPath", m.spec.Library},
		{"LogReceiverSize", strconv.FormatInt(m.spec.Threshold, 10)},
	}}})
}
