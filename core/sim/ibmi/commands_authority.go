package ibmi

import (
	"context"
	"strings"

	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
)

// objectTypes are the values of OBJTYPE that there are objects of.
var objectTypes = []string{"*CMD", "*FILE", "*JRN", "*JRNRCV", "*LIB", "*MSGQ", "*USRPRF", "*USRSPC"}

// authorityCommands grant, revoke, show and test authority to objects.
func authorityCommands() []command {
	name := parameter{keyword: "OBJ", kind: object, required: true}
	names := parameter{keyword: "OBJ", kind: generic, specials: []string{"*ALL"}, required: true}
	kind := parameter{keyword: "OBJTYPE", kind: special, specials: objectTypes, required: true}
	users := parameter{keyword: "USER", kind: simple, specials: []string{everybody}, most: 50, required: true}
	words := parameter{keyword: "AUT", kind: special, specials: os400.AuthorityWords(), most: 10, required: true}
	tested := words
	tested.required, tested.specials, tested.fallback = false, append([]string{"*NONE"}, words.specials[:3]...), "*NONE"
	tested.specials = append(tested.specials, words.specials[4:]...)
	return []command{
		{"GRTOBJAUT", 4, []parameter{names, kind, users, words}, grantAuthority},
		{"RVKOBJAUT", 4, []parameter{names, kind, users, words}, revokeAuthority},
		{"DSPOBJAUT", 2, []parameter{name, kind, output}, showAuthority},
		{"CHKOBJ", 2, []parameter{name, kind, tested}, checkObject},
	}
}

// objects gives what OBJ and OBJTYPE name: libraries, profiles and commands in
// their own libraries, whatever library is said. CPF9801: there is none.
func (c *call) objects() ([]os400.Object, error) {
	kind := c.args.text("OBJTYPE")[1:]
	id := c.args.object("OBJ", general)
	if q := c.args.text("OBJ"); q == "*ALL" || kind != "JRNRCV" {
		o := objectOf(kind, id)
		return []os400.Object{o}, c.machine.there(o)
	}
	var found []os400.Object
	for _, r := range c.sys.ReceiversIn(id.Library) {
		if os400.Generic(id.Name, r.Name) {
			found = append(found, os400.Object{ID: r.ID, Type: kind})
		}
	}
	if len(found) == 0 {
		return nil, os400.Escape("CPF9801", id, kind)
	}
	return found, nil
}

// objectOf gives an object in the library that it is in.
func objectOf(kind string, id os400.ID) os400.Object {
	switch kind {
	case "LIB", "USRPRF":
		id.Library = systemLib
	case "CMD":
		return commandObject(id.Name)
	case "MSGQ":
		if id.Library == general && id.Name == operator.Name {
			id = operator // QSYS is on every job's library list
		}
	}
	return os400.Object{ID: id, Type: kind}
}

func grantAuthority(_ context.Context, c *call) error {
	return c.eachGrant("CPC2201", c.sys.Grant)
}

func revokeAuthority(_ context.Context, c *call) error {
	return c.eachGrant("CPC2202", c.sys.Revoke)
}

// eachGrant does something with the authority of each user to each object.
func (c *call) eachGrant(done string, do func(os400.Object, string, os400.Authority) error) error {
	objects, err := c.objects()
	if err != nil {
		return err
	}
	words, err := os400.ParseAuthority(c.args.texts("AUT")...)
	if err != nil {
		c.note(Diagnostic, "CPD0084", "AUT", strings.Join(c.args.texts("AUT"), " "), "*EXCLUDE alone")
		return escape("CPF0006", os400.ID{}, "*N")
	}
	users := c.args.texts("USER")
	for _, user := range users {
		if _, err := c.sys.Profile(user); err != nil && user != everybody {
			return err
		}
	}
	for _, o := range objects {
		if !c.mayGrant(o, words) {
			return os400.Escape("CPF2207", o.ID, o.Type)
		}
		for _, user := range users {
			if err := do(o, user, words); err != nil {
				return err
			}
			c.done(done, words, o, user)
		}
	}
	return nil
}

// mayGrant tells whether the user may pass authority on: with *OBJMGT, what it
// has itself, but not *OBJMGT (IBM Documentation, GRTOBJAUT). Its owner may,
// which here is who has all of it.
func (c *call) mayGrant(o os400.Object, words os400.Authority) bool {
	a := c.machine.access(c.job.User, o)
	return a.Has(os400.AutAll) || a.Has(os400.ObjMgt) && a.Has(words) && words&os400.ObjMgt == 0
}

// showAuthority prints who may do what with an object; who has no *OBJMGT sees
// what it may do itself.
func showAuthority(_ context.Context, c *call) error {
	o := objectOf(c.args.text("OBJTYPE")[1:], c.args.object("OBJ", general))
	if err := c.find(o); err != nil {
		return err
	}
	own := c.machine.access(c.job.User, o)
	rows := [][]string{{"User", "Authority"}}
	if !own.Has(os400.ObjMgt) {
		rows = append(rows, []string{c.job.User, own.String()})
		c.columns("Display Object Authority - "+o.String(), "authorities", rows)
		return nil
	}
	for _, g := range c.machine.privileges(o) {
		rows = append(rows, []string{g.User, g.Authority.String()})
	}
	c.columns("Display Object Authority - "+o.String(), "authorities", rows)
	return nil
}

// find says why the user can't look at an object: its library is not there or
// is closed to it, or the object is not there.
func (c *call) find(o os400.Object) error {
	if o.Type != "LIB" && o.Type != "CMD" && o.Type != "USRPRF" {
		library := libraryObject(o.Library)
		if err := c.machine.there(library); err != nil {
			return err
		}
		if !c.machine.reaches(c.job.User, o.Library) {
			return os400.Escape("CPF9820", os400.ID{Name: o.Library})
		}
	}
	return c.machine.there(o)
}

// checkObject is CHKOBJ, the test of an authority that changes nothing: it
// says nothing where all is well. CPF9801, CPF9810: it is not there; CPF9802,
// CPF9820: the user lacks an authority.
func checkObject(_ context.Context, c *call) error {
	o := objectOf(c.args.text("OBJTYPE")[1:], c.args.object("OBJ", general))
	if err := c.find(o); err != nil {
		return err
	}
	if c.args.has("AUT", "*NONE") {
		return nil
	}
	wanted, err := os400.ParseAuthority(c.args.texts("AUT")...)
	if err != nil {
		return err
	}
	if !c.machine.access(c.job.User, o).Has(wanted) {
		return os400.Escape("CPF9802", o.ID, o.Type)
	}
	return nil
}
