package level

import "testing"

func TestParse(t *testing.T) {
	for text, want := range map[string]Level{
		"9.4": {9, 4, 0, 0}, "9.3.2": {9, 3, 2, 0}, "9.1.0.25": {9, 1, 0, 25}, "7.5.0.9": {7, 5, 0, 9}, "10.0.0.0": {10, 0, 0, 0},
	} {
		if got, err := Parse(text); err != nil || got != want {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "9", "9.", "9.x", "9.4.0.0.1", "-9.4", "9.+4", "9.100"} {
		if got, err := Parse(text); err == nil {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// What a queue manager of 9.4.2 says of itself: CMDLEVEL(942), VERSION(09040200).
func TestForms(t *testing.T) {
	l := Level{9, 4, 2, 0}
	if l.Command() != 942 || l.Digits() != "09040200" || l.String() != "9.4.2.0" || l.Product() != "IBM MQ" || !l.Severity() {
		t.Error(l.Command(), l.Digits(), l, l.Product(), l.Severity())
	}
	if old := (Level{8, 0, 0, 15}); old.Product() != "WebSphere MQ" || old.Severity() || old.Command() != 800 {
		t.Error(old.Product(), old.Severity(), old.Command())
	}
}

func TestAtLeast(t *testing.T) {
	l := Level{9, 3, 2, 0}
	for _, test := range []struct {
		v, r, m int
		want    bool
	}{{9, 3, 2, true}, {9, 3, 3, false}, {9, 2, 9, true}, {8, 9, 9, true}, {9, 4, 0, false}, {10, 0, 0, false}} {
		if l.AtLeast(test.v, test.r, test.m) != test.want {
			t.Error(test)
		}
	}
}
