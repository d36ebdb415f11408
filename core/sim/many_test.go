package sim_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/sim"
	"github.com/mqhk/mqhk/core/sim/ibmi/qmgr"
)

func TestProbe(t *testing.T) {
	dir := t.TempDir()+"/estate"
	e, err := sim.Create(t.Context(), dir, sim.Settings{Zone: "Europe/Berlin", Start: time.Date(2026, 1, 5, 6, 0, 0, 0, time.UTC), NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Add(t.Context(), sim.IBMi{Spec: qmgr.Spec{Name: "ORDERS"}}); err != nil {
		t.Fatal(err)
	}
	job := e.Job()
	begin := time.Now()
	for i := range 10000 {
		if _, err := e.CLLater(t.Context(), "ORDERS", job, "CHGJRN JRN(QMORDERS/AMQAJRN) JRNRCV(*GEN)"); err != nil {
			t.Fatal(err)
		}
		if i%1000 == 999 {
			fmt.Println(i, time.Since(begin))
		}
	}
	begin = time.Now()
	e.Close(t.Context())
	fmt.Println("close", time.Since(begin))
	begin = time.Now()
	e, err = sim.Open(t.Context(), dir)
	fmt.Println("open", time.Since(begin), err)
	begin = time.Now()
	for i := range 9000 {
		if _, err := e.CLLater(t.Context(), "ORDERS", job, fmt.Sprintf("DLTJRNRCV JRNRCV(QMORDERS/AMQA%06d) DLTOPT(*IGNINQMSG)", i)); err != nil {
			t.Fatal(err)
		}
		if i%256 == 255 {
			if err := e.Force(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := e.Force(); err != nil {
		t.Fatal(err)
	}
	fmt.Println("delete", time.Since(begin))
	begin = time.Now()
	e.Close(t.Context())
	fmt.Println("close", time.Since(begin))
}
