package observe

import (
	"testing"

	"pgregory.net/rapid"
)

func TestNeighbours(t *testing.T) {
	tests := []struct {
		name, next string
		want       bool
	}{
		{"AMQA000008", "AMQA000009", true},
		{"AMQA000008", "AMQA000010", false},
		{"AMQA000009", "AMQA000008", false},
		{"AMQA099999", "AMQA000000", true}, // five digits wrap
		{"AMQA099999", "AMQA100000", true}, // or carry
		{"AMQA999999", "AMQA000000", true},
		{"AMQA999999", "AMQA900000", true},
		{"AMQA000099", "AMQA100100", true}, // a restore raised the digit
		{"AMQA100099", "AMQA000100", false},
		{"AMQA000008", "AMQB000009", false},
		{"AMQA000008", "X", false},
		{"", "AMQA000000", false},
	}
	for _, test := range tests {
		if got := isNeighbour(test.name, test.next, 1); got != test.want {
			t.Errorf("%s, %s: %v", test.name, test.next, got)
		}
		if isNeighbour(test.next, test.name, -1) != test.want {
			t.Errorf("%s, %s: not the same the other way", test.next, test.name)
		}
	}
}

func TestAhead(t *testing.T) {
	tests := []struct {
		name, other  string
		ahead, known bool
	}{
		{"AMQA000009", "AMQA000008", true, true},
		{"AMQA000008", "AMQA000008", false, true},
		{"AMQA000008", "AMQA000009", false, true},
		{"AMQA000003", "AMQA099998", true, true},
		{"AMQA099998", "AMQA000003", false, true},
		{"AMQA000003", "AMQA999998", true, true},
		{"AMQA100044", "AMQA000099", true, true},
		{"AMQA000099", "AMQA100044", false, true},
		{"AMQB000009", "AMQA000008", false, false},
		{goneName, "AMQA000008", false, false},
	}
	for _, test := range tests {
		if ahead, known := isAhead(test.name, test.other); ahead != test.ahead || known != test.known {
			t.Errorf("%s, %s: %v, %v", test.name, test.other, ahead, known)
		}
	}
}

// Of two names never each is ahead of the other, and a neighbour is ahead.
func TestAheadProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := rapid.StringMatching("AMQ[AB][0-9]{6}")
		a, b := draw.Draw(t, "a"), draw.Draw(t, "b")
		aheadOf, _ := isAhead(a, b)
		behind, _ := isAhead(b, a)
		if aheadOf && behind {
			t.Fatalf("%s and %s: each is ahead", a, b)
		}
		if isNeighbour(a, b, 1) && !behind {
			t.Fatalf("%s comes right after %s and is not ahead", b, a)
		}
	})
}
