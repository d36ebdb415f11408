package report

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/mqhk/mqhk/agent/ledger"
)

// needPart shows what could go where room was asked for, the least loss first.
func needPart(d *document, target ledger.Target) {
	need := target.Need
	if need == nil {
		return
	}
	d.heading(2, fmt.Sprintf("Room for %s, the least loss of promise first", size(need.Bytes)))
	d.line(metLine(*need, target))
	d.table(needSteps(*need, target))
	d.list(needItems(*need))
	d.table(needRest(*need, target))
	var hints [][]cell
	for _, hint := range need.Hints {
		hints = append(hints, []cell{say("Pinned: " + hint)})
	}
	d.list(hints)
	d.line(tell(faint, "Nothing of this section is planned: the actions of this report are those of the policy as it is. Each step contains those before it."))
}

// metLine says which step is enough.
func metLine(need ledger.Need, target ledger.Target) cell {
	if need.Blocked != "" {
		return tell(bad, "NOTHING CAN GO, whatever is given up: "+strings.TrimPrefix(need.Blocked, "nothing goes: "))
	}
	for _, step := range need.Steps {
		if step.Enough == 0 {
			continue
		}
		text := fmt.Sprintf("Enough with step %s", step.Cost)
		if step.Enough < step.Segments {
			text += fmt.Sprintf(": of its %s the oldest %d would do", count(step.Segments, noun(target.Platform)), step.Enough)
		}
		return tell(pick(step.Cost == "nothing", good, warn), text+".")
	}
	most := int64(0)
	for _, step := range need.Steps {
		most = step.TotalBytes
	}
	return tell(bad, fmt.Sprintf("NOT ENOUGH: all steps together free %s.", exactSize(most)))
}

func needSteps(need ledger.Need, target ledger.Target) table {
	t := table{head: []string{"gives up", plural(noun(target.Platform)), "number", "saved first", "frees", "in all", "afterwards"}, right: []int{2, 3, 4, 5}}
	for _, step := range need.Steps {
		restart, rebuild := readyCell(step.Outlook.Restart.Ready), readyCell(step.Outlook.Rebuild.Ready)
		then := tell(restart.tone, fmt.Sprintf("restart: %s; rebuild: %s", restart.text, rebuild.text))
		if then.tone == good {
			then.tone = rebuild.tone
		}
		t.rows = append(t.rows, []cell{
			say(step.Cost), say(span(bare(step.First, target), bare(step.Last, target))), say(strconv.Itoa(step.Segments)), say(strconv.Itoa(step.Save)),
			say(size(step.Bytes)), say(size(step.TotalBytes)), then,
		})
	}
	return t
}

// needItems say of each step what it gives up, what it lacks, and what does it.
func needItems(need ledger.Need) [][]cell {
	var items [][]cell
	for _, step := range need.Steps {
		item := []cell{say(step.Cost + ": " + step.Why)}
		if step.Store != "" {
			item = append(item, say("Saved in store "+step.Store+"."))
		}
		for _, missing := range step.Missing {
			item = append(item, tell(bad, "Missing: "+missing))
		}
		items = append(items, append(item, say("To do it: "+step.Do)))
	}
	return items
}

func needRest(need ledger.Need, target ledger.Target) table {
	t := table{head: []string{"stays", "number", "size", "why"}, right: []int{1, 2}}
	for _, rest := range need.Rest {
		why := reasoned(rest.Reason, rest.Why)
		if rest.Hint != "" {
			why += "; " + rest.Hint
		}
		t.rows = append(t.rows, row(span(bare(rest.First, target), bare(rest.Last, target)), strconv.Itoa(rest.Segments), segmentSize(rest.Bytes), why))
	}
	return t
}

// bare gives a segment without its library, where all are in one.
func bare(name string, target ledger.Target) string {
	if library := libraryOf(target); library != "" {
		return strings.TrimPrefix(name, library+"/")
	}
	return name
}
