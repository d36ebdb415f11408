package qmgr

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mqhk/mqhk/core/sim/engine"
)

// resolveOurs ends what the queue manager itself coordinates and a crash, or a
// resource manager that was away, has left: what is decided is committed on
// all sides, the rest is rolled back. Units of work of other coordinators stay
// in doubt.
func (m *Manager) resolveOurs(ctx context.Context, e *engine.Engine) error {
	decided, err := decisions(e)
	if err != nil {
		return err
	}
	for _, u := range e.Units() {
		if !u.Prepared || !m.ours(u.XID) || m.inProgress(u.XID) {
			continue
		}
		if err := m.resolveOne(ctx, e, u, decided[string(u.XID)] != nil); err != nil {
			return fmt.Errorf("resolving unit of work %d: %w", u.ID, err)
		}
	}
	var failed error
	for xid, names := range decided {
		if !m.inProgress([]byte(xid)) {
			failed = errors.Join(failed, m.tellCommit(ctx, e, []byte(xid), names))
		}
	}
	return errors.Join(failed, m.rollBackStrays(ctx, decided))
}

// decisions gives the transactions whose commit is decided, with the names of
// the resource managers that take part.
func decisions(e *engine.Engine) (map[string][]string, error) {
	numbers, err := participants(e)
	if err != nil {
		return nil, err
	}
	byNumber := map[int]string{}
	for name, id := range numbers {
		byNumber[id] = name
	}
	decided := map[string][]string{}
	for key, value := range e.Kept() {
		text, ok := strings.CutPrefix(key, keyPrepared)
		if !ok {
			continue
		}
		xid, err := hex.DecodeString(text)
		var ids []int
		if err == nil {
			err = json.Unmarshal(value, &ids)
		}
		if err != nil {
			return nil, fmt.Errorf("reading the decision %q: %w", key, err)
		}
		names := []string{}
		for _, id := range ids {
			if id != 0 { // the queue manager itself
				names = append(names, byNumber[id])
			}
		}
		decided[string(xid)] = names
	}
	return decided, nil
}

func (m *Manager) resolveOne(ctx context.Context, e *engine.Engine, u engine.UnitInfo, commit bool) error {
	unit, err := e.Unit(u.ID)
	if err != nil {
		return err
	}
	if commit {
		err = unit.Commit(ctx)
	} else {
		err = unit.Backout(ctx)
	}
	if err == nil {
		m.applications.Ended(u.ID)
	}
	return err
}

// rollBackStrays rolls back what resource managers have prepared for us and
// nobody has decided on.
func (m *Manager) rollBackStrays(ctx context.Context, decided map[string][]string) error {
	m.mu.Lock()
	all := make([]ResourceManager, 0, len(m.resources))
	for _, r := range m.resources {
		all = append(all, r)
	}
	m.mu.Unlock()
	var failed error
	for _, r := range all {
		prepared, err := r.Recover(ctx)
		failed = errors.Join(failed, err)
		for _, xid := range prepared {
			if m.ours(xid) && decided[string(xid)] == nil && !m.inProgress(xid) {
				failed = errors.Join(failed, r.Rollback(ctx, xid))
			}
		}
	}
	return failed
}

// inProgress tells whether an application still works in a transaction, or is
// just committing it.
func (m *Manager) inProgress(xid []byte) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, g := range m.globals {
		if slices.Equal(g.XID, xid) {
			return true
		}
	}
	return false
}

// ResolveOurs has the queue manager end what it coordinates itself and has been
// left in doubt, as far as the resource managers are there: rsvmqtrn -a.
func (m *Manager) ResolveOurs(ctx context.Context) error {
	return m.work(ctx, "resolving transactions", 0, func(e *engine.Engine) error { return m.resolveOurs(ctx, e) })
}
