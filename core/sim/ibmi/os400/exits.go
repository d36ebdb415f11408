package os400

import (
	"fmt"
	"slices"
)

// AddExit registers a program of [Options.Exits], LIBRARY/NAME, for the exit
// point QIBM_QJO_DLT_JRNRCV (reference, IBM i 3.6). CPF9801: there is no such
// program. One that is registered already is no error.
func (s *System) AddExit(program string) error {
	if s.opts.Exits[program] == nil {
		return fmt.Errorf("adding exit program %s: %w", program, programMissing(program))
	}
	err := s.change(func(st *state) error {
		if !slices.Contains(st.Exits, program) {
			st.Exits = append(st.Exits, program)
			slices.Sort(st.Exits)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("adding exit program %s: %w", program, err)
	}
	return nil
}

// RemoveExit takes a program off the exit point. CPF9801: it is not there.
func (s *System) RemoveExit(program string) error {
	err := s.change(func(st *state) error {
		if !slices.Contains(st.Exits, program) {
			return programMissing(program)
		}
		st.Exits = without(st.Exits, program)
		return nil
	})
	if err != nil {
		return fmt.Errorf("removing exit program %s: %w", program, err)
	}
	return nil
}

// Exits gives the registered programs, in the order of their names.
func (s *System) Exits() []string { return slices.Clone(s.state().Exits) }

func programMissing(program string) *Error { return missing(parseID(program), "PGM") }
