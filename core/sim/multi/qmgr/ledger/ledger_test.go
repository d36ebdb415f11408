package ledger

import (
	"errors"
	"testing"

	"github.com/mqhk/mqhk/core/wal/crashdisk"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestTransactions(t *testing.T) {
	d := crashdisk.New()
	l, err := Open(d, "bank", "BANK")
	must(t, err)
	one, two := []byte("one"), []byte("two")
	must(t, l.Add(one, "A", 5))
	must(t, l.Add(two, "A", 100))
	must(t, l.Prepare(t.Context(), one))
	if err := l.Add(one, "A", 1); !errors.Is(err, ErrPrepared) {
		t.Error(err)
	}
	if l.Balance("A") != 0 {
		t.Error(l.Balance("A"))
	}

	d.Crash() // what is prepared survives, what is not does not
	l, err = Open(d, "bank", "BANK")
	must(t, err)
	if left, err := l.Recover(t.Context()); err != nil || len(left) != 1 || string(left[0]) != "one" {
		t.Error(left, err)
	}
	must(t, l.Prepare(t.Context(), two)) // of nothing
	must(t, l.Commit(t.Context(), two))
	must(t, l.Commit(t.Context(), one))
	must(t, l.Commit(t.Context(), one)) // it is told again
	if l.Balance("A") != 5 {
		t.Error(l.Balance("A"))
	}

	must(t, l.Add(one, "A", 7))
	must(t, l.Prepare(t.Context(), one))
	must(t, l.Rollback(t.Context(), one))
	must(t, l.Rollback(t.Context(), one))
	must(t, l.Commit(t.Context(), one))
	d.Crash()
	l, err = Open(d, "bank", "BANK")
	must(t, err)
	if left, _ := l.Recover(t.Context()); l.Balance("A") != 5 || left != nil {
		t.Error(l.Balance("A"), left)
	}
}

func TestDamagedFile(t *testing.T) {
	for _, content := range []string{"", "{", `{"Format":2}`, `{"Format":1,"Prepared":{"x":{}}}`} {
		d := crashdisk.New()
		d.Put("bank", []byte(content))
		if _, err := Open(d, "bank", "BANK"); err == nil {
			t.Errorf("%q is opened", content)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"Format":1,"Balances":{"A":5},"Prepared":{"6f6e65":{"A":-3}}}`))
	f.Fuzz(func(t *testing.T, content []byte) {
		d := crashdisk.New()
		d.Put("bank", content)
		l, err := Open(d, "bank", "BANK")
		if err != nil {
			return
		}
		left, err := l.Recover(t.Context())
		must(t, err)
		for _, xid := range left {
			must(t, l.Commit(t.Context(), xid))
		}
		if left, _ := l.Recover(t.Context()); left != nil {
			t.Error(left)
		}
	})
}
