package ibmi

import (
	"slices"
	"strings"

	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
)

// permission is what the user of a command must have beside authority to the
// command.
type permission struct {
	special []string // all of these special authorities
	needs   func(c *call) []need
}

// permissions are those of the commands that ask for something (IBM
// Documentation, security reference: the tables "Journal commands", "Journal
// receiver commands", "Common commands for most objects", "File commands",
// "Message queue commands"; restrictions of the commands). What DLTJRNRCV and
// SAVOBJ ask of each receiver is asked receiver by receiver.
var permissions = map[string]permission{
	"ADDEXITPGM": {special: []string{"*ALLOBJ", "*SECADM"}},
	"RMVEXITPGM": {special: []string{"*ALLOBJ", "*SECADM"}},
	"CRTUSRPRF":  {special: []string{"*SECADM"}},
	"CHGUSRPRF":  {special: []string{"*SECADM"}},
	"PWRDWNSYS":  {special: []string{"*JOBCTL"}},

	"CHGJRN": {needs: changeJournalNeeds},
	"CRTJRN": {needs: func(c *call) []need {
		id := c.args.object("JRN", general)
		return []need{place(id.Library), on("JRNRCV", c.args.object("JRNRCV", general), os400.ObjOpr|os400.ObjMgt|os400.Read)}
	}},
	"DLTJRN": {needs: func(c *call) []need {
		n := on("JRN", c.args.object("JRN", general), os400.ObjOpr|os400.ObjExist)
		n.gone = true
		return []need{n}
	}},
	"WRKJRNA": {needs: func(c *call) []need { return []need{shownJournal(c.args.object("JRN", general))} }},

	"CRTJRNRCV":  {needs: func(c *call) []need { return []need{place(c.args.object("JRNRCV", general).Library)} }},
	"DSPJRNRCVA": {needs: func(c *call) []need { return c.machine.shownReceiver(c.args.object("JRNRCV", general)) }},

	"CRTSAVF": {needs: func(c *call) []need { return []need{place(c.args.object("FILE", general).Library)} }},
	"DLTF": {needs: func(c *call) []need {
		n := on("FILE", c.args.object("FILE", general), os400.ObjOpr|os400.ObjExist)
		n.gone = true
		return []need{n}
	}},
	"SAVOBJ": {needs: func(c *call) []need {
		return []need{on("FILE", c.args.object("SAVF", general), os400.AutUse|os400.Add)}
	}},
	"RSTOBJ": {needs: restoreNeeds},

	"DSPMSG":  {needs: func(c *call) []need { return []need{on("MSGQ", c.queue(), os400.AutUse)} }},
	"CLRMSGQ": {needs: func(c *call) []need { return []need{on("MSGQ", c.queue(), os400.ObjOpr|os400.Dlt)} }},
	"SNDRPY":  {needs: func(c *call) []need { return []need{on("MSGQ", c.queue(), os400.AutUse|os400.Add)} }},
	"DSPF": {needs: func(c *call) []need {
		id, isSpace := spaceAt(c.args.text("STMF"))
		if !isSpace {
			return nil // stream files are everybody's to read
		}
		return []need{on("USRSPC", id, os400.AutUse)}
	}},
}

// changeJournalNeeds are those of CHGJRN: the journal, the attached receiver,
// and the one that is to be attached if it is named.
func changeJournalNeeds(c *call) []need {
	id := c.args.object("JRN", general)
	if c.args.has("JRNRCV", "*ASSOC") { // stands for ASSOCIATE_JOURNAL_RECEIVER
		return []need{on("JRN", id, os400.ObjOpr|os400.ObjMgt)}
	}
	needs := []need{on("JRN", id, os400.ObjOpr|os400.ObjMgt|os400.Upd)}
	if j, err := c.sys.Journal(id); err == nil {
		needs = append(needs, on("JRNRCV", j.Attached, os400.ObjMgt|os400.AutUse))
	}
	if named := c.args.text("JRNRCV"); !strings.HasPrefix(named, "*") {
		needs = append(needs, on("JRNRCV", c.args.object("JRNRCV", id.Library), os400.ObjMgt|os400.AutUse))
	}
	return needs
}

