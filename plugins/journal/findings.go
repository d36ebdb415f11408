package journal

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/plugins"
)

// journalFindings says what the journal itself shows.
func journalFindings(facts observe.JournalFacts, request plugins.Request) []finding.Finding {
	var found []finding.Finding
	add := func(code finding.Code, format string, args ...any) {
		found = append(found, finding.About(request.Target.Name, code, format, args...))
	}
	journal := facts.Journal.Library + "/" + facts.Journal.Name
	if facts.Journal.SystemDeletes {
		add(finding.SystemDeletes, "%s has DLTRCV(*YES): the system deletes receivers that MQ may need", journal)
	}
	if limit := request.Config.Int("long_chain"); limit > 0 && int64(len(facts.Receivers)) > limit {
		add(finding.ChainLong, "%s has %d receivers", journal, len(facts.Receivers))
	}
	for _, text := range facts.Messages.Damaged {
		add(finding.ObjectDamaged, "%s", text)
	}
	if text := sequenceNearEnd(facts); text != "" {
		add(finding.SequenceNearEnd, "%s: %s", journal, text)
	}
	return found
}

// sequenceLimits are the numbers from which the system advises to reset
// (CPF7019) and the maxima at which journaling stops, by the receiver size
// option (reference, IBM i 1.4). The first is that of no option.
var sequenceLimits = []struct {
	options      []string // of RCVSIZOPT
	advised, max uint64
}{
	{nil, 2000000000, 2147483136},
	{[]string{"MAXOPT1", "MAXOPT2", "SYSDFT"}, 9500000000, 9999999999},
	{[]string{"MAXOPT3"}, 18446600000000000000, 18446744073709551600},
}

// sequenceNearEnd tells whether the newest receiver's sequence numbers near
// their maximum or have reached it. Where the option is not known the number itself shows which
// maxima it can't have.
func sequenceNearEnd(facts observe.JournalFacts) string {
	if len(facts.Receivers) == 0 {
		return ""
	}
	newest := facts.Receivers[len(facts.Receivers)-1]
	number := max(newest.First, newest.Last)
	limit := sequenceLimits[0]
	for _, l := range sequenceLimits[1:] {
		if slices.ContainsFunc(l.options, func(o string) bool { return strings.Contains(facts.Journal.SizeOption, o) }) ||
			facts.Journal.SizeOption == "" && number > limit.max {
			limit = l
		}
	}
	switch {
	case number <= limit.advised:
		return ""
	case number >= limit.max:
		return fmt.Sprintf("sequence number %d in %s: journaling has stopped, since %d is the maximum", number, newest.ID, limit.max)
	}
	return fmt.Sprintf("sequence number %d in %s, and journaling stops at %d", number, newest.ID, limit.max)
}
