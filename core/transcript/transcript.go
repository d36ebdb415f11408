package transcript

import (
	"slices"
	"strings"
	"time"

	"github.com/mqhk/mqhk/core/observe"
)

// Transcript is an ordered list of directives and of questions with their
// answers. It does not change once it was read or recorded, and may be used by
// several goroutines.
type Transcript struct {
	entries  []entry
	warnings []string
}

// entry is one header with its body: a directive (one of the pointers to
// small types) or a block.
type entry any

// block is a question and what came back.
type block struct {
	language observe.Language
	manager  string
	text     string // empty: answers every question of its language
	failed   bool   // an ERROR block
	body     []byte
}

func (b *block) question() observe.Question {
	return observe.Question{Language: b.language, QueueManager: b.manager, Text: b.text}
}

// clock says what time it was on a queue manager's system, or, without a
// name, on all of them.
type clock struct {
	manager string
	at      time.Time
}

// target declares a queue manager (QMGR) or a queue-sharing group (QSG).
type target struct {
	name     string
	platform observe.Platform
	group    bool
}

// zone says in which zone a system's local stamps are.
type zone struct{ name, area string }

// member says that a queue manager belongs to a queue-sharing group.
type member struct {
	manager, group string
	active         bool
}

// Member is a queue manager of a queue-sharing group; Active tells whether it
// was running when the transcript was taken.
type Member struct {
	QueueManager string
	Active       bool
}

// Members lists the members of a queue-sharing group in the order of the
// file; none for a name that is no group.
func (t *Transcript) Members(group string) []Member {
	var members []Member
	for _, e := range t.entries {
		if m, ok := e.(*member); ok && m.group == group {
			members = append(members, Member{QueueManager: m.manager, Active: m.active})
		}
	}
	return members
}

// Targets lists what the transcript can be planned for, in the order of the
// file, with members and time zone where the file names them. A group without
// a zone of its own has that of its members if they agree. The library of an
// IBM i queue manager is that of the AMQJRNINF user space the file holds, if
// it holds one: by it the facts of a non-standard library are found again.
func (t *Transcript) Targets() []observe.Target {
	zones := t.zones()
	var targets []observe.Target
	for _, e := range t.entries {
		declared, ok := e.(*target)
		if !ok {
			continue
		}
		made := observe.Target{Name: declared.name, Platform: declared.platform, Group: declared.group, Zone: zones[declared.name]}
		for _, m := range t.Members(declared.name) {
			made.Members = append(made.Members, m.QueueManager)
		}
		if made.Group && made.Zone == "" {
			made.Zone = common(made.Members, zones)
		}
		if made.Platform == observe.IBMi {
			made.Library = t.library(made.Name)
		}
		targets = append(targets, made)
	}
	return targets
}

// Clock gives the latest time that the transcript knows for a queue manager:
// that of its own last CLOCK line, else of the last one without a name, and
// false when there is neither.
func (t *Transcript) Clock(manager string) (time.Time, bool) {
	clocks := clocks{}
	for _, e := range t.entries {
		if c, ok := e.(*clock); ok {
			clocks[c.manager] = c.at
		}
	}
	at := clocks.of(manager)
	return at, !at.IsZero()
}

// clocks holds the last CLOCK seen by name; the empty name is everybody's.
type clocks map[string]time.Time

func (c clocks) of(manager string) time.Time {
	if at, ok := c[manager]; ok {
		return at
	}
	return c[""]
}

func (t *Transcript) zones() map[string]string {
	zones := map[string]string{}
	for _, e := range t.entries {
		if z, ok := e.(*zone); ok {
			zones[z.name] = z.area
		}
	}
	return zones
}

// common gives the zone in which all members are, or nothing.
func common(members []string, zones map[string]string) string {
	var found []string
	for _, m := range members {
		if !slices.Contains(found, zones[m]) {
			found = append(found, zones[m])
		}
	}
	if len(found) != 1 {
		return ""
	}
	return found[0]
}

// library gives the library of the queue manager's AMQJRNINF, or nothing when
// the transcript holds none or more than one.
func (t *Transcript) library(manager string) string {
	found := ""
	for _, e := range t.entries {
		b, ok := e.(*block)
		if !ok || b.language != observe.UsrSpc || b.manager != manager {
			continue
		}
		library, name, ok := strings.Cut(b.text, "/")
		if !ok || !strings.EqualFold(strings.TrimSpace(name), "AMQJRNINF") {
			continue
		}
		library = strings.ToUpper(strings.TrimSpace(library))
		if found != "" && found != library {
			return ""
		}
		found = library
	}
	return found
}
