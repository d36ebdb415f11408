package policies

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mqhk/mqhk/core/observe"
)

// The kinds of action that a task may allow, as plugins.Kind spells them.
const (
	AllowCommand      = "command"
	AllowArchive      = "archive"
	AllowMarkArchived = "mark-archived"
	AllowDelete       = "delete"
	AllowAlert        = "alert"
	AllowCustom       = "custom"
)

// kindWords are the kinds in the order in which lists of them are written.
var kindWords = []string{AllowCommand, AllowArchive, AllowMarkArchived, AllowDelete, AllowAlert, AllowCustom}

// Capability is one kind of action that a task allows its plugin to plan.
type Capability struct {
	Kind string       // one of the kinds above
	Verb observe.Verb // of a command, as observe.Classify gives it; empty: of whatever is a change
}

// String gives the capability as the language writes it: "delete", or
// "command:BACKUP CFSTRUCT".
func (c Capability) String() string {
	if c.Verb == "" {
		return c.Kind
	}
	return c.Kind + ":" + string(c.Verb)
}

// ParseCapability reads a capability as it is written. A command that lets log
// pieces go, or that only a person gives, can't be allowed under any name.
func ParseCapability(text string) (Capability, error) {
	kind, name, named := strings.Cut(text, ":")
	switch {
	case !slices.Contains(kindWords, kind):
		return Capability{}, fmt.Errorf("%q is not known; %s", kind, suggest(kind, kindWords))
	case !named:
		return Capability{Kind: kind}, nil
	case kind != AllowCommand:
		return Capability{}, fmt.Errorf(`only a command is named, as in "command:BACKUP CFSTRUCT": write %q`, kind)
	case strings.TrimSpace(name) == "":
		return Capability{}, errors.New(`a command has a name, as in "command:BACKUP CFSTRUCT"; "command" alone is whatever is a change`)
	}
	verb, err := observe.ChangeVerb(name)
	if err != nil {
		return Capability{}, err
	}
	return Capability{kind, verb}, nil
}

// Capabilities are all that a task allows.
type Capabilities []Capability

// Commands gives the capabilities for the commands of these verbs.
func Commands(verbs ...observe.Verb) Capabilities {
	list := make(Capabilities, len(verbs))
	for i, verb := range verbs {
		list[i] = Capability{AllowCommand, verb}
	}
	return list
}

// Actions gives the capabilities for whole kinds of action.
func Actions(kinds ...string) Capabilities {
	list := make(Capabilities, len(kinds))
	for i, kind := range kinds {
		list[i] = Capability{Kind: kind}
	}
	return list
}

// Has tells whether something is allowed, by itself or as one of all commands.
func (cs Capabilities) Has(c Capability) bool {
	return slices.Contains(cs, c) || slices.Contains(cs, Capability{Kind: c.Kind})
}

// With gives the capabilities with others beside them, each once, in the order
// in which they are written.
func (cs Capabilities) With(others ...Capability) Capabilities {
	var all Capabilities
	for _, c := range slices.Concat(cs, others) {
		if !all.Has(c) {
			all = append(all, c)
		}
	}
	all = slices.DeleteFunc(all, func(c Capability) bool {
		return c.Verb != "" && all.Has(Capability{Kind: c.Kind})
	})
	slices.SortFunc(all, func(a, b Capability) int {
		return cmp.Or(cmp.Compare(slices.Index(kindWords, a.Kind), slices.Index(kindWords, b.Kind)), cmp.Compare(a.Verb, b.Verb))
	})
	return all
}

// Words gives each capability as it is written.
func (cs Capabilities) Words() []string {
	if len(cs) == 0 {
		return nil
	}
	words := make([]string, len(cs))
	for i, c := range cs {
		words[i] = c.String()
	}
	return words
}

// String gives the argument as it stands in a task: allow = ["delete"].
func (cs Capabilities) String() string { return "allow = " + cs.canonical() }

// canonical writes the list as the language does.
func (cs Capabilities) canonical() string { return quoteAll(cs.Words()) }

// means tells whether two lists allow the same.
func (cs Capabilities) means(others Capabilities) bool {
	return slices.Equal(cs.With(), others.With())
}

// allowedTo gives what a plugin may do where its task does not say: what the
// program knows of its own plugins, and of a stranger nothing but to tell.
func (c Checks) allowedTo(plugin string) Capabilities {
	if known, ok := c.Allow[plugin]; ok {
		return known.With()
	}
	return Actions(AllowAlert)
}

// readAllow reads the allow argument of a task.
func (r *reader) readAllow(b *block, t *Task) {
	t.usual = r.checks.allowedTo(t.Plugin)
	t.Allow = t.usual
	written := b.words("allow")
	if !b.written("allow") {
		return
	}
	t.Allow = nil
	seen := Capabilities{}
	for _, v := range written {
		if v.kind != textValue {
			continue // complained of
		}
		c, err := ParseCapability(v.text)
		switch {
		case err != nil:
			r.ds.add(v.at, "this can't be allowed", "%v", err)
			continue
		case slices.Contains(seen, c):
			r.ds.add(v.at, "allowed twice", "%q stands here before", c)
		}
		seen = append(seen, c)
	}
	t.Allow = seen.With()
}
