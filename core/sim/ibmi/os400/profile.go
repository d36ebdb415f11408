package os400

import (
	"fmt"
	"slices"
)

// Profile gives a user profile. CPF2204: there is none.
func (s *System) Profile(name string) (Profile, error) {
	switch name {
	case administrator:
		return Profile{Name: administrator, Group: mqGroup, Special: SpecialWords()}, nil
	case mqGroup:
		return Profile{Name: mqGroup}, nil
	}
	if p, ok := s.security.Load().Profiles[name]; ok {
		return p, nil
	}
	return Profile{}, Escape("CPF2204", ID{Name: name})
}

// CreateProfile is CRTUSRPRF. CPF2214: there is one. CPF2259: its group is not
// there, or is a member of a group itself.
func (s *System) CreateProfile(p Profile) error {
	_, err := s.Profile(p.Name)
	if err == nil {
		return Escape("CPF2214", ID{Name: p.Name})
	}
	return s.putProfile(p)
}

// ChangeProfile is CHGUSRPRF: the profile as it is to be. CPF2204: there is
// none. CPF2259: see [System.CreateProfile]. The profiles of the beginning
// can't be changed.
func (s *System) ChangeProfile(p Profile) error {
	if _, ok := s.security.Load().Profiles[p.Name]; !ok {
		return Escape("CPF2204", ID{Name: p.Name})
	}
	return s.putProfile(p)
}

func (s *System) putProfile(p Profile) error {
	if err := p.check(); err != nil {
		return err
	}
	if p.Group != "" {
		if group, err := s.Profile(p.Group); err != nil || group.Group != "" || p.Group == p.Name {
			return Escape("CPF2259", ID{Name: p.Group})
		}
	}
	p.Special = slices.Clone(p.Special)
	slices.Sort(p.Special)
	p.Special = slices.Compact(p.Special)
	err := s.secure(func(sec *security) error {
		sec.Profiles[p.Name] = p
		return nil
	})
	if err != nil {
		return fmt.Errorf("writing user profile %s: %w", p.Name, err)
	}
	return nil
}

// members gives the names under which a user may be granted something in
// person: its own, and its group.
func (s *System) members(user string) []string {
	names := []string{user}
	if p, err := s.Profile(user); err == nil && p.Group != "" {
		names = append(names, p.Group)
	}
	return names
}

// Special tells whether a user, or its group, has a special authority.
func (s *System) Special(user, word string) bool {
	return slices.ContainsFunc(s.members(user), func(name string) bool {
		p, err := s.Profile(name)
		return err == nil && slices.Contains(p.Special, word)
	})
}

// InGroup tells whether a user is a member of a group, or the group itself.
func (s *System) InGroup(user, group string) bool { return slices.Contains(s.members(user), group) }
