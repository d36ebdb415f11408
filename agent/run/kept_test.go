package run

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
)

var updateKept = flag.Bool("update", false, "write the golden files anew")

// The file is read by people who approve it: golden, so that a change of it is
// seen.
func TestKeptText(t *testing.T) {
	inv := keptLog{from: 5, to: 9, restart: 8, media: 7}.inventory()
	inv.Segments[0].State = recovery.Online
	plan := planOn(inv)
	plan.Actions = append([]plugins.Action{{
		ID: "change", QueueManager: "ORDERS", Kind: plugins.KindCommand, Object: "QMORDERS/AMQAJRN", Reason: "a new receiver <first>",
		Command: plugins.Command{Language: "CL", QueueManager: "ORDERS", Text: "CHGJRN JRN(QMORDERS/AMQAJRN) JRNRCV(*GEN)"},
	}}, plan.Actions...)
	plan.Actions[1].After = []string{"change"}
	k, err := KeepPlan(keptMade, "host1", []KeptTask{keepTask(keptJob(), journalPlugin, plan)})
	if err != nil {
		t.Fatal(err)
	}
	got := keptText(t, k)
	golden := filepath.Join("testdata", "kept.golden")
	if *updateKept {
		if err := os.WriteFile(golden, got, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Error(diff)
	}
}

func TestKeptIsReadBack(t *testing.T) {
	k := keptOn(t, keptLog{from: 1, to: 9, restart: 8, media: 5})
	path := filepath.Join(t.TempDir(), "friday.plan")
	if err := WriteKept(path, k); err != nil {
		t.Fatal(err)
	}
	read, err := ReadKept(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(k, read); diff != "" {
		t.Error(diff)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if task, ok := read.Find("conservative", "receivers", "ORDERS"); !ok || len(task.Actions) != 4 || task.Totals.Delete != 4 || read.Totals.Delete != 4 {
		t.Errorf("%v, %+v", ok, task)
	}
	if _, ok := read.Find("conservative", "receivers", "PAYROLL"); ok {
		t.Error("found what is not in it")
	}
}

// Every field of an action comes back, those that are added later too.
func TestKeptActionIsWhole(t *testing.T) {
	var a plugins.Action
	fill(t, reflect.ValueOf(&a).Elem())
	a.Kind = plugins.KindDelete
	if diff := cmp.Diff(a, keepAction(a, true).Action()); diff != "" {
		t.Error(diff)
	}
}

// fill gives every field a value.
func fill(t *testing.T, v reflect.Value) {
	t.Helper()
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(t, v.Field(i))
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(t, v.Index(0))
	case reflect.String:
		v.SetString("x")
	case reflect.Int64:
		v.SetInt(7)
	default:
		t.Fatalf("a %s can't be filled", v.Type())
	}
}

func TestKeepPlanRefuses(t *testing.T) {
	good := func() KeptTask { return keptOn(t, keptLog{from: 1, to: 9, restart: 8, media: 5}).Tasks[0] }
	for says, change := range map[string]func(*KeptTask){
		"plugin's SHA-256 is not named":      func(k *KeptTask) { k.Plugin.SHA256 = "" },
		"target is not named":                func(k *KeptTask) { k.Target = "" },
		"has no ID or stands twice":          func(k *KeptTask) { k.Actions[1].ID = k.Actions[0].ID },
		`after "none", which is not in`:      func(k *KeptTask) { k.Actions[0].After = []string{"none"} },
		`kind "sweep" is not known`:          func(k *KeptTask) { k.Actions[0].Kind = "sweep" },
		"it names no segment":                func(k *KeptTask) { k.Actions[0].Segment.Name = "" },
		"has no fingerprint":                 func(k *KeptTask) { k.Actions[0].Fingerprint = "" },
		"nothing is known of PAYROLL":        func(k *KeptTask) { k.Actions[0].Segment.QueueManager = "PAYROLL" },
		"has no name or stands twice":        func(k *KeptTask) { k.Managers = append(k.Managers, k.Managers[0]) },
		"lies behind the newest segment":     func(k *KeptTask) { k.Managers[0].Marks[0].Position = 5 },
		"AMQA000005 stands twice":            func(k *KeptTask) { k.Managers[0].Line[1] = k.Managers[0].Line[0] },
		"a name or a text in it is not UTF-": func(k *KeptTask) { k.Actions[0].Segment.Name = "AMQA\xff" },
	} {
		task := good()
		change(&task)
		if _, err := KeepPlan(keptMade, "host1", []KeptTask{task}); !errors.Is(err, ErrNotKept) || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
	for says, err := range map[string]error{
		"stands twice in it": second(KeepPlan(keptMade, "host1", []KeptTask{good(), good()})),
		"it holds no task":   second(KeepPlan(keptMade, "host1", nil)),
		"when it was made":   second(KeepPlan(time.Time{}, "host1", []KeptTask{good()})),
	} {
		if !errors.Is(err, ErrNotKept) || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// An edit after the plan was made shows, and so does what was put behind it;
// white space does not matter.
func TestEditedPlan(t *testing.T) {
	text := keptText(t, keptOn(t, keptLog{from: 1, to: 9, restart: 8, media: 5}))
	edit := func(old, now string) []byte {
		edited := bytes.Replace(text, []byte(old), []byte(now), 1)
		if bytes.Equal(edited, text) {
			t.Fatalf("%q is not in the plan", old)
		}
		return edited
	}
	for name, test := range map[string]struct {
		text []byte
		want error
	}{
		"as it is":            {text, nil},
		"other white space":   {bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n\t")), nil},
		"another segment":     {edit(`"name": "AMQA000001"`, `"name": "AMQA000008"`), ErrPlanEdited},
		"another digest":      {edit(`"id": "`, `"id": "0`), ErrPlanEdited},
		"an action less":      {edit(`"delete-AMQA000001"`, `"delete-AMQA000009"`), ErrPlanEdited},
		"a name given twice":  {edit(`"host": "host1"`, `"host": "host2", "host": "host1"`), ErrPlanEdited},
		"a name in capitals":  {edit(`"host"`, `"HOST"`), ErrPlanEdited},
		"a field more":        {edit(`"host": "host1"`, `"host": "host1", "force": true`), ErrNotAPlan},
		"something behind it": {append(bytes.Clone(text), "{}"...), ErrNotAPlan},
		"cut":                 {text[:len(text)-3], ErrNotAPlan},
		"empty":               {nil, ErrNotAPlan},
		"no plan":             {[]byte(`{"schema": ""}`), ErrNotAPlan},
		"a list":              {[]byte(`[]`), ErrNotAPlan},
		"a later version":     {edit("mqhk.plan/v1", "mqhk.plan/v2"), ErrPlanVersion},
		"a report":            {[]byte(`{"schema": "mqhk.report/v1"}`), ErrPlanVersion},
	} {
		if _, err := parseKept(test.text); !errors.Is(err, test.want) {
			t.Errorf("%s: %v, want %v", name, err, test.want)
		}
	}
}
