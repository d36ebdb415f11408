package qmgr

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"
	"strconv"
	"strings"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/logged"
)

// ResourceManager is a database, say, whose changes are committed together with
// those of the queue manager, which coordinates: XA with one-phase left out.
// The methods are durable when they return, and may be called again for what
// is done already: a transaction that it does not know has ended.
type ResourceManager interface {
	// Name is that of its XAResourceManager stanza in qm.ini.
	Name() string
	// Prepare makes the changes of a transaction survive until it is told
	// what becomes of them.
	Prepare(ctx context.Context, xid []byte) error
	Commit(ctx context.Context, xid []byte) error
	Rollback(ctx context.Context, xid []byte) error
	// Recover gives the transactions that are prepared.
	Recover(ctx context.Context) ([][]byte, error)
}

// What the log keeps for the coordinator, under these keys (reference,
// Multiplatforms 5): who takes part, and the transactions whose commit is
// decided. Forgetting one is Transaction Forget.
const (
	keyParticipant = logged.Participant
	keyPrepared    = logged.Prepared
)

// global is a unit of work that the queue manager coordinates.
type global struct {
	XID       []byte
	Resources []string
}

// ErrResource says that a resource manager has no stanza in qm.ini, or is not
// connected.
var ErrResource = errors.New("no such resource manager")

// Connect makes a resource manager known, and resolves what was left in doubt
// between it and the queue manager.
func (m *Manager) Connect(ctx context.Context, r ResourceManager) error {
	return m.use("connecting to resource manager "+r.Name(), func(e *engine.Engine) error {
		if !m.hasStanza(r.Name()) {
			return fmt.Errorf("%w: qm.ini has no stanza for %s", ErrResource, r.Name())
		}
		m.mu.Lock()
		m.resources[r.Name()] = r
		m.mu.Unlock()
		return m.resolveOurs(ctx, e)
	})
}

// hasStanza tells whether qm.ini has an XAResourceManager stanza of a name.
func (m *Manager) hasStanza(name string) bool {
	return slices.ContainsFunc(m.conf().resources, func(r Resource) bool { return r.Name == name })
}

// BeginGlobal begins a unit of work that the queue manager coordinates with
// resource managers: MQBEGIN.
func (m *Manager) BeginGlobal(ctx context.Context, application string, resources ...string) (*Unit, error) {
	for _, name := range resources {
		if m.resource(name) == nil {
			return nil, fmt.Errorf("beginning a global unit of work: %w: %s", ErrResource, name)
		}
	}
	if err := m.participate(ctx, resources); err != nil {
		return nil, err
	}
	g := &global{XID: m.newXID(), Resources: resources}
	return m.begin(application, g, func(e *engine.Engine) (*engine.Unit, error) { return e.BeginGlobal(g.XID) })
}

func (m *Manager) resource(name string) ResourceManager {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.resources[name]
}

// XID gives the identifier that resource managers know a global unit of work
// by; nil: it is none.
func (u *Unit) XID() []byte {
	if u.global == nil {
		return nil
	}
	return bytes.Clone(u.global.XID)
}

// newXID makes the identifier of a unit of work: unique, and known as our own.
func (m *Manager) newXID() []byte {
	var drawn [8]byte
	_, _ = rand.Read(drawn[:]) // never fails
	return fmt.Appendf(nil, "%s%016X", m.xidPrefix(), drawn)
}

func (m *Manager) xidPrefix() string {
	return fmt.Sprintf("AMQ%08X", crc32.ChecksumIEEE([]byte(m.name)))
}

// ours tells whether an identifier is of a unit of work that the queue manager
// coordinates itself.
func (m *Manager) ours(xid []byte) bool { return strings.HasPrefix(string(xid), m.xidPrefix()) }

// participate writes down who takes part, once for each. The number that a
// resource manager gets, its RMID, stays with its name: 0 is the queue manager.
func (m *Manager) participate(ctx context.Context, resources []string) error {
	const most = 1024 // bytes of a stanza
	return m.work(ctx, "writing participants", most*int64(len(resources)), func(e *engine.Engine) error {
		ids, err := participants(e)
		if err != nil {
			return err
		}
		for _, r := range m.conf().resources {
			if _, known := ids[r.Name]; known || !slices.Contains(resources, r.Name) {
				continue
			}
			id := len(ids) + 1
			value, err := json.Marshal(r)
			if err != nil {
				return fmt.Errorf("writing participants: %w", err)
			}
			if err := e.Keep(ctx, fmt.Sprint(keyParticipant, id), value); err != nil {
				return fmt.Errorf("writing participants: %w", err)
			}
			ids[r.Name] = id
		}
		return nil
	})
}

