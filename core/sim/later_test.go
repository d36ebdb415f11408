package sim_test

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/sim"
	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
)

// deleteLater gives one DLTJRNRCV that waits for no disk.
func deleteLater(t *testing.T, e *sim.Estate, job *os400.Job, receiver int) {
	t.Helper()
	_, err := e.CLLater(t.Context(), "ORDERS", job, fmt.Sprintf("DLTJRNRCV JRNRCV(QMORDERS/AMQA%06d) DLTOPT(*IGNINQMSG)", receiver))
	must(t, err)
}

// oldest gives the first receiver of the directory.
func oldest(t *testing.T, e *sim.Estate) string {
	t.Helper()
	answer, err := e.Ask(t.Context(), observe.Question{Language: observe.SQL, QueueManager: "ORDERS", Text: "QSYS2.JOURNAL_RECEIVER_INFO"})
	must(t, err)
	rows, err := csv.NewReader(bytes.NewReader(answer.Body)).ReadAll()
	must(t, err)
	return rows[1][slices.Index(rows[0], "JOURNAL_RECEIVER_NAME")]
}

// What was forced stays deleted when the process dies, what was not is whole
// again; a close and any durable change force what came before them. The clock
// is never behind what it has shown.
func TestDeletedLater(t *testing.T) {
	for _, c := range []struct {
		name string
		then func(*sim.Estate) error // after four deletions, of which two were forced
		want string                  // the oldest after the death of the process
	}{
		{"nothing", func(*sim.Estate) error { return nil }, "AMQA000002"},
		{"force", (*sim.Estate).Force, "AMQA000004"},
		{"another command", func(e *sim.Estate) error {
			_, err := e.CL(t.Context(), "ORDERS", e.Job(), "CRTJRNRCV JRNRCV(QMORDERS/OTHER)")
			return err
		}, "AMQA000004"},
		{"a refused one", func(e *sim.Estate) error {
			_, err := e.CL(t.Context(), "ORDERS", e.Job(), "DLTJRNRCV JRNRCV(QMORDERS/NONE)")
			if !errors.As(err, new(*os400.Error)) {
				return fmt.Errorf("not refused: %w", err)
			}
			return nil
		}, "AMQA000004"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			neglected(t, dir, 6)
			e, err := sim.Open(t.Context(), dir)
			must(t, err)
			job := e.Job()
			for n := range 4 {
				if n == 2 {
					must(t, e.Force())
				}
				deleteLater(t, e, job, n)
			}
			if got := oldest(t, e); got != "AMQA000004" {
				t.Fatalf("%s is the oldest", got)
			}
			must(t, c.then(e))
			shown := e.Now()
			e.Abandon()
			again, err := sim.Open(t.Context(), dir)
			must(t, err)
			if got := oldest(t, again); got != c.want {
				t.Errorf("after the death of the process %s is the oldest", got)
			}
			if again.Now().Before(shown) {
				t.Errorf("the clock went back from %s to %s", shown, again.Now())
			}
			must(t, again.Close(t.Context()))
		})
	}
}

// A close needs no force, and leaves the clock where it was.
func TestCloseForces(t *testing.T) {
	dir := t.TempDir()
	neglected(t, dir, 3)
	var closed time.Time
	on(t, dir, func(e *sim.Estate) {
		begin := e.Now()
		job := e.Job()
		deleteLater(t, e, job, 0)
		deleteLater(t, e, job, 1)
		if closed = e.Now(); closed.Sub(begin) != 4*time.Second {
			t.Errorf("two commands took %s", closed.Sub(begin))
		}
	})
	on(t, dir, func(e *sim.Estate) {
		if got := oldest(t, e); got != "AMQA000002" || !e.Now().Equal(closed) {
			t.Errorf("%s is the oldest at %s, it was closed at %s", got, e.Now(), closed)
		}
	})
}

// The files of what was deleted go with the force, and not before.
func TestStorageOfWhatIsDeletedLater(t *testing.T) {
	dir := t.TempDir()
	neglected(t, dir, 2)
	there := func() bool {
		_, err := os.Stat(filepath.Join(dir, "systems/SYS1/QSYS.LIB/QMORDERS.LIB/AMQA000000.JRNRCV"))
		return err == nil
	}
	on(t, dir, func(e *sim.Estate) {
		deleteLater(t, e, e.Job(), 0)
		if !there() {
			t.Error("its file was gone before the force")
		}
		must(t, e.Force())
		if there() {
			t.Error("its storage is not free")
		}
	})
}
