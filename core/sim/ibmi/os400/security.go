package os400

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"github.com/mqhk/mqhk/core/wal/disk"
)

// securityName is the file that holds who is who and may do what. It is there
// once the first profile was made or the first authority granted. What is
// granted on receivers stands with them in system.json, because a generated
// receiver takes it over from the one before it.
const securityName = "security.json"

const securityFormat = 1

// Profile is a user profile.
type Profile struct {
	Name string
	// Group is its group profile; empty: none. A group has none itself.
	Group string `json:",omitempty"`
	// Special authorities: words of [SpecialWords], in order.
	Special []string `json:",omitempty"`
}

// SpecialWords gives the special authorities that something here asks for.
func SpecialWords() []string {
	return []string{"*ALLOBJ", "*JOBCTL", "*SAVSYS", "*SECADM"}
}

// The profiles that a system has from the beginning. QMQM stands for the
// administrator of the simulator too, who may do everything; a real one owns
// what belongs to MQ and has no special authority.
const (
	administrator = "QMQM"
	mqGroup       = "QMQMADM"
)

// Object names an object that somebody may be granted authority on. Type is
// that of OBJTYPE without its asterisk: LIB, JRN, JRNRCV, MSGQ, USRSPC, FILE,
// CMD, USRPRF. Libraries, profiles and commands are in QSYS.
type Object struct {
	ID
	Type string
}

// String gives LIBRARY/NAME *TYPE.
func (o Object) String() string { return o.ID.String() + " *" + o.Type }

// security is what security.json holds. One that was published is never
// changed.
type security struct {
	Format   int
	Profiles map[string]Profile    // those that were made
	Granted  map[string]accessList // by Object.String, but receivers
}

func (sec *security) clone() *security {
	return &security{securityFormat, maps.Clone(sec.Profiles), maps.Clone(sec.Granted)}
}

// check says what makes no sense in a file that somebody has edited.
func (sec *security) check() error {
	if sec.Format != securityFormat {
		return fmt.Errorf("it has format %d; this program reads %d", sec.Format, securityFormat)
	}
	for name, p := range sec.Profiles {
		if p.Name != name {
			return fmt.Errorf("profile %s is said to be %s", name, p.Name)
		}
		if err := p.check(); err != nil {
			return err
		}
	}
	for object, list := range sec.Granted {
		if err := list.check(); err != nil {
			return fmt.Errorf("%s: %w", object, err)
		}
	}
	return nil
}

// check says what is wrong with a profile.
func (p Profile) check() error {
	if err := checkName(p.Name); err != nil {
		return fmt.Errorf("user profile: %w", err)
	}
	for _, word := range p.Special {
		if !slices.Contains(SpecialWords(), word) {
			return fmt.Errorf("profile %s: special authority %q is not known", p.Name, word)
		}
	}
	return nil
}

// noSecurity is that of a system on which nothing was granted yet.
func noSecurity() *security {
	return &security{Format: securityFormat, Profiles: map[string]Profile{}, Granted: map[string]accessList{}}
}

// openSecurity reads security.json. A system without one has the profiles of
// the beginning alone.
func openSecurity(d disk.FS) (*security, error) {
	sec := noSecurity()
	content, err := disk.ReadAll(d, securityName)
	if errors.Is(err, fs.ErrNotExist) {
		return sec, nil
	}
	if err == nil {
		err = json.Unmarshal(content, sec)
	}
	if err == nil {
		err = sec.check()
	}
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", securityName, err)
	}
	return sec, nil
}

// secure replaces what is known of profiles and grants, durably.
func (s *System) secure(do func(*security) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	next := s.security.Load().clone()
	if err := do(next); err != nil {
		return err
	}
	content, err := json.MarshalIndent(next, "", " ")
	if err != nil {
		return err
	}
	if err := disk.Replace(s.reserve(), securityName, append(content, '\n')); err != nil {
		return err
	}
	s.security.Store(next)
	return nil
}
