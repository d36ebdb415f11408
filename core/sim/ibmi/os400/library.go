package os400

import (
	"fmt"
	"slices"
)

// CreateLibrary is CRTLIB. CPF2111: it is there.
func (s *System) CreateLibrary(name string) error {
	if err := checkName(name); err != nil {
		return fmt.Errorf("creating a library: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.HasLibrary(name) {
		return Escape("CPF2111", ID{Name: name})
	}
	if err := s.makeFolder(name); err != nil {
		return fmt.Errorf("creating library %s: %w", name, err)
	}
	err := s.update(func(st *state) error {
		st.Libraries = append(st.Libraries, name)
		slices.Sort(st.Libraries)
		return nil
	})
	if err != nil {
		return fmt.Errorf("creating library %s: %w", name, err)
	}
	return nil
}

func (s *System) makeFolder(library string) error {
	return s.Disk().MkdirAll(folder(library))
}

// Libraries gives the names of the libraries, in order.
func (s *System) Libraries() []string { return slices.Clone(s.state().Libraries) }

// HasLibrary tells whether a library is there.
func (s *System) HasLibrary(name string) bool {
	_, found := slices.BinarySearch(s.state().Libraries, name)
	return found
}

// place checks where an object is to be.
func (s *System) place(id ID) error {
	if err := id.check(); err != nil {
		return err
	}
	if !s.HasLibrary(id.Library) {
		return Escape("CPF9810", ID{Name: id.Library})
	}
	return nil
}
