package os400

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
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

// format of system.json: since 2 it comes with system.changes.
const format = 2

func compare(a, b ID) int {
	if a.Library != b.Library {
		return strings.Compare(a.Library, b.Library)
	}
	return strings.Compare(a.Name, b.Name)
}

// sorted gives the values of a map in the order of their IDs.
func sorted[V any](all map[ID]V) []V {
	values := make([]V, 0, len(all))
	for _, id := range slices.SortedFunc(maps.Keys(all), compare) {
		values = append(values, all[id])
	}
	return values
}

// encode gives the content of system.json: a receiver a line.
func (st *state) encode() ([]byte, error) {
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
	before := "\n"
	for r := range st.receivers.all() {
		one, err := json.Marshal(r)
		if err != nil {
			return nil, err
		}
		b.WriteString(before)
		b.Write(one)
		before = ",\n"
	}
	b.WriteString("\n]}\n")
	return b.Bytes(), nil
}

// decode reads system.json. Whether it keeps the rules of the system is for
// [state.check] to say.
func decode(content []byte) (*state, error) {
	var f stateFile
	if err := json.Unmarshal(content, &f); err != nil {
		return nil, err
	}
	if f.Format != format {
		return nil, fmt.Errorf("it has format %d; this program reads %d", f.Format, format)
	}
	st := f.state
	st.journals, st.locks = map[ID]journal{}, map[ID][]string{}
	for _, j := range f.Journals {
		st.journals[j.ID] = j
	}
	var twice ID
	if st.receivers, twice = catalogueOf(f.Receivers); twice != (ID{}) || len(st.journals) != len(f.Journals) {
		return nil, errors.New("two objects have one name")
	}
	for _, l := range f.Locks {
		st.locks[l.ID] = l.Jobs
	}
	return &st, nil
}
