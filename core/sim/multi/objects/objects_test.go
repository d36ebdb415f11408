package objects

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/amqerr"
	"github.com/mqhk/mqhk/core/sim/multi/level"
)

var (
	l94 = level.Level{Version: 9, Release: 4, Modification: 2}
	l91 = level.Level{Version: 9, Release: 1}
	l75 = level.Level{Version: 7, Release: 5}
)

// The tables are whole: every class has its messages, no attribute stands
// twice, what is usual is allowed, and what an attribute belongs to exists.
func TestTables(t *testing.T) {
	for _, c := range Classes() {
		for _, id := range []string{c.Shown, c.Created, c.Changed, c.Deleted} {
			if id == "" && c.Kind == QueueManager {
				continue
			}
			if !amqerr.Known(id) {
				t.Errorf("%s: no message %q", c.Kind, id)
			}
		}
		seen := map[string]bool{}
		for _, a := range c.Attributes {
			if seen[a.Name] {
				t.Errorf("%s has %s twice", c.Kind, a.Name)
			}
			seen[a.Name] = true
			for _, selected := range append([]string{""}, a.Only...) {
				usual := a.usual(selected)
				if _, err := a.Check([]string{usual}); err != nil && !a.Fixed {
					t.Errorf("%s: the usual %s(%s): %v", c.Kind, a.Name, usual, err)
				}
				if selected != "" && c.Default[selected] == "" {
					t.Errorf("%s: %s is only for %s, which there is not", c.Kind, a.Name, selected)
				}
			}
		}
	}
}

// crtmqm makes 84 default objects, 85 since 9.4 (reference, Multiplatforms 1.4
// item 27), and each of them is one that MQSC could define.
func TestSystemObjects(t *testing.T) {
	for _, test := range []struct {
		level level.Level
		least int
		most  int
	}{{l94, 84, 86}, {l91, 83, 86}, {l75, 74, 80}} {
		all := System(test.level)
		if len(all) < test.least || len(all) > test.most {
			t.Errorf("%s: %d objects", test.level, len(all))
		}
		seen := map[engine.Ref]bool{}
		for _, o := range all {
			c := Of(o.Ref.Kind)
			if seen[o.Ref] || !strings.HasPrefix(o.Ref.Name, "SYSTEM.") || len(o.Ref.Name) > c.Longest {
				t.Errorf("%s: %s", test.level, o.Ref)
			}
			seen[o.Ref] = true
			for name, value := range o.Attributes {
				if name == c.Selector {
					if c.Default[value] == "" {
						t.Errorf("%s: %s(%s)", o.Ref, name, value)
					}
					continue
				}
				if name == "CAPEXPRY" && !test.level.AtLeast(9, 3, 1) || name == "USEDLQ" && !test.level.AtLeast(7, 1, 0) {
					continue
				}
				a, ok := c.Attribute(test.level, name)
				if !ok || !c.Has(test.level, a, o.Attributes) {
					t.Errorf("%s has no %s", o.Ref, name)
					continue
				}
				if _, err := a.Check(strings.Split(value, ",")); err != nil {
					t.Errorf("%s: %v", o.Ref, err)
				}
			}
		}
		for _, c := range Classes() {
			for selected, name := range c.Default {
				if selected == "AMQP" || strings.HasPrefix(selected, "IDPW") || c.Kind == CommInfo {
					continue // not at every level
				}
				if !seen[engine.Ref{Kind: c.Kind, Name: name}] {
					t.Errorf("%s: %s is not there", test.level, name)
				}
			}
		}
	}
}

// The attributes of a local queue at each level, in the order of DISPLAY QLOCAL
// ALL as 7.0 and 7.5 printed it.
func TestLocalQueueOrder(t *testing.T) {
	want := strings.Fields(`ACCTQ ALTDATE ALTTIME BOQNAME BOTHRESH CLUSNL CLUSTER CLCHNAME CLWLPRTY CLWLRANK CLWLUSEQ CRDATE CRTIME CURDEPTH
		CUSTOM DEFBIND DEFPRTY DEFPSIST DEFPRESP DEFREADA DEFSOPT DEFTYPE DESCR DISTL GET HARDENBO INITQ IPPROCS MAXDEPTH MAXMSGL MONQ
		MSGDLVSQ TRIGGER NPMCLASS OPPROCS PROCESS PUT PROPCTL QDEPTHHI QDEPTHLO QDPHIEV QDPLOEV QDPMAXEV QSVCIEV QSVCINT RETINTVL SCOPE
		SHARE STATQ TRIGDATA TRIGDPTH TRIGMPRI TRIGTYPE USAGE`)
	if got := names(Of(Queue).Showing(l75, nil)); !slices.Equal(got, want) {
		t.Error(got)
	}
	got := names(Of(Queue).Showing(l94, nil))
	for _, name := range []string{"CAPEXPRY", "IMGRCOVQ", "MAXFSIZE", "STREAMQ", "STRMQOS"} {
		if !slices.Contains(got, name) || slices.Contains(want, name) {
			t.Error(name)
		}
	}
}

