package os400

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// stateFile is system.json: all but the receivers, and they.
type stateFile struct {
	stateHead
	Receivers []receiver
}

type stateHead struct {
	Format int
	state
	Journals []journal
	Locks    []lock
}

// lock is who holds locks on a receiver.
type lock struct {
	ID
	Jobs []string
}

// format of system.json.
const format = 1

func compare(a, b ID) int {
	return cmp.Or(cmp.Compare(a.Library, b.Library), cmp.Compare(a.Name, b.Name))
}

// sorted gives the values of a map in the order of their IDs.
func sorted[V any](all map[ID]V) []V {
	values := make([]V, 0, len(all))
	for _, id := range slices.SortedFunc(maps.Keys(all), compare) {
		values = append(values, all[id])
	}
	return values
}

// texts are receivers as they were encoded last.
type texts map[ID]text

type text struct {
	receiver
	json []byte
}

// encode gives the content of system.json. A system may have thousands of
// receivers, of which a change touches two or three: the others are taken from
// old, which is brought up to date; it may be nil.
func (st *state) encode(old texts) ([]byte, error) {
	if len(old) > 2*len(st.receivers) {
		clear(old) // most of them are gone
	}
	head := stateHead{Format: format, state: *st, Journals: sorted(st.journals)}
	for _, id := range slices.SortedFunc(maps.Keys(st.locks), compare) {
		head.Locks = append(head.Locks, lock{id, st.locks[id]})
	}
	content, err := json.Marshal(head)
	if err != nil {
		return nil, err
	}
	b := bytes.NewBuffer(bytes.TrimSuffix(content, []byte("}")))
	b.WriteString(`,"Receivers":[`)
	for i, id := range slices.SortedFunc(maps.Keys(st.receivers), compare) {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
		one, err := old.encode(st.receivers[id])
		if err != nil {
			return nil, err
		}
		b.Write(one)
	}
	b.WriteString("\n]}\n")
	return b.Bytes(), nil
}

func (old texts) encode(r receiver) ([]byte, error) {
	if known, ok := old[r.ID]; ok && known.receiver == r {
		return known.json, nil
	}
	one, err := json.Marshal(r)
	if err == nil && old != nil {
		old[r.ID] = text{r, one}
	}
	return one, err
}

// decode reads system.json. What would break a rule of the system later is an
// error now.
func decode(content []byte) (*state, error) {
	var f stateFile
	if err := json.Unmarshal(content, &f); err != nil {
		return nil, err
	}
	if f.Format != format {
		return nil, fmt.Errorf("it has format %d; this program reads %d", f.Format, format)
	}
	st := f.state
	st.journals, st.receivers, st.locks = map[ID]journal{}, map[ID]receiver{}, map[ID][]string{}
	for _, j := range f.Journals {
		st.journals[j.ID] = j
	}
	for _, r := range f.Receivers {
		st.receivers[r.ID] = r
	}
	for _, l := range f.Locks {
		if _, ok := st.receivers[l.ID]; !ok {
			return nil, fmt.Errorf("receiver %s is locked and not there", l.ID)
		}
		st.locks[l.ID] = l.Jobs
	}
	if len(st.journals) != len(f.Journals) || len(st.receivers) != len(f.Receivers) {
		return nil, errors.New("two objects have one name")
	}
	if err := st.check(); err != nil {
		return nil, err
	}
	return &st, nil
}
