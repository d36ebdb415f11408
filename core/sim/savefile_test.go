package sim_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"testing"

	"github.com/mqhk/mqhk/core/sim"
	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
	"github.com/mqhk/mqhk/core/sim/ibmi/qmgr"
	"github.com/mqhk/mqhk/core/wal/disk"
)

func TestSaveFilesOfAnEstate(t *testing.T) {
	dir := made(t, qmgr.Spec{}, "2026-03-10 06:00:00")
	var content []byte
	on(t, dir, func(e *sim.Estate) {
		job := e.Job()
		for _, text := range []string{
			"CHGJRN JRN(QMORDERS/AMQAJRN) JRNRCV(*GEN)", "CRTSAVF FILE(QGPL/S)", "CRTSAVF FILE(QGPL/T)",
			"SAVOBJ OBJ(AMQA000000) LIB(QMORDERS) DEV(*SAVF) OBJTYPE(*JRNRCV) SAVF(QGPL/S)",
		} {
			if _, err := e.CL(t.Context(), "ORDERS", job, text); err != nil {
				t.Fatal(err)
			}
		}
		from, size, err := e.Fetch("ORDERS", "QGPL", "S")
		if err != nil {
			t.Fatal(err)
		}
		content, err = io.ReadAll(from)
		if err := errors.Join(err, from.Close()); err != nil || int64(len(content)) != size {
			t.Fatalf("%d bytes of %d, %v", len(content), size, err)
		}
		before := e.Now()
		if err := e.Send(t.Context(), "ORDERS", "QGPL", "T", bytes.NewReader(content)); err != nil || !e.Now().After(before) {
			t.Errorf("%v, at %s", err, e.Now())
		}
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		if err := e.Send(ended, "ORDERS", "QGPL", "T", bytes.NewReader(content)); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		for _, name := range []string{"NONE", ""} {
			if _, _, err := e.Fetch("ORDERS", "QGPL", name); !errors.As(err, new(*os400.Error)) {
				t.Error(err)
			}
		}
		if _, _, err := e.Fetch("NOBODY", "QGPL", "S"); !errors.Is(err, sim.ErrNoManager) {
			t.Error(err)
		}
	})
	looking, err := sim.Look(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := looking.Send(t.Context(), "ORDERS", "QGPL", "T", bytes.NewReader(content)); !errors.Is(err, disk.ErrReadOnly) {
		t.Errorf("one who looks has sent: %v", err)
	}
	if err := looking.Close(t.Context()); err != nil {
		t.Error(err)
	}
}