// The attributes of channels by type, as 9.4.2 printed them.
func TestChannelTypes(t *testing.T) {
	for kind, want := range map[string]string{
		"SVRCONN": `ALTDATE ALTTIME CERTLABL COMPHDR COMPMSG DESCR DISCINT HBINT KAINT MAXINST MAXINSTC MAXMSGL MCAUSER MONCHL RCVDATA RCVEXIT
			SCYDATA SCYEXIT SENDDATA SENDEXIT SHARECNV SSLCAUTH SSLCIPH SSLPEER TRPTYPE`,
		"RCVR": `ALTDATE ALTTIME BATCHSZ CERTLABL COMPHDR COMPMSG DESCR HBINT KAINT MAXMSGL MCAUSER MONCHL MRDATA MREXIT MRRTY MRTMR MSGDATA
			MSGEXIT NPMSPEED PUTAUT RCVDATA RCVEXIT RESETSEQ SCYDATA SCYEXIT SENDDATA SENDEXIT SEQWRAP SSLCAUTH SSLCIPH SSLPEER STATCHL TRPTYPE USEDLQ`,
		"AMQP": `ALTDATE ALTTIME CERTLABL DESCR AMQPKA LOCLADDR MAXINST MAXMSGL MCAUSER PORT SSLCAUTH SSLCIPH SSLPEER TPROOT TMPMODEL TMPQPRFX USECLTID`,
		"CLUSSDR": `ALTDATE ALTTIME BATCHHB BATCHINT BATCHLIM BATCHSZ CLUSNL CLUSTER CLWLPRTY CLWLRANK CLWLWGHT COMPHDR COMPMSG CONNAME CONVERT
			DESCR DISCINT HBINT KAINT LOCLADDR LONGRTY LONGTMR MAXMSGL MCANAME MCATYPE MCAUSER MODENAME MONCHL MSGDATA MSGEXIT NPMSPEED PASSWORD
			PROPCTL RCVDATA RCVEXIT RESETSEQ SCYDATA SCYEXIT SENDDATA SENDEXIT SEQWRAP SHORTRTY SHORTTMR SSLCIPH SSLPEER STATCHL TPNAME TRPTYPE
			USEDLQ USERID`,
	} {
		if got := names(Of(Channel).Showing(l94, map[string]string{"CHLTYPE": kind})); !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("%s: %v", kind, got)
		}
	}
	c := Of(Channel)
	discint, _ := c.Attribute(l94, "DISCINT")
	if server, sender := c.Value(discint, map[string]string{"CHLTYPE": "SVRCONN"}), c.Value(discint, map[string]string{"CHLTYPE": "SDR"}); server != "0" || sender != "6000" {
		t.Error(server, sender)
	}
}

func names(attributes []*Attribute) []string {
	var all []string
	for _, a := range attributes {
		all = append(all, a.Name)
	}
	return all
}

func TestCheck(t *testing.T) {
	c := Of(Queue)
	for _, test := range []struct {
		name   string
		values []string
		want   string
		bad    bool
	}{
		{"MAXDEPTH", []string{"0100"}, "100", false}, {"MAXDEPTH", []string{"-1"}, "", true}, {"MAXDEPTH", []string{"1000000000"}, "", true},
		{"MAXDEPTH", []string{"many"}, "", true}, {"MAXDEPTH", []string{"1", "2"}, "", true}, {"MAXDEPTH", nil, "", true},
		{"PUT", []string{"DISABLED"}, "DISABLED", false}, {"PUT", []string{"MAYBE"}, "", true}, {"PUT", []string{""}, "", true},
		{"DESCR", []string{" "}, "", false}, {"DESCR", nil, "", false}, {"DESCR", []string{"it's ours "}, "it's ours", false},
		{"DESCR", []string{strings.Repeat("x", 65)}, "", true}, {"CAPEXPRY", []string{"NOLIMIT"}, "NOLIMIT", false},
	} {
		a, ok := c.Attribute(l94, test.name)
		if !ok {
			t.Fatal(test.name)
		}
		if got, err := a.Check(test.values); got != test.want || (err != nil) != test.bad {
			t.Errorf("%s%q: %q, %v", test.name, test.values, got, err)
		}
	}
	list, _ := Of(Namelist).Attribute(l94, "NAMES")
	if got, err := list.Check([]string{"A", " ", "B.C"}); err != nil || got != "A,B.C" {
		t.Error(got, err)
	}
	if _, err := list.Check([]string{strings.Repeat("x", 49)}); err == nil {
		t.Error("a name of 49 characters is taken")
	}
	conname, _ := Of(Channel).Attribute(l94, "CONNAME")
	if got, err := conname.Check([]string{"A(1414)", "B(1415)"}); err != nil || got != "A(1414),B(1415)" {
		t.Error(got, err)
	}
}

