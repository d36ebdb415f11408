package collector

import (
	"encoding/csv"
	"fmt"
	"strings"
	"testing"
)

// system is what the emulated script finds: rows by service, and how many
// attempts a service lets fail. A cell that a row does not have is NULL.
type system struct {
	rows  map[string][]map[string]string
	fails map[string]int
}

// orders is a system with three receivers, a message with every character
// that CSV and the transcript treat specially, and no remote journals' view.
var orders = system{
	rows: map[string][]map[string]string{
		"QSYS2.JOURNAL_INFO": {{
			"JOURNAL_NAME": "AMQAJRN", "JOURNAL_LIBRARY": "QMORDERS", "JOURNAL_TYPE": "*LOCAL",
			"ATTACHED_JOURNAL_RECEIVER_NAME": "AMQA000010", "ATTACHED_JOURNAL_RECEIVER_LIBRARY": "QMORDERS",
			"MESSAGE_QUEUE": "QSYSOPR", "MESSAGE_QUEUE_LIBRARY": "QSYS", "MANAGE_RECEIVER_OPTION": "SYSTEM",
			"DELETE_RECEIVER_OPTION": "NO", "NUMBER_JOURNAL_RECEIVERS": "3", "TOTAL_SIZE_JOURNAL_RECEIVERS": "250352",
		}},
		"QSYS2.JOURNAL_RECEIVER_INFO": {
			receiver("AMQA000008", "SAVED", "2026-05-27-13.59.00.000000", "2026-05-27-15.00.00.000000"),
			receiver("AMQA000009", "ONLINE", "2026-05-27-15.00.00.000000", "2026-05-27-17.12.00.000000"),
			receiver("AMQA000010", "ATTACHED", "2026-05-27-17.12.00.000000", ""),
		},
		"QSYS2.MESSAGE_QUEUE_INFO MESSAGE_QUEUE_LIBRARY='QMORDERS' MESSAGE_QUEUE_NAME='QMQMMSG'": {{
			"MESSAGE_QUEUE_LIBRARY": "QMORDERS", "MESSAGE_QUEUE_NAME": "QMQMMSG", "MESSAGE_ID": "AMQ7462",
			"MESSAGE_TYPE": "INFORMATIONAL", "SEVERITY": "0", "MESSAGE_TIMESTAMP": "2026-05-27-14.05.36.000000",
			"MESSAGE_TEXT": "Entry \"2026-05-27\", 14.05.35\r\n>>> in AMQA000008\n\\end", "MESSAGE_TOKENS": "AMQA000008QMORDERS  ",
		}},
		"QMORDERS/AMQJRNINF": {{"": "wdTYwfDw8PDw+NjU1tnExdniQEDy8PL28PXy9/H08PXz9fHy8w=="}},
		"QSYS2.ASP_INFO":     {{"ASP_NUMBER": "1", "ASP_STATE": "NONE", "ASP_TYPE": "SYSTEM", "TOTAL_CAPACITY": "70564", "TOTAL_CAPACITY_AVAILABLE": "21034"}},
	},
	fails: map[string]int{
		"QSYS2.JOURNAL_INFO": 1, "QSYS2.REMOTE_JOURNAL_INFO": 2,
		"QSYS2.MESSAGE_QUEUE_INFO MESSAGE_QUEUE_LIBRARY='QSYS' MESSAGE_QUEUE_NAME='QSYSOPR'": 3,
	},
}

func receiver(name, status, attach, detach string) map[string]string {
	return map[string]string{
		"JOURNAL_RECEIVER_LIBRARY": "QMORDERS", "JOURNAL_RECEIVER_NAME": name, "JOURNAL_LIBRARY": "QMORDERS", "JOURNAL_NAME": "AMQAJRN",
		"STATUS": status, "SIZE": "100412", "ATTACH_TIMESTAMP": attach, "DETACH_TIMESTAMP": detach,
	}
}

