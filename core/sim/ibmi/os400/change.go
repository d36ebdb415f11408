package os400

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
)

// change is what became different in a state: a line of system.changes. What
// is empty did not change.
type change struct {
	Rest     *state           `json:",omitempty"` // all of what has no field of its own here
	Reclaim  *splice[string]  `json:",omitempty"`
	Journals []changedJournal `json:",omitempty"`
	NoMore   []ID             `json:",omitempty"` // journals that were deleted
	// Receivers that were made or changed, and those that went.
	Receivers []receiver `json:",omitempty"`
	Gone      []ID       `json:",omitempty"`
	Locks     []lock     `json:",omitempty"` // without jobs: nobody holds one any more
}

// changedJournal is a journal that was made or changed.
type changedJournal struct {
	ID
	Attributes *journal    `json:",omitempty"` // but for its directory
	Directory  *splice[ID] `json:",omitempty"`
}

// difference gives what is different in a state from one that it was cloned
// from.
func difference(old, now *state) change {
	var c change
	if rest := now.rest(); !reflect.DeepEqual(old.rest(), rest) {
		c.Rest = rest
	}
	c.Reclaim = spliced(old.Reclaim, now.Reclaim)
	for _, j := range sorted(now.journals) {
		before, there := old.journals[j.ID]
		if changed := changedFrom(before, j, !there); changed != nil {
			c.Journals = append(c.Journals, *changed)
		}
	}
	for _, j := range sorted(old.journals) {
		if _, there := now.journals[j.ID]; !there {
			c.NoMore = append(c.NoMore, j.ID)
		}
	}
	c.receivers(old, now)
	c.locks(old, now)
	return c
}

// rest gives a state without what a change tells by itself.
func (st *state) rest() *state {
	rest := *st
	rest.Reclaim, rest.journals, rest.receivers, rest.locks = nil, nil, catalogue{}, nil
	return &rest
}

func changedFrom(old, now journal, isNew bool) *changedJournal {
	c := changedJournal{ID: now.ID, Directory: spliced(old.Directory, now.Directory)}
	old.Directory, now.Directory = nil, nil
	if isNew || !reflect.DeepEqual(old, now) {
		c.Attributes = &now
	}
	if c.Attributes == nil && c.Directory == nil {
		return nil
	}
	return &c
}

// receivers compares those that were touched.
func (c *change) receivers(old, now *state) {
	touched := slices.Clone(now.receivers.touched)
	slices.SortFunc(touched, compare)
	for _, id := range slices.Compact(touched) {
		before, had := old.receivers.find(id)
		r, has := now.receivers.find(id)
		switch {
		case has && (!had || r != before):
			c.Receivers = append(c.Receivers, r)
		case had && !has:
			c.Gone = append(c.Gone, id)
		}
	}
}

func (c *change) locks(old, now *state) {
	for id, jobs := range now.locks {
		if !slices.Equal(old.locks[id], jobs) {
			c.Locks = append(c.Locks, lock{id, jobs})
		}
	}
	for id := range old.locks {
		if _, held := now.locks[id]; !held {
			c.Locks = append(c.Locks, lock{ID: id})
		}
	}
	slices.SortFunc(c.Locks, func(a, b lock) int { return compare(a.ID, b.ID) })
}

// empty tells that nothing is different.
func (c *change) empty() bool {
	return c.Rest == nil && c.Reclaim == nil && len(c.Journals)+len(c.NoMore)+len(c.Receivers)+len(c.Gone)+len(c.Locks) == 0
}

// apply makes a change in a state that nobody else has.
func (c *change) apply(st *state) (err error) {
	if c.Rest != nil {
		rest := *c.Rest
		rest.Reclaim, rest.journals, rest.receivers, rest.locks = st.Reclaim, st.journals, st.receivers, st.locks
		*st = rest
	}
	if st.Reclaim, err = c.Reclaim.apply(st.Reclaim); err != nil {
		return fmt.Errorf("files without a receiver: %w", err)
	}
	for _, changed := range c.Journals {
		j := st.journals[changed.ID]
		directory := j.Directory
		if changed.Attributes != nil {
			j = *changed.Attributes
			j.ID = changed.ID
		}
		if j.Directory, err = changed.Directory.apply(directory); err != nil {
			return fmt.Errorf("directory of journal %s: %w", changed.ID, err)
		}
		st.journals[changed.ID] = j
	}
	for _, id := range c.NoMore {
		delete(st.journals, id)
	}
	for _, r := range c.Receivers {
		st.receivers.put(r)
	}
	for _, id := range c.Gone {
		st.receivers.drop(id)
	}
	for _, l := range c.Locks {
		delete(st.locks, l.ID)
		if len(l.Jobs) > 0 {
			st.locks[l.ID] = l.Jobs
		}
	}
	return nil
}

func decodeChange(text []byte) (c change, err error) {
	err = json.Unmarshal(text, &c)
	return c, err
}