// participants gives the numbers of the resource managers that have ever taken
// part, by their names.
func participants(e *engine.Engine) (map[string]int, error) {
	ids := map[string]int{}
	for key, value := range e.Kept() {
		text, ok := strings.CutPrefix(key, keyParticipant)
		if !ok {
			continue
		}
		id, err := strconv.Atoi(text)
		var r Resource
		if err == nil {
			err = json.Unmarshal(value, &r)
		}
		if err != nil {
			return nil, fmt.Errorf("reading participant %q: %w", key, err)
		}
		ids[r.Name] = id
	}
	return ids, nil
}

// commitGlobal commits in two phases. Until the decision is in the log a crash
// rolls everything back, from then on it commits everything.
func (m *Manager) commitGlobal(ctx context.Context, u *Unit) error {
	g := u.global
	err := m.work(ctx, "committing", 0, func(e *engine.Engine) error {
		if err := m.prepareGlobal(ctx, e, u); err != nil {
			return errors.Join(err, m.undoGlobal(ctx, u))
		}
		if err := m.between("decided"); err != nil {
			return err
		}
		if err := u.unit.Commit(ctx); err != nil {
			return err
		}
		m.forgetGlobal(u)
		if err := m.between("committed"); err != nil {
			return err
		}
		return m.tellCommit(ctx, e, g.XID, g.Resources)
	})
	return err
}

// prepareGlobal is the first phase, with the decision as its end.
func (m *Manager) prepareGlobal(ctx context.Context, e *engine.Engine, u *Unit) error {
	numbers, err := participants(e)
	if err != nil {
		return err
	}
	ids := []int{0}
	for _, name := range u.global.Resources {
		r := m.resource(name)
		if r == nil {
			return fmt.Errorf("preparing: %w: %s", ErrResource, name)
		}
		if err := r.Prepare(ctx, u.global.XID); err != nil {
			return fmt.Errorf("preparing resource manager %s: %w", name, err)
		}
		ids = append(ids, numbers[name])
		if err := m.between("prepared " + name); err != nil {
			return err
		}
	}
	if err := u.unit.Prepare(ctx, u.global.XID); err != nil {
		return fmt.Errorf("preparing: %w", err)
	}
	if err := m.between("prepared"); err != nil {
		return err
	}
	value, err := json.Marshal(ids)
	if err != nil {
		return fmt.Errorf("preparing: %w", err)
	}
	return e.Keep(ctx, keyPrepared+hex.EncodeToString(u.global.XID), value)
}

// tellCommit is the second phase, for the others. One that can't be told is
// told later: the decision is kept until then.
func (m *Manager) tellCommit(ctx context.Context, e *engine.Engine, xid []byte, resources []string) error {
	all := true
	for _, name := range resources {
		r := m.resource(name)
		if r == nil || r.Commit(ctx, xid) != nil {
			all = false
			continue
		}
		if err := m.between("told " + name); err != nil {
			return err
		}
	}
	if !all {
		return nil
	}
	return e.Drop(ctx, keyPrepared+hex.EncodeToString(xid))
}

// backOutGlobal backs out on all sides.
func (m *Manager) backOutGlobal(ctx context.Context, u *Unit) error {
	return m.work(ctx, "backing out", 0, func(*engine.Engine) error { return m.undoGlobal(ctx, u) })
}

func (m *Manager) undoGlobal(ctx context.Context, u *Unit) error {
	if err := m.between("undoing"); err != nil {
		return err
	}
	var failed error
	for _, name := range u.global.Resources {
		if r := m.resource(name); r != nil {
			failed = errors.Join(failed, r.Rollback(ctx, u.global.XID))
		}
	}
	if err := u.unit.Backout(ctx); err != nil && !errors.Is(err, engine.ErrEnded) {
		return errors.Join(failed, err)
	}
	m.forgetGlobal(u)
	return failed
}

func (m *Manager) forgetGlobal(u *Unit) {
	m.applications.Ended(u.Number())
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.globals, u.Number())
}

// between is where tests end everything; nil: nowhere.
func (m *Manager) between(step string) error {
	if m.step == nil {
		return nil
	}
	return m.step(step)
}
