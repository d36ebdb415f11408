package dmpmqlog

import (
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/extents"
	"github.com/mqhk/mqhk/core/sim/multi/qmgr"
	"github.com/mqhk/mqhk/core/sim/multi/qmgr/ledger"
	"github.com/mqhk/mqhk/core/wal/crashdisk"
	"github.com/mqhk/mqhk/core/wal/disk"
)

// The log of a queue manager that coordinated a global unit of work and ended:
// what it notes and keeps is what is printed by the seed's names.
func TestManagersLog(t *testing.T) {
	ctx := t.Context()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	d := crashdisk.New()
	now := time.Date(2026, 7, 14, 22, 0, 0, 0, time.UTC)
	m, err := qmgr.Create(ctx, qmgr.Site{Disk: d, Now: func() time.Time { now = now.Add(time.Millisecond); return now }}, qmgr.Spec{
		Name:      "QM1",
		Log:       extents.Settings{Kind: extents.Linear, Management: extents.Manual, Primary: 3, Secondary: 2, FilePages: 64},
		Resources: []qmgr.Resource{{Name: "BANK", SwitchFile: "bank.so", OpenString: "open", CloseString: "close"}},
	})
	must(err)
	_, err = m.Start(ctx)
	must(err)
	must(m.Define(ctx, "Q"))
	bank, err := ledger.Open(d, "bank.json", "BANK")
	must(err)
	must(m.Connect(ctx, bank))
	u, err := m.BeginGlobal(ctx, "PAY", "BANK")
	must(err)
	_, err = u.Put(ctx, "Q", engine.Message{Persistent: true, Body: []byte("10")})
	must(err)
	must(bank.Add(u.XID(), "A", 10))
	must(u.Commit(ctx))
	must(m.End(ctx, qmgr.EndOptions{Immediate: true}))
	l, err := extents.Open(disk.ReadOnly(d), m.LogDir(), m.LogSettings())
	must(err)
	restart, _ := l.Marks()
	log := Source{Segments: l.Segments(), Open: l.Open, Head: restart}
	_, records := parse(t, dumped(t, log, Options{Extent: "0"}))
	found := map[string][]printed{}
	objects := 0
	for _, p := range records {
		found[p.kind] = append(found[p.kind], p)
		if p.kind == "Create Object" {
			objects++
		}
	}
	for kind, want := range map[string]map[string]string{
		"Start Queue Manager":      {"StartDate": "20260714"},
		"Stop Queue Manager":       {"StopDate": "20260714", "ForceFlag": "Immediate"},
		"Transaction Participants": {"RMName": "BANK", "RMID": "1", "SwitchFile": "bank.so", "XAOpenString": "open", "XACloseString": "close"},
		"Transaction Prepared":     {"RMID": "0 1"},
		"Transaction Forget":       {},
		"Prepare Transaction":      {},
	} {
		all := found[kind]
		if len(all) == 0 {
			t.Errorf("no %s", kind)
			continue
		}
		last := all[len(all)-1]
		for name, value := range want {
			if got := strings.Join(last.fields[name], " "); got != value {
				t.Errorf("%s: %s is %q, want %q", kind, name, got, value)
			}
		}
		if x := last.one(t, "XTranid"); kind == "Transaction Prepared" && !strings.HasPrefix(x, "TranType: XA") {
			t.Errorf("%s: %s", kind, x)
		}
	}
	if objects < 20 {
		t.Errorf("%d objects were made, among them those of SYSTEM", objects)
	}
	for _, kind := range []string{"Note", "Keep", "Drop"} {
		if len(found[kind]) > 0 {
			t.Errorf("no name for %s", found[kind][0].text)
		}
	}
}
