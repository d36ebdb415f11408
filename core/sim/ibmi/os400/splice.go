package os400

import (
	"fmt"
	"slices"
)

// splice is how one list becomes another: at a place some values go and others
// come.
type splice[T comparable] struct {
	At   int `json:",omitzero"`
	Gone int `json:",omitzero"`
	Came []T `json:",omitempty"`
}

// spliced tells how a list became another; nil: they are the same.
func spliced[T comparable](old, now []T) *splice[T] {
	if shared := len(now); shared > 0 && shared <= len(old) && &old[len(old)-1] == &now[shared-1] {
		// It is the end of the old one: the oldest of thousands went.
		if shared == len(old) {
			return nil
		}
		return &splice[T]{Gone: len(old) - shared}
	}
	most, at := min(len(old), len(now)), 0
	for at < most && old[at] == now[at] {
		at++
	}
	behind := 0
	for behind < most-at && old[len(old)-1-behind] == now[len(now)-1-behind] {
		behind++
	}
	s := &splice[T]{At: at, Gone: len(old) - at - behind, Came: now[at : len(now)-behind]}
	if s.Gone == 0 && len(s.Came) == 0 {
		return nil
	}
	return s
}

// apply gives what a list becomes. The list itself may be changed.
func (s *splice[T]) apply(list []T) ([]T, error) {
	switch {
	case s == nil:
		return list, nil
	case s.At < 0 || s.Gone < 0 || s.At > len(list) || s.Gone > len(list)-s.At:
		return nil, fmt.Errorf("a list of %d loses %d at %d", len(list), s.Gone, s.At)
	case s.At == 0 && len(s.Came) == 0:
		return list[s.Gone:], nil
	default:
		return slices.Replace(list, s.At, s.At+s.Gone, s.Came...), nil
	}
}
