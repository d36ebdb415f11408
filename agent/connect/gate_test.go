package connect

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/core/transcript"
	"github.com/mqhk/mqhk/plugins"
)

// able is a connection that could change things: only the gate stops it.
type able struct{ opened *int }

func (a able) Reader(context.Context) (Reader, error) { return player{}, nil }
func (a able) Writer(context.Context) (Writer, error) { *a.opened++; return writer{}, nil }

type writer struct{ Writer }

// Dry run means that nothing can change: no writer can be had in a plan, nor
// before the mode is known, of any connection.
func TestNoWriterInADryRun(t *testing.T) {
	target := observe.Target{Name: "QM1", Platform: observe.IBMi}
	opened := 0
	dial := map[string]Dialer{"QM1": able{&opened}}
	for name, gate := range map[string]Gate{"zero": {}, "no mode": New(NoMode, dial), "plan": New(Plan, dial), "a mode of tomorrow": New(9, dial)} {
		w, err := gate.Writer(t.Context(), target)
		if w != nil || !errors.Is(err, ErrDryRun) {
			t.Errorf("%s: writer %v, error %v; want none and ErrDryRun", name, w, err)
		}
	}
	if opened != 0 {
		t.Errorf("%d connections were opened to write", opened)
	}
	if w, err := New(Apply, dial).Writer(t.Context(), target); err != nil || w == nil || opened != 1 {
		t.Errorf("applying: writer %v, error %v, opened %d", w, err, opened)
	}
}

func TestTranscriptHasNoWriter(t *testing.T) {
	script, err := transcript.Parse("t", strings.NewReader(">>> QMGR QM1 ibmi\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	gate := New(Apply, map[string]Dialer{"QM1": Transcript(script)})
	if _, err := gate.Writer(t.Context(), observe.Target{Name: "QM1"}); !errors.Is(err, ErrReadOnly) {
		t.Errorf("error %v, want ErrReadOnly", err)
	}
	if _, err := gate.Reader(t.Context(), observe.Target{Name: "QM2"}); err == nil || !strings.Contains(err.Error(), "QM2") {
		t.Errorf("error %v, want one that names QM2", err)
	}
}

func TestStatements(t *testing.T) {
	target := observe.Target{Name: "ORDERS", Platform: observe.IBMi}
	id := recovery.SegmentID{QueueManager: "ORDERS", Library: "QMORDERS", Name: "AMQA000004"}
	stores := map[string]Store{"vault": {Kind: "savf", Library: "MQVAULT"}, "disk": {Kind: "directory"},
		"through": {Kind: "command", Library: "MQVAULT"}, "site": {Kind: "external", Library: "MQVAULT"}}
	// the name is part of what a later release has to find again
	saved := "CRTSAVF FILE(MQVAULT/MQHKNK6WOS) TEXT('mqhk: QMORDERS/AMQA000004 of ORDERS')\n" +
		"SAVOBJ OBJ(AMQA000004) LIB(QMORDERS) DEV(*SAVF) OBJTYPE(*JRNRCV) SAVF(MQVAULT/MQHKNK6WOS) STG(*KEEP) UPDHST(*NO)"
	tests := []struct {
		name    string
		action  plugins.Action
		unsaved bool
		want    string
	}{
		{"saved", plugins.Action{Kind: plugins.KindDelete, Segment: id}, false, "DLTJRNRCV JRNRCV(QMORDERS/AMQA000004) DLTOPT(*NONE)"},
		{"never saved", plugins.Action{Kind: plugins.KindDelete, Segment: id}, true, "DLTJRNRCV JRNRCV(QMORDERS/AMQA000004) DLTOPT(*IGNINQMSG)"},
		{"save first", plugins.Action{Kind: plugins.KindArchive, Segment: id, Store: "vault"}, false,
			saved},
		{"save first, to a directory", plugins.Action{Kind: plugins.KindArchive, Segment: id, Store: "disk"}, false, ""},
		{"save first, to an archive through a library", plugins.Action{Kind: plugins.KindArchive, Segment: id, Store: "through"}, false,
			saved},
		{"save first, the site's", plugins.Action{Kind: plugins.KindArchive, Segment: id, Store: "site"}, false, ""},
		{"alert", plugins.Action{Kind: plugins.KindAlert}, false, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			commands, err := Statements(target, test.action, test.unsaved, stores[test.action.Store])
			if err != nil {
				t.Fatal(err)
			}
			var lines []string
			for _, c := range commands {
				lines = append(lines, c.Text)
			}
			if got := strings.Join(lines, "\n"); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
	bad := plugins.Action{Kind: plugins.KindDelete, Segment: recovery.SegmentID{Library: "QM) DLTLIB(X", Name: "AMQA000004"}}
	if _, err := Statements(target, bad, false, Store{}); err == nil {
		t.Error("a name that is no name became a statement")
	}
}

// What a restore prints is what it sends.
func TestRestoreStatements(t *testing.T) {
	target := observe.Target{Name: "ORDERS", Platform: observe.IBMi}
	id := recovery.SegmentID{QueueManager: "ORDERS", Library: "QMORDERS", Name: "AMQA000004"}
	commands, err := RestoreStatements(target, id, Store{Kind: "directory", Library: "MQVAULT"})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"CRTSAVF FILE(MQVAULT/MQHKNK6WOS) TEXT('mqhk: QMORDERS/AMQA000004 of ORDERS')",
		"RSTOBJ OBJ(AMQA000004) SAVLIB(QMORDERS) DEV(*SAVF) OBJTYPE(*JRNRCV) SAVF(MQVAULT/MQHKNK6WOS)", "DLTF FILE(MQVAULT/MQHKNK6WOS)"}
	if len(commands) != len(want) {
		t.Fatalf("%d statements", len(commands))
	}
	for i, c := range commands {
		if c.Text != want[i] || c.Language != observe.CL || c.QueueManager != "ORDERS" {
			t.Errorf("got  %+v\nwant %s", c, want[i])
		}
	}
	for _, test := range []struct {
		target observe.Target
		id     recovery.SegmentID
		store  Store
		want   error // nil: any
	}{
		{target, id, Store{Kind: "directory"}, ErrNoLibrary},
		{target, id, Store{Kind: "external", Library: "MQVAULT"}, ErrSiteSaves},
		{target, id, Store{Kind: "savf", Library: "MQ VAULT"}, nil},
		{observe.Target{Name: "QM1", Platform: observe.ZOS}, id, vault, nil},
	} {
		if commands, err := RestoreStatements(test.target, test.id, test.store); err == nil || len(commands) > 0 || test.want != nil && !errors.Is(err, test.want) {
			t.Errorf("%+v: %v, %v", test.store, commands, err)
		}
	}
}
