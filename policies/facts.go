package policies

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// fact is one thing that a policy means: a setting by its path, defaults
// filled in, and its value as the language writes it. What a policy means is
// the set of its facts; formatting, comments, order, its name and its
// description are not among them.
type fact struct{ path, value string }

const none = "none" // where a setting has no value; never in quotes

// facts gives all facts of a policy, by path. A schedule counts for the task
// that follows it, wherever it is written.
func (p Policy) facts() []fact {
	var all []fact
	for _, t := range p.Tasks {
		prefix := fmt.Sprintf("task %q ", t.Name)
		for _, f := range append(t.facts(), p.ScheduleOf(t).facts()...) {
			all = append(all, fact{prefix + f.path, f.value})
		}
	}
	slices.SortStableFunc(all, func(a, b fact) int { return strings.Compare(a.path, b.path) })
	return all
}

func (t Task) facts() []fact {
	targets := slices.Clone(t.Targets)
	slices.Sort(targets)
	all := []fact{
		{"plugin", strconv.Quote(t.Plugin)},
		{"targets", quoteAll(slices.Compact(targets))},
		{"strategy", strconv.Quote(t.Strategy.String())},
		{"store", quoteOrNone(t.Store)},
		{"margin", strconv.Itoa(t.Margin)},
		{"keep_newest", strconv.Itoa(t.KeepNewest)},
		{"min_age", strconv.Quote(formatDuration(t.MinAge))},
		{"unsaved", strconv.Quote(t.Unsaved.String())},
		{"limits max_deletes", countOrNone(t.Limits.MaxDeletes)},
		{"limits max_percent", countOrNone(t.Limits.MaxPercent)},
	}
	if t.TrustErrorLog { // a fact of its own, so that the digests of policies without it stay what they were
		all = append(all, fact{"trust_error_log", "true"})
	}
	if !t.Allow.means(t.usual) { // likewise
		all = append(all, fact{"allow", t.Allow.canonical()})
	}
	for _, argument := range t.Config.arguments {
		all = append(all, fact{"config " + argument.name, argument.value.canonical()})
	}
	return all
}

func (s *Schedule) facts() []fact {
	if s == nil {
		return []fact{{"schedule", none}}
	}
	within := none
	if s.CatchUp == Once {
		within = strconv.Quote(formatDuration(s.CatchUpWithin))
	}
	return []fact{
		{"schedule", strconv.Quote(strings.Join(strings.Fields(s.Cron), " "))},
		{"schedule timezone", strconv.Quote(s.Timezone)},
		{"schedule mode", strconv.Quote(string(s.Mode))},
		{"schedule catch_up", strconv.Quote(string(s.CatchUp))},
		{"schedule catch_up_within", within},
		{"schedule overlap", strconv.Quote(string(s.Overlap))},
		{"schedule jitter", strconv.Quote(formatDuration(s.Jitter))},
		{"schedule timeout", strconv.Quote(formatDuration(s.Timeout))},
	}
}

// canonical writes a value as the language does. A secret is the call that
// brings it in: a digest of its value could be guessed from.
func (v value) canonical() string {
	switch v.kind {
	case textValue:
		return strconv.Quote(v.text)
	case numberValue:
		return strconv.FormatInt(v.number, 10)
	case flagValue:
		return strconv.FormatBool(v.flag)
	case listValue:
		return quoteAll(v.strings())
	case secretValue:
		return v.secret.From()
	default:
		return none
	}
}

func quoteAll(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = strconv.Quote(word)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

func quoteOrNone(word string) string {
	if word == "" {
		return none
	}
	return strconv.Quote(word)
}

func countOrNone(n int) string {
	if n == 0 {
		return none
	}
	return strconv.Itoa(n)
}

// Digest gives the SHA-256 of what the policy means, in hexadecimal. Two
// policies have one digest exactly when [Diff] finds nothing: formatting,
// comments, the order of arguments and tasks, defaults that are written out,
// name and description don't matter. Settings of a config block count as they
// are written, since only the plugin knows its defaults; a secret counts by
// the name of its variable or file.
func Digest(p Policy) string {
	h := sha256.New()
	io.WriteString(h, "mqhk.policy/v1\n")
	for _, f := range p.facts() {
		fmt.Fprintf(h, "%s = %s\n", f.path, f.value)
	}
	return hex.EncodeToString(h.Sum(nil))
}
