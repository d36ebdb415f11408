package ibmi

import (
	"slices"

	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
)

// privilege is what one user may do with an object.
type privilege struct {
	object os400.Object
	os400.Granted
}

// word gives the authority as the service does: one of the sets, or that it is
// none of them.
func (p privilege) word() string {
	sets := []os400.Authority{os400.AutAll, os400.AutChange, os400.AutUse, os400.AutExclude}
	return either(slices.Contains(sets, p.Authority), p.Authority.String(), "USER DEFINED")
}

func (p privilege) says(a os400.Authority) string { return either(p.Authority.Has(a), "YES", "NO") }

// privilegeInfo shows who may do what with commands and libraries (IBM
// Documentation, OBJECT_PRIVILEGES view). Who has no *OBJMGT to one sees what
// it has itself and what everybody may; no source says so.
func privilegeInfo() service {
	type row = privilege
	return viewOf(
		func(m viewer) (rows []row, _ error) {
			for _, o := range m.guarded() {
				own := m.access(m.user, o)
				for _, g := range m.privileges(o) {
					if own.Has(os400.ObjMgt) || g.User == everybody || m.sys.InGroup(m.user, g.User) {
						rows = append(rows, row{o, g})
					}
				}
			}
			return rows, nil
		},
		column[row]{"SYSTEM_OBJECT_SCHEMA", func(r row) string { return r.object.Library }},
		column[row]{"SYSTEM_OBJECT_NAME", func(r row) string { return r.object.Name }},
		column[row]{"OBJECT_TYPE", func(r row) string { return "*" + r.object.Type }},
		column[row]{"AUTHORIZATION_NAME", func(r row) string { return r.User }},
		column[row]{"OBJECT_AUTHORITY", func(r row) string { return r.word() }},
		column[row]{"OBJECT_OPERATIONAL", func(r row) string { return r.says(os400.ObjOpr) }}, // names of these from memory
		column[row]{"DATA_READ", func(r row) string { return r.says(os400.Read) }},
		column[row]{"DATA_EXECUTE", func(r row) string { return r.says(os400.Execute) }},
	)
}

// guarded gives the commands and the libraries.
func (m *Machine) guarded() []os400.Object {
	var all []os400.Object
	for _, name := range Commands() {
		all = append(all, commandObject(name))
	}
	for _, name := range m.sys.Libraries() {
		all = append(all, libraryObject(name))
	}
	return all
}

// privileges gives who may do what with an object: what was granted, and what
// it was shipped with where nothing was.
func (m *Machine) privileges(o os400.Object) []os400.Granted {
	all := m.sys.Grants(o)
	shipped := m.shipped(o)
	for _, user := range []string{mqGroup, everybody} {
		said := slices.ContainsFunc(all, func(g os400.Granted) bool { return g.User == user })
		if a, ok := shipped[user]; ok && !said {
			all = append(all, os400.Granted{User: user, Authority: a})
		}
	}
	return all
}
