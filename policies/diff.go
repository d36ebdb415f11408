package policies

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
)

// Diff says what two policies mean differently, one line a setting, with both
// values: `task "receivers" unsaved: "hold" -> "save"`. Where the strategies
// differ, so may the promises, which get lines of their own. Names and
// descriptions are not compared. It is empty for policies that mean the same.
func Diff(a, b Policy) []string {
	before, after := tasksByName(a), tasksByName(b)
	names := slices.Collect(maps.Keys(before))
	for name := range after {
		if _, both := before[name]; !both {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	var lines []string
	for _, name := range names {
		old, inA := before[name]
		renewed, inB := after[name]
		if inA && inB {
			lines = append(lines, diffTask(name, settings(a, old), settings(b, renewed))...)
			lines = append(lines, diffTask(name, promises(old), promises(renewed))...)
		} else {
			lines = append(lines, fmt.Sprintf("task %q: %s -> %s", name, presence(old, inA), presence(renewed, inB)))
		}
	}
	return lines
}

// diffTask compares what is known by path of two tasks of one name.
func diffTask(name string, before, after map[string]string) []string {
	all := maps.Clone(before)
	maps.Copy(all, after)
	var lines []string
	for _, path := range slices.Sorted(maps.Keys(all)) {
		old, renewed := orNone(before, path), orNone(after, path)
		if old != renewed {
			lines = append(lines, fmt.Sprintf("task %q %s: %s -> %s", name, path, old, renewed))
		}
	}
	return lines
}

// settings are a task's facts by path.
func settings(p Policy, t Task) map[string]string {
	all := map[string]string{}
	for _, f := range append(t.facts(), p.ScheduleOf(t).facts()...) {
		all[f.path] = f.value
	}
	all["allow"] = t.Allow.canonical() // what is usual too: it says more than none
	return all
}

// promises are what a task's strategy promises after a failure.
func promises(t Task) map[string]string {
	promised := t.Strategy.Promised()
	return map[string]string{
		"promises a restart":                      promised.Restart.Ready.String(),
		"promises the rebuild of an object":       promised.Rebuild.Ready.String(),
		"promises a restart with start-up damage": promised.StartUpDamage.Ready.String(),
	}
}

func tasksByName(p Policy) map[string]Task {
	tasks := make(map[string]Task, len(p.Tasks))
	for _, t := range p.Tasks {
		tasks[t.Name] = t
	}
	return tasks
}

func presence(t Task, there bool) string {
	if !there {
		return none
	}
	return "plugin " + strconv.Quote(t.Plugin)
}

func orNone(values map[string]string, path string) string {
	if value, ok := values[path]; ok {
		return value
	}
	return none
}