// run writes what the script writes on the system.
func (s system) run(o Options) string {
	clock := ">>> CLOCK " + o.QueueManager + " 2026-05-28T02:00:0%d+02:00\n"
	out := "# mqhk transcript, written by the collector for IBM i\n# QTIMZON: QP0100CET3\n>>> QMGR " + o.QueueManager + " ibmi\n"
	out += ">>> ZONE " + o.QueueManager + " " + o.Zone + "\n" + fmt.Sprintf(clock, 0)
	for _, a := range beforeList(o) {
		out += s.block(o, a)
	}
	out += fmt.Sprintf(clock, 7)
	for _, a := range afterList(o) {
		out += s.block(o, a)
	}
	return out
}

func (s system) block(o Options, a answer) string {
	service, head := a.Question, a.Header(o)
	if s.fails[service] >= len(a.Attempts) {
		return ">>> ERROR " + head + "\nSQL0204 not found in QSYS2 type *FILE.\n"
	}
	attempt := a.Attempts[s.fails[service]]
	out := ">>> " + head + attempt.Suffix + "\n"
	if attempt.Columns != "" {
		out += attempt.Columns + "\n"
	}
	for _, values := range s.rows[service] {
		var cells []string
		for name := range strings.SplitSeq(attempt.Columns, ",") {
			cells = append(cells, cell(kindOf()[name], values[name]))
		}
		out += strings.Join(cells, ",") + "\n"
	}
	return out
}

// cell does what the expression of a column of that kind does.
func cell(k kind, value string) string {
	if k == prose || k == tokens {
		value = strings.NewReplacer("\n", " ", "\r", " ").Replace(value)
	}
	if value == "" || k == number || k == stamp || k == raw {
		return value
	}
	if k == text {
		value = strings.TrimRight(value, " ")
	}
	return `"` + strings.ReplaceAll(value, `"`, `""`) + `"`
}

// raw is the line of a user space, which is no column.
var raw = kind{Letter: "raw"}

func kindOf() map[string]kind {
	all := map[string]kind{"": raw}
	for _, c := range concat(journalColumns, receiverColumns, messageColumns, remoteColumns, aspColumns) {
		all[c.name] = c.kind
	}
	return all
}

// TestLayout writes the file that the script would write. The tests of
// core/transcript read it: the two agree about the format.
func TestLayout(t *testing.T) {
	o, err := Options{QueueManager: "ORDERS", Zone: "Europe/Berlin"}.checked()
	if err != nil {
		t.Fatal(err)
	}
	got := orders.run(o)
	golden(t, "orders.mqt", got)
	for i, line := range strings.Split(got, "\n") {
		if strings.HasPrefix(line, `\`) || strings.Count(line, ">>>") > 0 && !strings.HasPrefix(line, ">>>") && !strings.HasPrefix(line, `"`) {
			t.Errorf("line %d would not be read back: %s", i+1, line)
		}
	}
}

// TestLinesAreCSV: each line of a table has as many cells as there are
// columns, and none begins with what the transcript escapes.
func TestLinesAreCSV(t *testing.T) {
	o, _ := Options{QueueManager: "ORDERS", Zone: "Europe/Berlin"}.checked()
	for _, a := range append(beforeList(o), afterList(o)...) {
		block := orders.block(o, a)
		head, body, _ := strings.Cut(block, "\n")
		if !strings.HasPrefix(head, ">>> SQL ") {
			continue
		}
		if _, err := csv.NewReader(strings.NewReader(body)).ReadAll(); err != nil {
			t.Errorf("%s: %v", head, err)
		}
		// NULL first: the line begins with a comma; else with a quote or a digit.
		for line := range strings.Lines(body) {
			if strings.HasPrefix(line, ">") || strings.HasPrefix(line, `\`) {
				t.Errorf("%s: line begins a header or an escape: %s", head, line)
			}
		}
	}
	for _, columns := range [][]column{journalColumns, receiverColumns, messageColumns, remoteColumns, aspColumns} {
		if columns[0].kind != text {
			t.Errorf("column %s begins a line and is not in quotes", columns[0].name)
		}
	}
}
