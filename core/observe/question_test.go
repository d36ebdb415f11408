package observe

import (
	"errors"
	"fmt"
	"testing"
	"time"
)

func TestLanguages(t *testing.T) {
	host := 0
	for _, language := range Languages() {
		if !language.Known() {
			t.Error(language)
		}
		if language.OfHost() {
			host++
		}
	}
	if host != 4 || Language("REXX").Known() || Language("").Known() || Language("sql").Known() {
		t.Errorf("%d languages of the host", host)
	}
}

func TestErrorsOfQuestions(t *testing.T) {
	q := Question{MQSC, "QM1", "", "DISPLAY QMSTATUS"}
	for _, test := range []struct {
		err  error
		want string
	}{
		{&NotAnswered{q}, "not answered: MQSC QM1: DISPLAY QMSTATUS"},
		{&Refused{q, "class never"}, "refused: MQSC QM1: DISPLAY QMSTATUS: class never"},
		{&Failed{q, []byte("AMQ8146\r\nmore")}, "failed: MQSC QM1: DISPLAY QMSTATUS: AMQ8146"},
		{&Failed{q, nil}, "failed: MQSC QM1: DISPLAY QMSTATUS: "},
		{&TimedOut{q, 90 * time.Second}, "no answer within 1m30s: MQSC QM1: DISPLAY QMSTATUS"},
	} {
		if got := test.err.Error(); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
	var timeout interface{ Timeout() bool }
	if err := fmt.Errorf("asking: %w", &TimedOut{q, time.Second}); !errors.As(err, &timeout) || !timeout.Timeout() {
		t.Error("TimedOut is no timeout")
	}
}

func TestClassString(t *testing.T) {
	for class, want := range map[Class]string{Unknown: "unknown", Display: "display", Change: "change", Release: "release", Never: "never", Never + 9: "never"} {
		if class.String() != want {
			t.Errorf("%d: %s", class, class)
		}
	}
}
