package observe

import (
	"testing"

	"github.com/mqhk/mqhk/core/recovery"
)

func TestReadPins(t *testing.T) {
	s := &system{answers: map[string]string{
		"connections": "CONN(A1B2) APPLTAG(order.exe) UOWLOG(AMQA000007) UOWLOGDA(2026-05-27) UOWLOGTI(12.30.00)\nCONN(A1B3) UOWLOG( )\n",
		"queues":      "QUEUE(DEEP.Q) CURDEPTH(500) MEDIALOG(AMQA000006)\nQUEUE(Q2) MEDIALOG( ) CURDEPTH(0)\nQUEUE(Q3) MEDIALOG(S0000001.LOG)\n",
	}}
	pins := ReadPins(t.Context(), s, theTarget)
	want := []Pin{
		{recovery.Restart, "AMQA000007", "unit of work of connection A1B2 (order.exe, started 2026-05-27 12.30.00)", 0},
		{recovery.Media, "AMQA000006", "queue DEEP.Q (depth 500)", 500},
	}
	if len(pins) != len(want) || pins[0] != want[0] || pins[1] != want[1] {
		t.Errorf("%+v", pins)
	}
	if pins := ReadPins(t.Context(), &system{}, theTarget); pins != nil {
		t.Errorf("%+v", pins)
	}
	if pins := ReadPins(t.Context(), s.with("connections", "CONN(A1"), theTarget); len(pins) != 1 {
		t.Errorf("%+v", pins)
	}
}
