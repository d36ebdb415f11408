package transcript

import (
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/observe"
)

// TestCollectorLayout reads what the collector's script would write; its
// tests keep the file.
func TestCollectorLayout(t *testing.T) {
	got, err := Open("../collector/testdata/orders.mqt")
	if err != nil {
		t.Fatal(err)
	}
	targets := got.Targets()
	if len(targets) != 1 || targets[0].Name != "ORDERS" || targets[0].Library != "QMORDERS" || targets[0].Zone != "Europe/Berlin" {
		t.Errorf("targets %+v", targets)
	}
	p := got.Player()
	space := toBytesEBCDIC("AMQA000008QMORDERS  20260527140535123")
	for range 2 {
		if body := ask(t, p, observe.UsrSpc, "ORDERS", "QMORDERS/AMQJRNINF"); body != string(space) {
			t.Errorf("user space %x", body)
		}
	}
	messages := ask(t, p, observe.SQL, "ORDERS", "QSYS2.MESSAGE_QUEUE_INFO MESSAGE_QUEUE_LIBRARY='QMORDERS' MESSAGE_QUEUE_NAME='QMQMMSG'")
	if strings.Count(messages, "\n") != 2 || !strings.Contains(messages, `""2026-05-27"", 14.05.35  >>> in AMQA000008 \end"`) {
		t.Errorf("messages\n%s", messages)
	}
	if receivers := ask(t, p, observe.SQL, "ORDERS", "QSYS2.JOURNAL_RECEIVER_INFO JOURNAL_LIBRARY='QMORDERS'"); strings.Count(receivers, "\n") != 4 {
		t.Errorf("receivers\n%s", receivers)
	}
	if _, err := p.Ask(t.Context(), observe.Question{Language: observe.SQL, QueueManager: "ORDERS", Text: "QSYS2.REMOTE_JOURNAL_INFO"}); err == nil || !strings.Contains(err.Error(), "SQL0204") {
		t.Errorf("a missing service: %v", err)
	}
	if again := anonymised(t, got).Targets(); again[0].Library != "QM"+again[0].Name || again[0].Name == "ORDERS" {
		t.Errorf("anonymised %+v", again)
	}
}
