package policies

import (
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/mqhk/mqhk/core/observe"
)

// Target is a queue manager or a queue-sharing group and how it is reached.
type Target struct {
	observe.Target
	Connection *Connection // nil only for a group whose members have their own
	At         Place
}

// Connection says how a target is reached. What Kind and Settings mean is for
// agent/connect to say.
type Connection struct {
	Kind     string
	Settings Settings
	At       Place
}

// readManager reads a queue_manager block.
func (r *reader) readManager(raw *hclsyntax.Block) {
	b := open(r.source, raw, r.ds, "NAME")
	if b == nil {
		return
	}
	t := Target{At: b.label(raw, 0)}
	t.Name = b.labels[0]
	b.require("platform", `write platform = "ibmi", "multiplatforms" or "zos"`)
	t.Platform = observe.Platform(b.word("platform", platformWords...))
	if problem := checkManager(t.Name, t.Platform); problem != "" && (b.is("platform", textValue) || t.Name == "") {
		r.ds.add(t.At, "not a queue manager", "%s", problem)
	}
	t.Library = b.text("library")
	switch {
	case !b.is("library", textValue):
	case t.Platform != observe.IBMi:
		r.ds.add(b.place("library"), "without effect", "only a queue manager on IBM i has a library")
	case !libraryName.MatchString(t.Library):
		r.ds.add(b.place("library"), "not a library", "%q: a library has 1 to 10 characters A-Z, 0-9, $, #, @, _ and dot", t.Library)
	}
	t.Zone = r.readZone(b)
	t.Connection = r.readConnection(b)
	if t.Connection == nil && len(b.blocks("connection")) == 0 {
		b.lacks(t.At, "missing connection", `say how the queue manager is reached: connection "kind" { ... }`)
	}
	b.finish()
	r.found.Targets = append(r.found.Targets, t)
}

// readGroup reads a sharing_group block.
func (r *reader) readGroup(raw *hclsyntax.Block) {
	b := open(r.source, raw, r.ds, "NAME")
	if b == nil {
		return
	}
	t := Target{At: b.label(raw, 0)}
	t.Name, t.Platform, t.Group = b.labels[0], observe.ZOS, true
	if !zosName.MatchString(t.Name) {
		r.ds.add(t.At, "not a sharing group", "%q: a group has 1 to 4 characters A-Z, 0-9, $, #, @, the first no digit", t.Name)
	}
	b.require("members", `name the group's queue managers: members = ["QMA1", "QMA2"]`)
	t.Members = r.readMembers(b)
	t.Backup = b.text("backup_queue_manager")
	if b.is("backup_queue_manager", textValue) && b.is("members", listValue) && !slices.Contains(t.Members, t.Backup) {
		// BACKUP CFSTRUCT is a command of a member.
		r.ds.add(b.place("backup_queue_manager"), "not a member", "%q; %s", t.Backup, suggest(t.Backup, t.Members))
	}
	t.Zone = r.readZone(b)
	t.Connection = r.readConnection(b)
	b.finish()
	r.found.Targets = append(r.found.Targets, t)
}

// readMembers reads the names of a group's queue managers.
func (r *reader) readMembers(b *block) []string {
	var members []string
	for _, v := range b.words("members") {
		switch problem := checkManager(v.text, observe.ZOS); {
		case v.kind != textValue:
			continue
		case problem != "":
			r.ds.add(v.at, "not a queue manager", "%s", problem)
		case slices.Contains(members, v.text):
			r.ds.add(v.at, "member given twice", "%q stands here before", v.text)
		}
		members = append(members, v.text)
	}
	if b.is("members", listValue) && len(members) == 0 {
		r.ds.add(b.place("members"), "no members", "a group has at least one queue manager")
	}
	return members
}

func (r *reader) readZone(b *block) string {
	zone := b.text("zone")
	if b.is("zone", textValue) {
		if err := checkZone(zone); err != nil {
			r.ds.add(b.place("zone"), "unknown time zone", "%v", err)
		}
	}
	return zone
}

// readConnection reads the connection block, if there is one.
func (r *reader) readConnection(b *block) *Connection {
	raw := b.single("connection")
	if raw == nil {
		return nil
	}
	c := open(r.source, raw, r.ds, "kind")
	if c == nil {
		return nil
	}
	connection := &Connection{Kind: c.labels[0], Settings: c.settings("connection"), At: c.label(raw, 0)}
	c.finish()
	if problem := checkName(connection.Kind); problem != "" {
		r.ds.add(connection.At, "not a name", "%s", problem)
	} else {
		r.checkSettings(connection.Settings, connection.Kind, connection.At, "connection", r.checks.Connections)
	}
	return connection
}

// checkMembers complains of a member that can't be reached: the group has no
// connection and the configuration no queue manager of that name.
func (r *reader) checkMembers() {
	for _, t := range r.found.Targets {
		if !t.Group || t.Connection != nil {
			continue
		}
		for _, member := range t.Members {
			if other, ok := r.found.Target(member); !ok || other.Group {
				r.ds.add(t.At, "missing connection", "%s", fmt.Sprintf(
					"the group has none, and its member %s has no queue_manager block", member))
			}
		}
	}
}
