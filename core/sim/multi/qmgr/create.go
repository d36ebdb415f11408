package qmgr

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"

	"github.com/mqhk/mqhk/core/logsize"
	"github.com/mqhk/mqhk/core/sim/applications"
	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/extents"
	"github.com/mqhk/mqhk/core/sim/multi/objects"
	"github.com/mqhk/mqhk/core/wal/disk"
)

// Create makes a queue manager, as crtmqm does: its folders, the log with its
// primary extents, the queue manager object and the SYSTEM objects, qm.ini. It
// is left ended. Its definition in mqs.ini is the system's to write, last. A
// queue manager that could not be made whole has no qm.ini; what was made of it
// stays for a person to look at.
func Create(ctx context.Context, site Site, spec Spec) (*Manager, error) {
	m, err := create(ctx, site, spec)
	if err != nil {
		return nil, fmt.Errorf("creating queue manager %s: %w", spec.Name, err)
	}
	return m, nil
}

func create(ctx context.Context, site Site, spec Spec) (*Manager, error) {
	if err := checkName(spec.Name); err != nil {
		return nil, err
	}
	m, err := newManager(site, spec.Name, "")
	if err != nil {
		return nil, err
	}
	if err := m.place(&spec); err != nil {
		return nil, err
	}
	spec.Log.Limits, spec.Log.Began = logsize.LimitsOf(m.level.String(), false), m.site.Now()
	if err := m.disk().MkdirAll(m.dataDir); err != nil {
		return nil, err
	}
	log, err := extents.Create(m.disk(), m.conf().logDir, spec.Log)
	if err != nil {
		return nil, err
	}
	spec.Log = log.Settings()
	configuration := m.configuration(spec)
	c, err := m.site.readConfig(configuration)
	if err != nil {
		return nil, err
	}
	c.log = spec.Log
	m.configured.Store(&c)
	if err := m.makeObjects(ctx, log, spec); err != nil {
		return nil, err
	}
	m.kept = kept{Format: format, State: EndedNormally, Owner: m.ownedBy(), Root: m.site.Root}
	if err := m.change(func(*kept) {}); err != nil {
		return nil, err
	}
	return m, m.write(m.path(configFile), configuration)
}

// place chooses the folders where the specification does not.
func (m *Manager) place(spec *Spec) error {
	taken := func(directory string) bool {
		return m.there(path.Join(m.site.Data, "qmgrs", directory, configFile)) ||
			m.there(path.Join(m.site.Data, "log", directory, extents.ControlName))
	}
	directory, err := DirectoryFor(spec.Name, taken)
	if err != nil && (spec.DataDir == "" || spec.LogDir == "") {
		return err
	}
	if m.dataDir = spec.DataDir; m.dataDir == "" {
		m.dataDir = path.Join(m.site.Data, "qmgrs", directory)
	}
	logDir := spec.LogDir
	if logDir == "" {
		logDir = path.Join(m.site.Data, "log", directory)
	}
	m.configured.Store(&config{logDir: logDir})
	if m.there(m.path(configFile)) {
		return fmt.Errorf("%w: %s", ErrExists, m.site.Path(m.path(configFile)))
	}
	return nil
}

// there tells whether a file is.
func (m *Manager) there(name string) bool {
	f, err := m.disk().Open(name)
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	_ = f.Close() // it was only read
	return true
}

// makeObjects makes the queue manager object and the SYSTEM objects in a log
// of their own, and ends. Their definitions are their first images.
func (m *Manager) makeObjects(ctx context.Context, log *extents.Log, spec Spec) error {
	o := m.ownerOf(log)
	o.quiet = true // nobody is told anything of a queue manager that is being made
	now := m.site.Now()
	attributes := map[string]string{
		"QMID":   m.name + "_" + now.Format("2006-01-02_15.04.05"),
		"CRDATE": now.Format("2006-01-02"), "CRTIME": now.Format("15.04.05"),
	}
	maps.Copy(attributes, spec.Attributes)
	if spec.DeadQ != "" {
		attributes["DEADQ"] = spec.DeadQ
	}
	m.own.Store(&attributes)
	e, err := engine.Create(ctx, o, m.options(), log.ID())
	if err != nil {
		return err
	}
	first := []objects.Definition{
		{Ref: m.ownRef(), Attributes: attributes}, {Ref: catalogue}, {Ref: syncFile},
	}
	for _, s := range append(first, objects.System(m.level)...) {
		if err == nil {
			err = e.Define(ctx, s.Ref, s.Attributes)
		}
	}
	if err == nil {
		err = m.keepTable(ctx, e)
	}
	if err != nil {
		return errors.Join(err, e.Crash())
	}
	return errors.Join(e.End(ctx), o.failure())
}

// The files that a queue manager has once, which commands name as objects.
var (
	catalogue    = engine.Ref{Kind: objects.Catalogue, Name: "QMQMOBJCAT"}
	syncFile     = engine.Ref{Kind: objects.SyncFile, Name: "AMQRSYNA.DAT"}
	channelTable = engine.Ref{Kind: objects.ClientChannelTable, Name: "AMQCLCHL.TAB"}
)

// ownRef is the queue manager object.
func (m *Manager) ownRef() engine.Ref { return engine.Ref{Kind: objects.QueueManager, Name: m.name} }

// options are what the engine runs with.
func (m *Manager) options() engine.Options {
	return engine.Options{
		Disk: m.disk(), Folder: m.dataDir, Files: files{}, NoSync: m.site.NoSync,
		Costs: &m.costs, Part: m.part(), ImagePart: m.imagePart(), Detail: true,
		Essential:   func(r engine.Ref) bool { return r == m.ownRef() },
		Recoverable: m.recoverable, Manager: m.ownRef(),
		Rules: m.rules,
	}
}

// Open finds a queue manager by its data folder, and reads its qm.ini. Nothing
// is started and nothing written: one that was suspended waits for
// [Manager.Resume], one that ran and was not has crashed.
func Open(site Site, name, dataDir string) (*Manager, error) {
	m, err := newManager(site, name, dataDir)
	if err != nil {
		return nil, err
	}
	if err := m.reread(); err != nil {
		return nil, fmt.Errorf("opening queue manager %s: %w", name, err)
	}
	k, err := readState(m.disk(), m.path(stateFile))
	if err != nil {
		return nil, fmt.Errorf("opening queue manager %s: %w", name, err)
	}
	if k.State == Running && !k.Suspended {
		k.State = EndedUnexpectedly
	}
	if k.Root != m.site.Root || !k.Owner.Known {
		k.Owner, k.Root = m.ownedBy(), m.site.Root // the estate was moved
	}
	m.kept = k
	m.applications = applications.New(k.Applications)
	for number, g := range k.Globals {
		m.globals[number] = g
	}
	if k.Suspended {
		m.shown, err = m.readView()
	}
	return m, err
}

// readManager reads the qm.ini in a data folder.
func (s Site) readManager(dataDir string) (config, error) {
	name := path.Join(dataDir, configFile)
	content, err := disk.ReadAll(s.Disk, name)
	var c config
	if err == nil {
		c, err = s.readConfig(content)
	}
	if err != nil {
		return config{}, fmt.Errorf("reading %s: %w", s.Path(name), err)
	}
	return c, nil
}
