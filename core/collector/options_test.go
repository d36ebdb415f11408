package collector

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mqhk/mqhk/core/observe"
)

// Names that are none, and paths that no line holds, are refused; what a shell
// reads in the others is quoted.
func TestOptionsOnHost(t *testing.T) {
	for want, o := range map[string]Options{
		"is not a name":   {QueueManager: "Q'; rm -rf /"},
		"one of IBM i":    {QueueManager: "Q", Library: "QMQ"},
		"Area/City":       {QueueManager: "Q", Zone: "Mars/Base"},
		`output "a.mqt"`:  {QueueManager: "Q", Output: "a.mqt"},
		`output "/a\nb"`:  {QueueManager: "Q", Output: "/a\nb"},
		`data root "mqm"`: {QueueManager: "Q", DataRoot: "mqm"},
	} {
		if _, err := Script(observe.Multiplatforms, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", o, err, want)
		}
	}
	got, err := Script(observe.Multiplatforms, Options{QueueManager: "A.B/C", Output: "/x/$(id)'\"`y`"})
	if err != nil || !strings.Contains(got, `OUT='/x/$(id)'\''"`+"`y`'") || !strings.Contains(got, "FOLDER='A!B&C'") || !strings.Contains(got, "ROOT=/var/mqm\n") {
		t.Errorf("%v\n%s", err, got)
	}
	for _, o := range []Options{{QueueManager: "ORDERS", MQSC: true}, {QueueManager: "ORDERS", DataRoot: "/var/mqm"}} {
		if _, err := Script(observe.IBMi, o); err == nil {
			t.Errorf("%+v was taken on IBM i", o)
		}
	}
}

// The commands alone are displays, and comments that give the headers of a
// transcript.
func TestCommandsAlone(t *testing.T) {
	got, err := Script(observe.Multiplatforms, Options{QueueManager: "QM1", MQSC: true})
	if err != nil {
		t.Fatal(err)
	}
	var headers, asked []string
	for line := range strings.Lines(got) {
		line = strings.TrimSuffix(line, "\n")
		if header, ok := strings.CutPrefix(line, "* >>> MQSC QM1: "); ok {
			headers = append(headers, header)
		} else if !strings.HasPrefix(line, "*") {
			asked = append(asked, line)
			if class, _, err := observe.Classify(observe.MQSC, line); err != nil || class != observe.Display {
				t.Errorf("%s is %v, %v", line, class, err)
			}
		}
	}
	if diff := cmp.Diff(headers, asked); diff != "" || len(asked) != len(displays)+1 {
		t.Errorf("%q\n%s", asked, diff)
	}
}

func TestHostScriptGolden(t *testing.T) {
	got, err := Script(observe.Multiplatforms, Options{QueueManager: "QM1", Zone: "Europe/Berlin"})
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "qm1.sh", got)
}
