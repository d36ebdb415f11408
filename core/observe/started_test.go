package observe

import (
	"context"
	"testing"
	"time"
)

// statusOnly answers DISPLAY QMSTATUS and nothing else.
type statusOnly struct {
	body string
	at   time.Time
}

func (s statusOnly) Ask(_ context.Context, q Question) (Answer, error) {
	if q.Text != "DISPLAY QMSTATUS ALL" {
		return Answer{}, &NotAnswered{Question: q}
	}
	if s.body == "" {
		return Answer{}, &Failed{Question: q, Body: []byte("AMQ8146")}
	}
	return Answer{Body: []byte(s.body), At: s.at}, nil
}

func TestReadStarted(t *testing.T) {
	const running = "QMNAME(QM1) STATUS(RUNNING) STARTDA(2026-05-27) STARTTI(10.15.30)"
	now := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
	tests := []struct{ name, body, zone, want string }{
		{"running", running, "Europe/Berlin", "2026-05-27T10:15:30+02:00"},
		{"another zone", running, "America/New_York", "2026-05-27T10:15:30-04:00"},
		{"the hour that comes twice", "QMNAME(QM1) STATUS(RUNNING) STARTDA(2026-10-25) STARTTI(02.30.00)", "Europe/Berlin", "2026-10-25T02:30:00+02:00"},
		{"of another queue manager beside it", running + "\n\nQMNAME(QM2) STATUS(RUNNING) STARTDA(2026-05-28) STARTTI(10.15.30)", "Europe/Berlin", "2026-05-27T10:15:30+02:00"},
		{"zone not known: by the offset of now, and an hour early, since the clocks may have been changed", running, "", "2026-05-27T09:15:30Z"},
		{"no such zone", running, "Europe/Nowhere", ""},
		{"starting", "QMNAME(QM1) STATUS(STARTING) STARTDA(2026-05-27) STARTTI(10.15.30)", "Europe/Berlin", ""},
		{"ending", "QMNAME(QM1) STATUS(QUIESCING) STARTDA(2026-05-27) STARTTI(10.15.30)", "Europe/Berlin", ""},
		{"no state", "QMNAME(QM1) STARTDA(2026-05-27) STARTTI(10.15.30)", "Europe/Berlin", ""},
		{"no day", "QMNAME(QM1) STATUS(RUNNING) STARTDA( ) STARTTI(10.15.30)", "Europe/Berlin", ""},
		{"no time of day", "QMNAME(QM1) STATUS(RUNNING) STARTDA(2026-05-27)", "Europe/Berlin", ""},
		{"no date", "QMNAME(QM1) STATUS(RUNNING) STARTDA(2026-02-30) STARTTI(10.15.30)", "Europe/Berlin", ""},
		{"twice", running + "\n\n" + running, "Europe/Berlin", ""},
		{"still to come", "QMNAME(QM1) STATUS(RUNNING) STARTDA(2027-05-27) STARTTI(10.15.30)", "Europe/Berlin", ""},
		{"of another", "QMNAME(QM2) STATUS(RUNNING) STARTDA(2026-05-27) STARTTI(10.15.30)", "Europe/Berlin", ""},
		{"not available", "", "Europe/Berlin", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, ok := ReadStarted(t.Context(), statusOnly{test.body, now}, Target{Name: "QM1", Platform: IBMi, Zone: test.zone})
			if text := got.Format(time.RFC3339); ok != (test.want != "") || ok && text != test.want {
				t.Errorf("%s, %v; want %q", text, ok, test.want)
			}
		})
	}
}

func TestReadLogBegun(t *testing.T) {
	now := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
	const told = "QMNAME(QM1) STATUS(RUNNING) LOGSTRDA(2026-05-27) LOGSTRTI(10.15.30)"
	tests := []struct{ name, body, zone, want string }{
		{"told", told, "Europe/Berlin", "2026-05-27T10:15:30+02:00"},
		{"zone not known: an hour early", told, "", "2026-05-27T09:15:30Z"},
		{"an older level", "QMNAME(QM1) STATUS(RUNNING) STARTDA(2026-05-27) STARTTI(10.15.30)", "Europe/Berlin", ""},
		{"a circular log", "QMNAME(QM1) LOGSTRDA( ) LOGSTRTI( )", "Europe/Berlin", ""},
		{"twice", told + "\n\n" + told, "Europe/Berlin", ""},
		{"of another", "QMNAME(QM2) LOGSTRDA(2026-05-27) LOGSTRTI(10.15.30)", "Europe/Berlin", ""},
		{"still to come", "QMNAME(QM1) LOGSTRDA(2027-05-27) LOGSTRTI(10.15.30)", "Europe/Berlin", ""},
		{"not available", "", "Europe/Berlin", ""},
	}
	for _, test := range tests {
		got, ok := ReadLogBegun(t.Context(), statusOnly{test.body, now}, Target{Name: "QM1", Platform: Multiplatforms, Zone: test.zone})
		if text := got.Format(time.RFC3339); ok != (test.want != "") || ok && text != test.want {
			t.Errorf("%s: %s, %v; want %q", test.name, text, ok, test.want)
		}
	}
}