// restoreNeeds are those of RSTOBJ: the save file, a place in the library, and
// the right to add to what the owner of MQ's objects owns. *SAVSYS stands for
// the last two.
func restoreNeeds(c *call) []need {
	needs := []need{on("FILE", c.args.object("SAVF", general), os400.AutUse)}
	if c.sys.Special(c.job.User, "*SAVSYS") {
		return needs
	}
	library := c.args.text("RSTLIB")
	if library == "*SAVLIB" {
		library = c.args.text("SAVLIB")
	}
	return append(needs, place(library), on("USRPRF", os400.ID{Library: systemLib, Name: product}, os400.Add))
}

// shownJournal is what looking at a journal asks for.
func shownJournal(id os400.ID) need {
	n := on("JRN", id, os400.ObjOpr)
	n.data = true
	return n
}

// shownReceiver is what looking at a receiver asks for; a receiver of a journal
// asks for *OBJOPR to that too.
func (m *Machine) shownReceiver(id os400.ID) []need {
	n := on("JRNRCV", id, os400.ObjOpr)
	n.data = true
	needs := []need{n}
	if r, err := m.sys.Receiver(id); err == nil && r.Journal != (os400.ID{}) {
		needs = append(needs, on("JRN", r.Journal, os400.ObjOpr))
	}
	return needs
}

// mayDelete says why the user may not delete a receiver: authority to it and
// to its journal, and for DLTOPT(*IGNEXITPGM) both special authorities
// (reference, IBM i 3.3, 6 [S23,S36]).
func (c *call) mayDelete(id os400.ID, o os400.DeleteOptions) error {
	if o.IgnoreExits {
		if err := c.special("*ALLOBJ", "*SECADM"); err != nil {
			return err
		}
	}
	if c.sys.Special(c.job.User, "*ALLOBJ") {
		return nil
	}
	needs := c.machine.shownReceiver(id)
	needs[0].wanted |= os400.ObjExist
	for i := range needs {
		needs[i].gone = true
	}
	return c.machine.permit(c.job.User, needs...)
}

// saveable gives which objects of a library the user may save of those that
// were named, and how many it may not: *OBJEXIST to each, *EXECUTE to the
// library, or *SAVSYS alone (restrictions of SAVOBJ). All is meant where it may
// save everything.
func (c *call) saveable(library string, names []string) (may []string, left []string, err error) {
	if c.sys.Special(c.job.User, "*ALLOBJ") || c.sys.Special(c.job.User, "*SAVSYS") {
		return names, nil, nil
	}
	if err := c.machine.permit(c.job.User, need{object: libraryObject(library), wanted: os400.Execute}); err != nil {
		return nil, nil, err
	}
	for _, o := range c.machine.objectsIn(library, c.types()) {
		if !slices.ContainsFunc(names, func(pattern string) bool { return os400.Generic(pattern, o.Name) }) {
			continue
		}
		if c.machine.access(c.job.User, o).Has(os400.ObjExist) {
			may = append(may, o.Name)
			continue
		}
		left = append(left, o.Name)
		c.note(Diagnostic, "CPF9802", o.Name, o.Library, o.Type)
	}
	return may, left, nil
}

// objectsIn gives what SAVOBJ can save of a library.
func (m *Machine) objectsIn(library string, types os400.ObjectTypes) []os400.Object {
	var all []os400.Object
	if types.Journals {
		for _, j := range m.sys.Journals(library) {
			all = append(all, os400.Object{ID: j.ID, Type: "JRN"})
		}
	}
	if types.Receivers {
		for _, r := range m.sys.ReceiversIn(library) {
			all = append(all, os400.Object{ID: r.ID, Type: "JRNRCV"})
		}
	}
	return all
}