// What is kept of an object and its class give all its attributes back.
func TestDifferences(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.SampledFrom(Classes()).Draw(t, "class")
		given := map[string]string{}
		if c.Selector != "" {
			var types []string
			for selected := range c.Default {
				types = append(types, selected)
			}
			slices.Sort(types)
			given[c.Selector] = rapid.SampledFrom(types).Draw(t, "type")
		}
		for _, a := range c.Showing(l94, given) {
			if a.Words != nil && !a.Fixed && rapid.Bool().Draw(t, "given") {
				given[a.Name] = rapid.SampledFrom(a.Words).Draw(t, a.Name)
			}
		}
		kept := c.Differences(given)
		for _, a := range c.Showing(l94, given) {
			if before, after := c.Value(a, given), c.Value(a, kept); before != after {
				t.Fatalf("%s %s: %q, then %q", c.Kind, a.Name, before, after)
			}
			if value, stands := kept[a.Name]; stands && value == a.usual(given[c.Selector]) {
				t.Fatalf("%s(%s) is kept, and usual", a.Name, value)
			}
		}
	})
}

// The type words of rcdmqimg (reference, Multiplatforms 3.4 item 64).
func TestByWord(t *testing.T) {
	for word, want := range map[string][]engine.Kind{
		"q": {Queue, AliasQueue, RemoteQueue, ModelQueue}, "queue": {Queue, AliasQueue, RemoteQueue, ModelQueue}, "ql": {Queue},
		"QLOCAL": {Queue}, "qa": {AliasQueue}, "qr": {RemoteQueue}, "qm": {ModelQueue}, "qmodel": {ModelQueue}, "prcs": {Process},
		"nl": {Namelist}, "chl": {Channel}, "clcn": {ClientChannel}, "lstr": {Listener}, "srvc": {Service}, "top": {Topic}, "qmgr": {QueueManager},
		"authinfo": {AuthInfo}, "comminfo": {CommInfo}, "syncfile": {SyncFile}, "clchltab": {ClientChannelTable}, "ctlg": {Catalogue}, "catalog": {Catalogue},
	} {
		if got, ok := ByWord(word); !ok || !slices.Equal(got, want) {
			t.Errorf("%s: %v", word, got)
		}
	}
	if all, ok := ByWord("all"); !ok || len(all) != len(classes) {
		t.Error(all)
	}
	if got, ok := ByWord("colour"); ok {
		t.Error(got)
	}
	if WordOf(Queue) != "qlocal" || WordOf(Catalogue) != "catalog" || WordOf(QueueManager) != "qmgr" {
		t.Error(WordOf(Queue), WordOf(Catalogue))
	}
}

// Who has media images (reference, Multiplatforms 1.3); channels have none.
func TestRecoverable(t *testing.T) {
	no := map[string]string{"IMGRCOVQ": "NO", "IMGRCOVO": "NO"}
	for _, test := range []struct {
		kind           engine.Kind
		own, ofManager map[string]string
		want           bool
	}{
		{Queue, nil, nil, true}, {Queue, nil, no, false}, {Queue, map[string]string{"IMGRCOVQ": "YES"}, no, true},
		{Queue, map[string]string{"IMGRCOVQ": "NO"}, nil, false}, {Queue, map[string]string{"IMGRCOVQ": "QMGR"}, no, false},
		{Process, nil, nil, true}, {Process, nil, no, false}, {AliasQueue, nil, no, false}, {ModelQueue, nil, no, true},
		{Channel, nil, nil, false}, {ClientChannel, nil, nil, false}, {QueueManager, nil, no, true}, {Topic, nil, no, true},
		{Catalogue, nil, no, true}, {SyncFile, nil, no, true}, {ClientChannelTable, nil, nil, false},
	} {
		if got := Recoverable(engine.Ref{Kind: test.kind, Name: "A"}, test.own, test.ofManager); got != test.want {
			t.Errorf("%s %v %v: %t", test.kind, test.own, test.ofManager, got)
		}
	}
}

func TestFits(t *testing.T) {
	for _, test := range []struct {
		wanted, name string
		want         bool
	}{{"*", "A", true}, {"A*", "A", true}, {"A.*", "A", false}, {"A", "A", true}, {"A", "AB", false}, {"", "A", false}} {
		if Fits(test.wanted, test.name) != test.want {
			t.Error(test)
		}
	}
}
