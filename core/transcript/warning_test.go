package transcript

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWarnings(t *testing.T) {
	got, err := read(strings.Join([]string{
		">> QMGR BILLING ibmi",
		">>> QMGR ORDERS ibmi",
		">>> QSG QSG1 zos",
		">>> MEMBER QM01 QSG1 active",
		">>> CLOCK orders 2026-05-28T02:00:00+02:00",
		">>> FILE ORDERS: /etc/a",
		">> SQL ORDERS: QSYS2.JOURNAL_INFO",
		"> > > mqsc ORDERS: DISPLAY QMSTATUS",
		" >>> ERROR MQSC ORDERS: DISPLAY LOG",
		">> and so on",
		"> SQL",
		`\>>> SQL ORDERS: QSYS2.JOURNAL_INFO`,
		">>> MQSC QM01: DISPLAY QMSTATUS",
		">>> MQSC orders: DISPLAY QMSTATUS",
		">>> MQSC PAYROLL: DISPLAY QMSTATUS",
		">>> MQSC PAYROLL: DISPLAY CONN(*) ALL",
		"",
	}, "\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	header := func(line int, word string) string {
		return fmt.Sprintf("t.mqt:%d: this is no header: a header begins with >>> at the start of the line, as in >>> %s", line, word)
	}
	nobody := " is declared by no QMGR, QSG or MEMBER line: no plan looks at what is said of it"
	want := []string{
		header(1, "QMGR"), "t.mqt:5: orders" + nobody + "; did you mean ORDERS?",
		header(7, "SQL"), header(8, "MQSC"), header(9, "ERROR"), "t.mqt:15: PAYROLL" + nobody,
	}
	if diff := cmp.Diff(want, got.Warnings()); diff != "" {
		t.Error(diff)
	}
	for _, path := range []string{"testdata/orders.mqt", "../collector/testdata/orders.mqt", "../../examples/orders.mqt"} {
		clean, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if len(clean.Warnings()) > 0 {
			t.Errorf("%s: %q", path, clean.Warnings())
		}
	}
}

// TestClockMistakes: the message shows a time as it is written today.
func TestClockMistakes(t *testing.T) {
	for text, want := range map[string]string{
		"2026-05-28T02:00:00":       `"2026-05-28T02:00:00" is not a time: the offset from UTC is missing; write date, T, time and the offset from UTC, as in 2026-05-28T02:00:00+02:00`,
		"2026-02-30T02:00:00Z":      "day out of range; write date",
		"28.05.2026":                `"28.05.2026" is not a time: write date, T, time`,
		"2026-05-28T02:00:00+02:0x": "is not a time: write date",
	} {
		_, err := read(">>> CLOCK "+text+"\n", nil)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "2006-01") {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
