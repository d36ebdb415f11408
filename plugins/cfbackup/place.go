package cfbackup

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mqhk/mqhk/core/observe/qsg"
)

// check is one thing that a member has to have to take backups.
type check struct {
	what  string
	state answer
	says  string
}

// place is a member as one that takes backups.
type place struct {
	name   string
	checks []check
	ring   ring
	// closed are the structures of which it can't read a data set, and why.
	closed map[string]string
}

// fit tells whether the member can take backups: every check says yes. What is not
// known is no yes: images that overrun its log stop it.
func (p place) fit() bool {
	return !slices.ContainsFunc(p.checks, func(c check) bool { return c.state != yes })
}

// lacks says why it can't.
func (p place) lacks() string {
	var why []string
	for _, c := range p.checks {
		if c.state != yes {
			why = append(why, c.what+": "+c.says)
		}
	}
	return strings.Join(why, "; ")
}

// placeOf looks at a member: in the group, active, its command server answering
// (trap 5), connected to Db2 (trap 36), its log not suspended (trap 34), with
// room, and offloaded.
func (v view) placeOf(name string) place {
	p := place{name: name, closed: map[string]string{}}
	m, ok := v.group.Member(name)
	if !ok || !m.Number.Known && m.Status == qsg.MemberUnknown {
		p.checks = []check{{"member", no, fmt.Sprintf("DISPLAY GROUP shows no %s", name)}}
		return p
	}
	p.ring = ringOf(m)
	p.checks = []check{
		{"state", stateIs(string(m.Status), string(qsg.MemberActive), string(qsg.MemberUnknown)), string(m.Status)},
		serverCheck(m),
		{"Db2", stateIs(m.DB2Connection, db2Active, ""), orNotKnown(m.DB2Connection)},
		v.logCheck(m, p.ring),
	}
	for _, s := range v.group.Structures {
		if why := closedFor(v.group, s.Name, name); why != "" {
			p.closed[s.Name] = why
		}
	}
	return p
}

// stateIs tells whether a word is the one that is good; unsaid is the one that
// says nothing.
func stateIs(word, good, unsaid string) answer {
	switch word {
	case good:
		return yes
	case unsaid, "":
		return notKnown
	}
	return no
}

// serverCheck tells whether the command server answers, without which CMDSCOPE
// does not reach the member. Where each member was asked for itself, its own
// answers say so.
func serverCheck(m *qsg.Member) check {
	switch {
	case m.CommandServer == qsg.Yes, m.CommandServer == qsg.Unsaid && m.Log.Known:
		return check{"command server", yes, "answers"}
	case m.CommandServer == qsg.No:
		return check{"command server", no, "did not answer"}
	}
	return check{"command server", notKnown, "not asked"}
}

func orNotKnown(word string) string {
	if word == "" {
		return "not known"
	}
	return word
}

// logCheck looks at the log in which the images will lie.
func (v view) logCheck(m *qsg.Member, r ring) check {
	c := check{"log", yes, "room for " + r.String()}
	switch {
	case !m.Log.Known:
		c.state, c.says = notKnown, "not known"
	case m.Log.Suspended == qsg.Yes:
		c.state, c.says = no, "suspended (SUSPEND QMGR LOG)"
	case m.Log.ToOffload.Known && m.Log.Total.Known && m.Log.ToOffload.Value >= m.Log.Total.Value-1:
		c.state, c.says = no, fmt.Sprintf("%d of %d active logs are not archived yet", m.Log.ToOffload.Value, m.Log.Total.Value)
	case !r.known:
		c.state, c.says = notKnown, "how much room its active logs have is not known"
	}
	return c
}

// The states of a connection to a data set in which it can't be read (DISPLAY
// SMDSCONN). One that is CLOSED is opened when it is needed.
var unreadable = []string{"NOTENABLED", "ALLOCFAIL", "OPENFAIL", "STGFAIL", "DATAFAIL"}

// closedFor tells why a member can't back a structure up: it reads the messages of
// every data set of it (00C50D00, case 38, trap 9).
func closedFor(g *qsg.Group, structure, member string) string {
	for _, d := range g.DataSets {
		if d.Structure != structure {
			continue
		}
		if d.Access != "" && d.Access != "ENABLED" {
			return fmt.Sprintf("the data set of %s has ACCESS(%s)", d.Owner, d.Access)
		}
		if d.Status == qsg.Failed || d.Status == qsg.InRecover {
			return fmt.Sprintf("the data set of %s has STATUS(%s)", d.Owner, d.Status)
		}
		for _, c := range d.Connections {
			if c.Viewer != member {
				continue
			}
			if slices.Contains(unreadable, c.Status) || c.Available == "ERROR" || c.Available == "STOPPED" {
				return fmt.Sprintf("%s can't read the data set of %s: STATUS(%s) AVAIL(%s); first START SMDSCONN(%s) CFSTRUCT(%s) CMDSCOPE(%s)",
					member, d.Owner, c.Status, c.Available, d.Owner, structure, member)
			}
		}
	}
	return ""
}

// traffic tells what shows that applications use a member: messages that it put
// into its own data sets, and log of it that no image filled. The dedicated member
// should have none, so that a recovery reads only images there (reference 6.10).
func traffic(g *qsg.Group, member string) string {
	var messages int64
	for _, d := range g.DataSets {
		if d.Owner == member && d.Usage.Messages.Known {
			messages += d.Usage.Messages.Value
		}
	}
	if messages > 0 {
		return fmt.Sprintf("%d messages in the shared message data sets were put through %s", messages, member)
	}
	return ""
}

// dedicated gives the member that is to take the backups: that of the task, else
// that of the target.
func (v view) dedicated() string {
	if name := v.request.Config.String("backup_queue_manager"); name != "" {
		return strings.ToUpper(name)
	}
	return v.request.Target.Backup
}

// places gives the members that may take the backups, the dedicated one first.
func (v view) places() []place {
	var all []place
	for _, name := range append([]string{v.dedicated()}, v.request.Config.Strings("stand_in")...) {
		name = strings.ToUpper(name)
		if name != "" && !slices.ContainsFunc(all, func(p place) bool { return p.name == name }) {
			all = append(all, v.placeOf(name))
		}
	}
	return all
}
