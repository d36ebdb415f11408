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

// spliced tells how a list became another; nil: they are the same. Of
// thousands of receivers the oldest goes or a new one comes: then both lists
// are one piece of memory, and nothing needs to be compared.
func spliced[T comparable](old, now []T) *splice[T] {
	most, at, behind := min(len(old), len(now)), 0, 0
	if most > 0 && &old[0] == &now[0] {
		at = most
	} else if most > 0 && &old[len(old)-1] == &now[len(now)-1] {
		behind = most
	}
	for at < most-behind && old[at] == now[at] {
		at++
	}
	for behind < most-at && old[len(old)-1-behind] == now[len(now)-1-behind] {
		behind++
	}
	if at == len(old) && at == len(now) || behind == len(old) && behind == len(now) {
		return nil
	}
	return &splice[T]{At: at, Gone: len(old) - at - behind, Came: now[at : len(now)-behind]}
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
