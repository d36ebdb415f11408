package objects

import (
	"slices"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/level"
)

// The kinds of objects.
const (
	Queue         = engine.Queue
	RemoteQueue   = engine.Kind("remote-queue")
	AliasQueue    = engine.Kind("alias-queue")
	ModelQueue    = engine.Kind("model-queue")
	Process       = engine.Kind("process")
	Namelist      = engine.Kind("namelist")
	Channel       = engine.Kind("channel")
	ClientChannel = engine.Kind("client-channel")
	Listener      = engine.Kind("listener")
	Service       = engine.Kind("service")
	Topic         = engine.Kind("topic")
	Subscription  = engine.Kind("subscription")
	AuthInfo      = engine.Kind("auth-info")
	CommInfo      = engine.Kind("comm-info")
	QueueManager  = engine.Kind("queue-manager")
)

// Kinds of files that a queue manager has once. They are no objects of the
// engine's; rcdmqimg and rcrmqobj know them (reference, Multiplatforms 3.4 item
// 64).
const (
	Catalogue          = engine.Kind("catalogue")
	SyncFile           = engine.Kind("syncfile")
	ClientChannelTable = engine.Kind("client-channel-table")
)

// Class is what is known of a kind of objects.
type Class struct {
	Kind engine.Kind
	// MQSC is the keyword of DEFINE, and Short its synonyms; TYPE(MQSC) is
	// what a display of queues shows.
	MQSC  string
	Short []string
	// Heading is the attribute that has the name in a display: QUEUE( ).
	Heading string
	// Word names the kind in messages of control commands, and Words are all
	// that -t takes for it.
	Word  string
	Words []string
	// Family: no two objects of a family have the same name. A local queue and
	// an alias are both queues.
	Family string
	// Longest is the length of the longest name.
	Longest int
	// Selector is the attribute that decides which others there are: CHLTYPE.
	Selector string
	// Default is the object that a new one is made like; where there is a
	// selector, by its value.
	Default map[string]string
	// Image says that the kind has media images on a linear log. Channels have
	// none (SEED 7.1: what is not logged can't be replayed).
	Image bool
	// Shown, Created, Changed and Deleted are the ids of messages.
	Shown, Created, Changed, Deleted string
	// Attributes in the order of a display, behind heading and selector.
	Attributes []Attribute
}

// Of gives the class of a kind. Kinds are constants of the program; one that
// has no class is a mistake in it.
func Of(kind engine.Kind) *Class {
	for i := range classes {
		if classes[i].Kind == kind {
			return &classes[i]
		}
	}
	panic("no such kind of objects: " + string(kind))
}

// Classes gives all classes.
func Classes() []*Class {
	all := make([]*Class, len(classes))
	for i := range classes {
		all[i] = &classes[i]
	}
	return all
}

// ByKeyword finds the class that MQSC calls so: QLOCAL, QL.
func ByKeyword(word string) (*Class, bool) {
	for i := range classes {
		if c := &classes[i]; c.MQSC == word || slices.Contains(c.Short, word) {
			return c, true
		}
	}
	return nil, false
}

// FamilyOf gives the kinds that share their names with a kind, itself first.
func FamilyOf(kind engine.Kind) []engine.Kind {
	kinds := []engine.Kind{kind}
	for i := range classes {
		if c := &classes[i]; c.Kind != kind && c.Family == Of(kind).Family {
			kinds = append(kinds, c.Kind)
		}
	}
	return kinds
}

// Attribute finds an attribute that objects of a level have, by its name or,
// where it has two words, by either.
func (c *Class) Attribute(l level.Level, name string) (*Attribute, bool) {
	for i := range c.Attributes {
		a := &c.Attributes[i]
		if (a.Name == name || a.No == name) && a.at(l) {
			return a, true
		}
	}
	return nil, false
}

// Has tells whether an object has an attribute: one of a channel depends on
// its CHLTYPE.
func (c *Class) Has(l level.Level, a *Attribute, attributes map[string]string) bool {
	return a.at(l) && (a.Only == nil || slices.Contains(a.Only, attributes[c.Selector]))
}

// Showing gives the attributes that an object has, in the order of a display.
func (c *Class) Showing(l level.Level, attributes map[string]string) []*Attribute {
	var shown []*Attribute
	for i := range c.Attributes {
		if a := &c.Attributes[i]; c.Has(l, a, attributes) {
			shown = append(shown, a)
		}
	}
	return shown
}

// Value gives an attribute's value: what was set, else that of a new object.
func (c *Class) Value(a *Attribute, attributes map[string]string) string {
	if value, set := attributes[a.Name]; set {
		return value
	}
	return a.usual(attributes[c.Selector])
}

// Differences drops those attributes whose value is that of a new object.
func (c *Class) Differences(attributes map[string]string) map[string]string {
	kept := make(map[string]string, len(attributes))
	for name, value := range attributes {
		i := slices.IndexFunc(c.Attributes, func(a Attribute) bool { return a.Name == name })
		if i < 0 || value != c.Attributes[i].usual(attributes[c.Selector]) {
			kept[name] = value
		}
	}
	return kept
}

// Usual gives the value of an attribute that objects of a kind have where
// nobody has set it; empty: it is not known.
func Usual(kind engine.Kind, l level.Level, name string) string {
	if a, ok := Of(kind).Attribute(l, name); ok {
		return a.usual("")
	}
	return ""
}
