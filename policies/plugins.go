package policies

import (
	"path/filepath"
	"time"

	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// The bounds of what a plugin may take. They catch slips of the finger: a
// limit below the least would stop a plugin that does nothing wrong.
const (
	longestStart  = 10 * time.Minute
	longestCall   = day
	longestStop   = time.Minute
	leastMemory   = 32 << 20
	mostMemory    = 1 << 40
	mostQuestions = 100_000_000
	leastMessage  = 1 << 20
	mostMessage   = 256 << 20
	mostPlan      = 64 << 30
	mostLogRate   = 1_000_000
)

// PluginSettings say where the plugins of others are, and what each plugin may
// take. The zero value of a limit stands for the host's default.
type PluginSettings struct {
	Directory  string        // absolute or from the working directory; empty: there are only the built-in ones
	StartLimit time.Duration // until it has said what it is
	CallLimit  time.Duration // of one call
	StopLimit  time.Duration // until it is killed
	Memory     int64         // resident bytes of it and all that it started
	Questions  int           // of one call
	Message    int64         // bytes of one message of it
	Plan       int64         // bytes of one plan of it
	LogRate    int           // log records of it in a second
	At         Place         // Line 0: no block is written
}

// readPlugins reads the plugins block. There is at most one in a
// configuration.
func (r *reader) readPlugins(raw *hclsyntax.Block) {
	b := open(r.source, raw, r.ds)
	if b == nil {
		return
	}
	if first := r.found.Plugins.At; first.Line > 0 {
		r.ds.add(b.at, "a second plugins", "the first is at %s", first)
		return
	}
	r.found.Plugins = PluginSettings{
		Directory:  r.pluginDirectory(b),
		StartLimit: b.duration("start_limit", 0, time.Second, longestStart),
		CallLimit:  b.duration("call_limit", 0, time.Second, longestCall),
		StopLimit:  b.duration("stop_limit", 0, 100*time.Millisecond, longestStop),
		Memory:     b.size("memory", leastMemory, mostMemory),
		Questions:  b.count("questions", 1, mostQuestions),
		Message:    b.size("message", leastMessage, mostMessage),
		Plan:       b.size("plan", leastMessage, mostPlan),
		LogRate:    b.count("log_rate", 1, mostLogRate),
		At:         b.at,
	}
	b.finish()
}

// pluginDirectory reads where the plugins of others are. A relative path
// starts from the directory of the file, never from the working directory:
// who may choose that could choose the plugins.
func (r *reader) pluginDirectory(b *block) string {
	path := b.text("directory")
	switch {
	case !b.is("directory", textValue):
	case path == "":
		r.ds.add(b.place("directory"), "not a path", "leave directory out where there are only built-in plugins")
	case !filepath.IsAbs(path):
		return filepath.Join(r.source.dir(), path)
	}
	return path
}
