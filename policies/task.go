package policies

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/mqhk/mqhk/core/recovery"
)

// Bounds of a task's arguments. They catch slips of the finger; none of them
// makes anything safer.
const (
	mostSegments = 100000
	longestAge   = 3650 * day
	mostDeletes  = 1000000
)

// The words of the strategies and of what becomes of unsaved segments, as
// core/recovery spells them.
var (
	strategyWords = []string{recovery.Conservative.String(), recovery.FastStartup.String(), recovery.Aggressive.String()}
	unsavedWords  = []string{recovery.HoldUnsaved.String(), recovery.SaveUnsaved.String(), recovery.DeleteUnsaved.String()}
)

// readPolicy reads a policy block.
func (r *reader) readPolicy(raw *hclsyntax.Block) {
	b := open(r.source, raw, r.ds, "name")
	if b == nil {
		return
	}
	p := Policy{Name: b.labels[0], Description: oneLine(b.text("description")), At: b.label(raw, 0)}
	if problem := checkName(p.Name); problem != "" {
		r.ds.add(p.At, "not a name", "%s", problem)
	}
	if schedule := b.single("schedule"); schedule != nil {
		p.Schedule = r.readSchedule(schedule)
	}
	seen := map[string]Place{}
	for _, raw := range b.blocks("task") {
		task, ok := r.readTask(raw)
		if !ok {
			continue
		}
		if first, twice := seen[task.Name]; twice {
			r.ds.add(task.At, "task defined twice", "the first task %q of this policy is at %s", task.Name, first)
			continue
		}
		seen[task.Name] = task.At
		p.Tasks = append(p.Tasks, task)
	}
	if len(b.blocks("task")) == 0 {
		b.lacks(p.At, "a policy without a task", `write task "plugin" "name" { ... }`)
	}
	b.finish()
	r.found.Policies = append(r.found.Policies, p)
}

// readTask reads a task block; false when not even its name could be read.
func (r *reader) readTask(raw *hclsyntax.Block) (Task, bool) {
	b := open(r.source, raw, r.ds, "plugin", "name")
	if b == nil {
		return Task{}, false
	}
	t := Task{Plugin: b.labels[0], Name: b.labels[1], At: b.label(raw, 1)}
	if problem := checkName(t.Name); problem != "" {
		r.ds.add(t.At, "not a name", "%s", problem)
	}
	r.checkPlugin(t.Plugin, b.label(raw, 0))
	t.Targets = r.readPatterns(b)
	t.Strategy = readStrategy(b)
	r.readAllow(b, &t)
	t.Store = b.text("store")
	if b.is("store", textValue) && t.Store == "" {
		r.ds.add(b.place("store"), "not a name", "leave store out where there is none")
	}
	t.Margin = b.count("margin", 0, mostSegments)
	t.KeepNewest = b.count("keep_newest", 0, mostSegments)
	t.MinAge = b.duration("min_age", 0, 0, longestAge)
	t.Unsaved, _ = recovery.ParseUnsaved(b.word("unsaved", unsavedWords...))
	if t.Unsaved == recovery.SaveUnsaved && !b.written("store") {
		b.lacks(b.place("unsaved"), "nowhere to save to", `unsaved = "save" needs a store: store = "NAME"`)
	}
	t.TrustErrorLog = b.flag("trust_error_log")
	r.readTaskBlocks(b, &t)
	b.finish()
	t.places = b.places()
	return t, true
}

// readTaskBlocks reads the three blocks that a task may hold.
func (r *reader) readTaskBlocks(b *block, t *Task) {
	if raw := b.single("limits"); raw != nil {
		t.Limits = r.readLimits(raw)
	}
	if raw := b.single("schedule"); raw != nil {
		t.Schedule = r.readSchedule(raw)
	}
	t.Config = Settings{at: b.at, what: "config"}
	if raw := b.single("config"); raw != nil {
		if c := open(r.source, raw, r.ds); c != nil {
			t.Config = c.settings("config")
			c.finish()
		}
	}
	if schema, ok := r.checks.Plugins[t.Plugin]; ok {
		_, problems := decode(t.Config, schema)
		*r.ds = append(*r.ds, problems...)
	}
}

// readLimits reads a limits block. Zero is refused: it might be meant as
// "delete nothing" and would mean "no limit".
func (r *reader) readLimits(raw *hclsyntax.Block) Limits {
	b := open(r.source, raw, r.ds)
	if b == nil {
		return Limits{}
	}
	limits := Limits{
		MaxDeletes: b.count("max_deletes", 1, mostDeletes),
		MaxPercent: b.count("max_percent", 1, 100),
	}
	b.finish()
	return limits
}

func readStrategy(b *block) recovery.Strategy {
	const why = `a task says which recoveries must work without a restore: strategy = "conservative", "fast-startup" or "aggressive"`
	b.require("strategy", why)
	strategy, _ := recovery.ParseStrategy(b.word("strategy", strategyWords...))
	return strategy
}

// readPatterns reads the targets argument.
func (r *reader) readPatterns(b *block) []string {
	b.require("targets", `a task says where it works: targets = ["ibmi/*"], or ["multiplatforms/*"]`)
	var patterns []string
	for _, v := range b.words("targets") {
		if v.kind != textValue {
			continue // complained of
		}
		if problem := checkPattern(v.text); problem != "" {
			r.ds.add(v.at, "not a target pattern", "%s", problem)
		} else if slices.Contains(patterns, v.text) {
			r.ds.add(v.at, "target pattern given twice", "%q stands here before", v.text)
		}
		patterns = append(patterns, v.text)
		r.patterns = append(r.patterns, v)
	}
	if b.is("targets", listValue) && len(patterns) == 0 {
		r.ds.add(b.place("targets"), "no targets", `name at least one pattern: "ibmi/*" or "multiplatforms/*"`)
	}
	return patterns
}

// checkPlugin complains of a plugin that nobody knows.
func (r *reader) checkPlugin(name string, at Place) {
	if problem := checkName(name); problem != "" {
		r.ds.add(at, "not a name", "%s", problem)
		return
	}
	if r.checks.Plugins == nil {
		return
	}
	if _, ok := r.checks.Plugins[name]; ok || slices.Contains(r.checks.Locked, name) {
		return
	}
	names := slices.AppendSeq(slices.Clone(r.checks.Locked), maps.Keys(r.checks.Plugins))
	hint := suggest(name, names)
	if _, slip := nearest(name, names); !slip {
		hint += "; one of others has to be in " + LockName + ": mqhk plugin lock " + name
	}
	r.ds.add(at, fmt.Sprintf("unknown plugin %q", name), "%s", hint)
}
