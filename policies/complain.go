package policies

import (
	"strconv"
	"strings"
)

// Complaint is what a plugin does not like in a task, beyond its schema: Path
// names the setting, or is empty for the task as a whole. plugins.Complaint
// converts to it.
type Complaint struct{ Path, Text string }

// Complain gives each complaint the place in the file of what it is about.
// Path is the name of a setting of the config block ("hosts", or "hosts[2]"
// for its third element; "config.hosts" too), else of an argument of the task
// ("strategy"). What is not written in the file is complained of at the
// header of its block.
func Complain(t Task, complaints []Complaint) Diagnostics {
	var ds Diagnostics
	for _, c := range complaints {
		ds.add(t.find(c.Path), "plugin "+t.Plugin+" refuses this", "%s", prefixed(c))
	}
	return ds.sorted()
}

func prefixed(c Complaint) string {
	if c.Path == "" {
		return c.Text
	}
	return c.Path + ": " + c.Text
}

// find gives the place of a path.
func (t Task) find(path string) Place {
	if path == "" {
		return t.At
	}
	inner := strings.TrimPrefix(path, "config.")
	name, index, indexed := strings.Cut(inner, "[")
	if argument, ok := t.Config.find(name); ok {
		v := argument.value
		i, err := strconv.Atoi(strings.TrimSuffix(index, "]"))
		if indexed && err == nil && i >= 0 && i < len(v.list) {
			return v.list[i].at
		}
		return v.at
	}
	if at, ok := t.places[path]; ok {
		return at
	}
	if t.Config.at.Line > 0 {
		return t.Config.at
	}
	return t.At
}
