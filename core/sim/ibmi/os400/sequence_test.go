package os400

import "testing"

// The advice to reset and the warning of the maximum have limits of their own
// (reference, IBM i 1.4). What counts is the first number in a new receiver.
func TestSequenceAdvice(t *testing.T) {
	for _, c := range []struct {
		option         string
		first          uint64
		advise, warned int
	}{
		{"", 2_000_000_000, 0, 0},
		{"", 2_000_000_001, 1, 0},
		{"", 2_147_483_136 - nearMaximum, 1, 0},
		{"", 2_147_483_136 - nearMaximum + 1, 1, 1},
		{"MAXOPT1", 9_500_000_000, 0, 0},
		{"MAXOPT2", 9_500_000_001, 1, 0},
		{"MAXOPT2", 9_999_999_999, 1, 1},
		{"MAXOPT3", 18_446_600_000_000_000_000, 0, 0},
		{"MAXOPT3", 18_446_600_000_000_000_001, 1, 0},
		{"MAXOPT3", 18_446_744_073_709_551_600, 1, 1},
	} {
		for _, down := range []bool{false, true} {
			b := newBench(t, JournalSpec{SizeOption: c.option}, Settings{})
			b.start()
			b.must(b.w.put("one"))
			b.must(b.sys.SetSequence(jrn, c.first))
			if down {
				b.stop()
			}
			b.change()
			if down {
				b.start()
			}
			b.must(b.w.put("next"))
			if got := b.receiver("AMQA000001").First; got != c.first {
				t.Errorf("first %d, want %d", got, c.first)
			}
			if n := b.sent(operator, "CPF7019"); n != c.advise {
				t.Errorf("%s %d: %d times CPF7019, want %d", c.option, c.first, n, c.advise)
			}
			if n := b.sent(operator, "CPI70E7"); n != c.warned {
				t.Errorf("%s %d: %d times CPI70E7, want %d", c.option, c.first, n, c.warned)
			}
		}
	}
}
