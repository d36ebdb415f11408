package os400

import (
	"errors"
	"fmt"
	"slices"
)

// receiverType is OBJTYPE of a receiver.
const receiverType = "JRNRCV"

// granted gives who was granted what on an object.
func (s *System) granted(o Object) accessList {
	if o.Type == receiverType {
		return s.state().receivers.of(o.ID).Granted
	}
	return s.security.Load().Granted[o.String()]
}

// Access gives what a user may do with an object. The system looks for it in
// this order and stops at the first that is found: *ALLOBJ, what the user was
// granted in person, what its group was granted, what everybody may. So a user
// who is granted one thing in person has no more of what everybody may. For
// what shipped says of everybody, and of the group QMQMADM, nothing has to be
// granted.
func (s *System) Access(user string, o Object, shipped map[string]Authority) Authority {
	if s.Special(user, "*ALLOBJ") {
		return AutAll
	}
	list := s.granted(o)
	for _, name := range append(s.members(user), public) {
		if a, ok := list.of(name); ok {
			return a
		}
		if a, ok := shipped[name]; ok {
			return a
		}
	}
	return AutExclude
}

// Grant is GRTOBJAUT for one user or *PUBLIC: what is granted is added to what
// it has in person, but *EXCLUDE takes the place of all (REPLACE(*NO)). It
// changes nothing where all is granted already.
func (s *System) Grant(o Object, user string, a Authority) error {
	return s.setGranted(o, func(list accessList) accessList {
		if have, ok := list.of(user); ok && a != AutExclude {
			a |= have
		}
		return list.with(user, a)
	})
}

// Revoke is RVKOBJAUT for one user or *PUBLIC. Who has nothing left in person
// is as if nothing had ever been granted; *PUBLIC is excluded then.
func (s *System) Revoke(o Object, user string, a Authority) error {
	return s.setGranted(o, func(list accessList) accessList {
		have, ok := list.of(user)
		switch left := have &^ a; {
		case user == public && (!ok || left == 0):
			return list.with(public, AutExclude)
		case !ok || left == 0:
			return list.without(user)
		default:
			return list.with(user, left)
		}
	})
}

// Forget takes away what was granted on an object that is gone, so that
// another of its name is not mistaken for it. On receivers it goes with them.
func (s *System) Forget(o Object) error {
	return s.setGranted(o, func(accessList) accessList { return "" })
}

// errSame: a change would change nothing.
var errSame = errors.New("nothing changes")

func (s *System) setGranted(o Object, do func(accessList) accessList) error {
	var err error
	if o.Type == receiverType {
		err = s.change(func(st *state) error {
			r, ok := st.receivers.find(o.ID)
			list := do(r.Granted)
			switch {
			case !ok:
				return missing(o.ID, receiverType)
			case list == r.Granted:
				return errSame
			}
			r.Granted = list
			st.receivers.put(r)
			return nil
		})
	} else {
		err = s.secure(func(sec *security) error {
			list := do(sec.Granted[o.String()])
			switch {
			case list == sec.Granted[o.String()]:
				return errSame
			case list == "":
				delete(sec.Granted, o.String())
			default:
				sec.Granted[o.String()] = list
			}
			return nil
		})
	}
	if err != nil && !errors.Is(err, errSame) {
		return fmt.Errorf("setting the authority to %s: %w", o, err)
	}
	return nil
}

// Grants gives who was granted what on an object, in the order of the users.
func (s *System) Grants(o Object) []Granted {
	var all []Granted
	list := s.granted(o)
	list.each(func(user, _ string) {
		a, _ := list.of(user)
		all = append(all, Granted{user, a})
	})
	slices.SortFunc(all, func(a, b Granted) int { return compare(ID{Name: a.User}, ID{Name: b.User}) })
	return all
}

// Granted is what one user, or *PUBLIC, was granted on an object.
type Granted struct {
	User      string
	Authority Authority
}
