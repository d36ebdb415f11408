package connect

import (
	"cmp"
	"slices"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
)

// authority is a row of the table of authorities: an object, and what is
// needed of it for each use.
type authority struct {
	what   string
	object object
	needed map[Use][]string
	wanted bool // without it something is not checked
	// each are the objects that are tested in place of a generic one.
	each []object
	// grant is what gives it, where that is no GRTOBJAUT.
	grant string
}

// words gives what is needed for the uses that are checked, and these.
func (a authority) words(needs Needs) (words []string, uses []Use) {
	for _, u := range Uses() {
		if list := a.needed[u]; len(list) > 0 && needs.uses(u) {
			words, uses = union(words, list), append(uses, u)
		}
	}
	return words, uses
}

// site is what the table has to know of a queue manager.
type site struct {
	library, journal string
	letters          string // how the names of its receivers begin
	receivers        []recovery.SegmentID
	listed, counted  int // receivers in the list, and as the journal counts them; 0: not said
	queues           []object
}

// mostReceivers bounds how many receivers are tested one by one: the oldest,
// which go next, and the newest, whose authorities the next ones take over.
const mostReceivers = 64

// siteOf reads where a queue manager's objects are from what could be learned.
func siteOf(target observe.Target, facts observe.JournalFacts) site {
	j := facts.Journal
	s := site{
		library: cmp.Or(j.Library, target.Library, "QM"+target.Name),
		journal: cmp.Or(j.Name, "AMQAJRN"),
		listed:  len(facts.Receivers), counted: j.Receivers,
	}
	s.letters = s.journal[:min(4, len(s.journal))]
	for _, r := range facts.Receivers {
		s.receivers = append(s.receivers, r.ID)
	}
	if n := len(s.receivers); n > mostReceivers {
		s.receivers = slices.Concat(s.receivers[:mostReceivers/2], s.receivers[n-mostReceivers/2:])
	}
	s.queues = []object{{s.library, "QMQMMSG", "*MSGQ"}, {"QSYS", "QSYSOPR", "*MSGQ"}}
	if q := (object{j.MessageQueue.Library, j.MessageQueue.Name, "*MSGQ"}); q.name != "" && !slices.Contains(s.queues, q) {
		s.queues = append(s.queues, q)
	}
	return s
}

// authorities is the table of what mqhk needs on IBM i (IBM Documentation,
// security reference: the tables "Journal commands", "Journal receiver
// commands", "Common commands for most objects", "File commands"; the services
// of QSYS2; IBM MQ, "Access authorities for IBM MQ objects on IBM i";
// reference, IBM i 3.7, 6). *SAVSYS stands for what saving and restoring need
// of objects.
func (s site) authorities(stores []Store, who profile) []authority {
	saves := []string{"*OBJEXIST"}
	place := []string{"*READ", "*ADD", "*EXECUTE"}
	restores := place
	if who.has("*SAVSYS") {
		saves, restores = nil, []string{"*EXECUTE"}
	}
	rows := []authority{
		{what: "library of the queue manager", object: object{"QSYS", s.library, "*LIB"}, needed: map[Use][]string{
			ForPlan: {"*EXECUTE"}, ForDelete: {"*EXECUTE"}, ForSave: {"*EXECUTE"}, ForImages: {"*EXECUTE"}, ForRestore: restores,
		}},
		{what: "journal", object: object{s.library, s.journal, "*JRN"}, needed: map[Use][]string{
			ForPlan: {"*OBJOPR", "*READ"}, ForDelete: {"*OBJOPR"}, ForImages: {"*OBJOPR", "*OBJMGT", "*UPD"}, ForRestore: {"*OBJOPR", "*OBJMGT"},
		}},
		{what: "receivers", object: object{s.library, s.letters + "*", "*JRNRCV"}, each: s.each(), needed: map[Use][]string{
			ForPlan: {"*OBJOPR", "*READ"}, ForDelete: {"*OBJOPR", "*OBJEXIST", "*READ"}, ForSave: saves, ForImages: {"*OBJMGT", "*USE"},
		}},
		{what: "user space", object: object{s.library, "AMQJRNINF", "*USRSPC"}, needed: map[Use][]string{ForPlan: {"*USE"}}},
	}
	for _, q := range s.queues {
		rows = append(rows, authority{what: "message queue", object: q, wanted: true, needed: map[Use][]string{ForPlan: {"*USE"}}})
	}
	rows = append(rows, commandsNeeded(who)...)
	for _, store := range stores {
		if store.Library != "" {
			rows = append(rows, authority{
				what: "library of save files", object: object{"QSYS", store.Library, "*LIB"},
				needed: map[Use][]string{ForSave: place, ForRestore: place}, grant: "CRTLIB LIB(" + store.Library + ") AUT(*EXCLUDE)",
			})
		}
	}
	if !who.has("*SAVSYS") { // RSTOBJ gives the receiver to its owner again
		rows = append(rows, authority{what: "owner of the receivers", object: object{"QSYS", "QMQM", "*USRPRF"}, needed: map[Use][]string{ForRestore: {"*ADD"}}})
	}
	return merged(rows)
}

// each gives the receivers that are tested.
func (s site) each() []object {
	all := make([]object, len(s.receivers))
	for i, id := range s.receivers {
		all[i] = object{id.Library, id.Name, "*JRNRCV"}
	}
	return all
}

// commandsNeeded gives the commands that are given. Those of MQ that record
// images are for members of QMQMADM, whatever else is granted.
func commandsNeeded(who profile) []authority {
	var rows []authority
	for _, c := range []struct {
		name string
		uses []Use
	}{
		{"DLTJRNRCV", []Use{ForDelete}}, {"CHGJRN", []Use{ForImages}}, {"CRTSAVF", []Use{ForSave, ForRestore}},
		{"SAVOBJ", []Use{ForSave}}, {"RSTOBJ", []Use{ForRestore}}, {"DLTF", []Use{ForSave, ForRestore}},
	} {
		row := authority{what: "command", object: object{"QSYS", c.name, "*CMD"}, needed: map[Use][]string{}}
		for _, u := range c.uses {
			row.needed[u] = []string{"*USE"}
		}
		rows = append(rows, row)
	}
	return append(rows, authority{
		what: "command", object: object{"QMQM", "RCDMQMIMG", "*CMD"}, needed: map[Use][]string{ForImages: {"*USE"}}, grant: who.join(),
	})
}

// merged puts rows of one object together, so that one grant gives all that is
// needed of it.
func merged(rows []authority) []authority {
	var all []authority
	for _, row := range rows {
		at := slices.IndexFunc(all, func(a authority) bool { return a.object == row.object })
		if at < 0 {
			all = append(all, row)
			continue
		}
		for u, words := range row.needed {
			all[at].needed[u] = union(all[at].needed[u], words)
		}
	}
	return all
}
