package errlog

import (
	"fmt"
	"strings"
	"testing"
)

// localRecord is a record in the layout of 7.x, with a local time alone.
func localRecord(at, text string) string {
	return "-------------------------------------------------------------------------------\n" +
		at + " - Process(1.1) User(mqm) Program(amqzxma0)\n" + text + "\n\nEXPLANATION:\nx\nACTION:\nNone.\n" +
		"----- amqzxma0.c : 1 ----------------------------------------------------------\n"
}

// A mark counts only if it is newer than every sign of another life, by its place
// and by its time: clocks go back, local ones every autumn.
func TestMarkOutlived(t *testing.T) {
	pair := func(at string) string {
		return localRecord(at, "AMQ7467: The oldest log file required to start queue manager QM1 is S0000126.LOG.") +
			localRecord(at, "AMQ7468: The oldest log file required to perform media recovery of queue manager QM1 is S0000125.LOG.")
	}
	sign := func(at, id string) string { return localRecord(at, id+": queue manager QM1.") }
	const two, half, three = "10/25/2026 02:10:00", "10/25/2026 02:30:00", "10/25/2026 03:10:00"
	for _, c := range []struct {
		name     string
		log      written
		outlived string
	}{
		{"no sign", written{"AMQERR01.LOG": pair(half)}, ""},
		{"a start before it", written{"AMQERR01.LOG": sign(two, "AMQ8003") + pair(half)}, ""},
		{"of the same second", written{"AMQERR01.LOG": sign(half, "AMQ8003") + pair(half)}, ""},
		{"a start behind it, of an earlier time", written{"AMQERR01.LOG": pair(half) + sign(two, "AMQ8003")}, "AMQ8003"},
		{"a creation behind it, of an earlier time", written{"AMQERR01.LOG": pair(half) + sign(two, "AMQ8001")}, "AMQ8001"},
		{"an end behind it, of an earlier time", written{"AMQERR01.LOG": pair(half) + sign(two, "AMQ8004")}, "AMQ8004"},
		{"a start before it, of a later time", written{"AMQERR01.LOG": sign(three, "AMQ8003") + pair(half)}, "AMQ8003"},
		{"behind it, hidden by one of a later time before it", written{"AMQERR01.LOG": sign(two, "AMQ8003") + pair(half) + sign("10/25/2026 02:05:00", "AMQ8003")}, "AMQ8003"},
		{"the older file has the start", written{"AMQERR02.LOG": sign(two, "AMQ8003"), "AMQERR01.LOG": pair(half)}, ""},
		{"the newer file has the start, of an earlier time", written{"AMQERR02.LOG": pair(half), "AMQERR01.LOG": sign(two, "AMQ8003")}, "AMQ8003"},
		{"the older file has the start, of a later time", written{"AMQERR02.LOG": sign(three, "AMQ8003"), "AMQERR01.LOG": pair(half)}, "AMQ8003"},
	} {
		marks := c.log.read(t, "QM1")
		for _, mark := range []*Mark{marks.Restart, marks.Media} {
			if got := outlivedBy(mark); got != c.outlived {
				t.Errorf("%s: outlived by %q, want %q", c.name, got, c.outlived)
			}
		}
	}
	// What a start writes before AMQ8003 is a sign of it, as AMQ8003 itself may be
	// kept out of the log or rotated away.
	for _, id := range []string{"AMQ7229", "AMQ7230", "AMQ7231", "AMQ7232", "AMQ7233", "AMQ7374"} {
		marks := written{"AMQERR01.LOG": pair(two) + sign(half, id)}.read(t, "QM1")
		if got := outlivedBy(marks.Restart); got != id {
			t.Errorf("a start shown by %s: outlived by %q", id, got)
		}
	}
}

// Of two series, as the text and the JSON beside it, only a time tells.
func TestMarkOutlivedInAnotherSeries(t *testing.T) {
	record := func(at, id string) string {
		return fmt.Sprintf(`{"ibm_messageId":"%s","ibm_datetime":"2026-05-27T%s:00.000Z","ibm_serverName":"QM1","ibm_commentInsert2":"S0000112.LOG","loglevel":"INFO","message":"%s: x"}`+"\n", id, at, id)
	}
	marks := func(at string) string { return record(at, "AMQ7467I") + record(at, "AMQ7468I") }
	for at, want := range map[string]string{"09:59": "", "10:00": "AMQ8003", "10:01": "AMQ8003"} {
		got := written{"a/AMQERR01.json": marks("10:00"), "b/AMQERR01.json": record(at, "AMQ8003I")}.read(t, "QM1")
		if by := outlivedBy(got.Media); by != want {
			t.Errorf("a start at %s: outlived by %q, want %q", at, by, want)
		}
	}
	if got := (written{"a/AMQERR01.json": record("09:00", "AMQ8003I") + marks("10:00")}).read(t, "QM1"); got.Restart.Outlived != nil {
		t.Errorf("outlived by %v", got.Restart.Outlived)
	}
}

func outlivedBy(m *Mark) string {
	if m == nil || m.Outlived == nil {
		return ""
	}
	return strings.TrimRight(m.Outlived.ID, "IWEST")
}
