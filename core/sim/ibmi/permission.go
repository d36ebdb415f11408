package ibmi

import (
	"slices"

	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
)

// need is what a command asks for: authority to an object, and *EXECUTE to
// the library that it is in.
type need struct {
	object os400.Object
	wanted os400.Authority
	data   bool // and a data authority other than *EXECUTE
	// gone: the object is to be deleted, which has messages of its own.
	gone bool
}

// on makes a need.
func on(kind string, id os400.ID, wanted os400.Authority) need {
	return need{object: os400.Object{ID: id, Type: kind}, wanted: wanted}
}

// place is what making an object in a library asks for (IBM Documentation,
// "Authority required for objects used by commands").
func place(library string) need {
	return need{object: libraryObject(library), wanted: os400.Read | os400.Add | os400.Execute}
}

// enough tells whether a user has what a need asks for.
func (m *Machine) enough(user string, n need) bool {
	a := m.access(user, n.object)
	return a.Has(n.wanted) && (!n.data || a.HasData())
}

// reaches tells whether a user may look for something in a library.
func (m *Machine) reaches(user, library string) bool {
	return m.access(user, libraryObject(library)).Has(os400.Execute)
}

// permit says which need the user of a command lacks: CPF9820 or CPF9802; for
// what is to be deleted CPF2182 or CPF2189. What is not there is left to the
// command.
func (m *Machine) permit(user string, needs ...need) error {
	if m.sys.Special(user, "*ALLOBJ") {
		return nil
	}
	for _, n := range needs {
		library, object := "CPF9820", "CPF9802"
		if n.gone {
			library, object = "CPF2182", "CPF2189"
		}
		isLibrary := n.object.Type == "LIB"
		switch {
		case m.there(n.object) != nil:
		case !isLibrary && !m.reaches(user, n.object.Library):
			return os400.Escape(library, os400.ID{Name: n.object.Library})
		case m.enough(user, n):
		case isLibrary:
			return os400.Escape(library, os400.ID{Name: n.object.Name})
		default:
			return os400.Escape(object, n.object.ID, n.object.Type)
		}
	}
	return nil
}

// special says which special authority the user of a command lacks: CPF222E.
func (c *call) special(words ...string) error {
	for _, word := range words {
		if !c.sys.Special(c.job.User, word) {
			return escape("CPF222E", os400.ID{}, word)
		}
	}
	return nil
}

// permitted says why the user may not give a command: the command itself,
// then what it works on, by the table of permissions.
func (c *call) permitted(row *command) error {
	if _, err := c.sys.Profile(c.job.User); err != nil {
		return err
	}
	if c.sys.Special(c.job.User, "*ALLOBJ") && c.sys.Special(c.job.User, "*SECADM") {
		return nil
	}
	object := commandObject(row.name)
	service := c.args.has("JRNRCV", "*ASSOC") // of QSYS2, for which CHGJRN stands
	if !service && !c.machine.access(c.job.User, object).Has(os400.AutUse) {
		c.note(Diagnostic, "CPD0032", object.Name, object.Library)
		return escape("CPF0006", os400.ID{}, row.name)
	}
	if slices.Contains(group1, row.name) && !c.machine.mayAdminister(c.job.User) {
		return escape("AMQ8135", os400.ID{})
	}
	p := permissions[row.name]
	if err := c.special(p.special...); err != nil {
		return err
	}
	if p.needs == nil {
		return nil
	}
	return c.machine.permit(c.job.User, p.needs(c)...)
}

// own gives who has made an object all authority to it. Ownership is no more
// than that here.
func (c *call) own(kind string, id os400.ID) error {
	if c.sys.Special(c.job.User, "*ALLOBJ") {
		return nil
	}
	return c.sys.Grant(os400.Object{ID: id, Type: kind}, c.job.User, os400.AutAll)
}
