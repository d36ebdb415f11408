package policies

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/mqhk/mqhk/plugins/schema"
)

func TestDecodeConfig(t *testing.T) {
	p, _ := loadValid(t).Policy("orders")
	v, err := DecodeConfig(p.Tasks[0].Config, testChecks().Plugins["journal"])
	if err != nil {
		t.Fatal(err)
	}
	if !v.Bool("record_images") || v.Duration("image_within") != 90*time.Minute || v.Int("space") != 10<<30 ||
		!slices.Equal(v.Strings("objects"), []string{"ORDERS.*", "PAY.*"}) || v.String("password") != testSecret {
		t.Error("the settings did not arrive as written")
	}
	// A task without a config block has the defaults.
	v, err = DecodeConfig(p.Tasks[1].Config, testChecks().Plugins["journal"])
	if err != nil || v.Duration("image_within") != time.Hour {
		t.Errorf("default %v, %v; want 1h", v.Duration("image_within"), err)
	}
	if v, err = DecodeConfig(Settings{}, schema.Schema{}); err != nil || len(v.Settings()) != 0 {
		t.Errorf("nothing decodes to %v, %v", v.Settings(), err)
	}
}

// Case 41: EXCLINT is 30 to 600 seconds.
func TestDecodeConfigBounds(t *testing.T) {
	exclint := schema.Schema{Fields: []schema.Field{
		{Name: "exclint", Kind: schema.Duration, Min: int64(30 * time.Second), Max: int64(10 * time.Minute)},
	}}
	for written, want := range map[string]time.Duration{"10s": 0, "15m": 0, "30s": 30 * time.Second, "10m": 600 * time.Second} {
		settings := Settings{what: "config", arguments: []setting{{name: "exclint", value: value{kind: textValue, text: written}}}}
		v, err := DecodeConfig(settings, exclint)
		if (err == nil) != (want > 0) || v.Duration("exclint") != want {
			t.Errorf("exclint = %q: %v, %v; want %v", written, v.Duration("exclint"), err, want)
		}
		var ds Diagnostics
		if err != nil && !errors.As(err, &ds) {
			t.Errorf("exclint = %q: %T, want Diagnostics", written, err)
		}
	}
}

func TestComplain(t *testing.T) {
	p, _ := loadValid(t).Policy("orders")
	got := map[string]string{}
	for _, d := range Complain(p.Tasks[0], []Complaint{
		{"", "the task"}, {"objects", "a list"}, {"config.objects[1]", "an element"}, {"objects[7]", "no element"},
		{"strategy", "an argument"}, {"limits.max_deletes", "not written here"}, {"level", "a default"},
	}) {
		got[d.Detail] = Place{Line: d.Line, Column: d.Column}.String()
	}
	want := map[string]string{
		"the task":                             ":18:18",
		"objects: a list":                      ":36:23",
		"config.objects[1]: an element":        ":36:36",
		"objects[7]: no element":               ":36:23",
		"strategy: an argument":                ":20:19",
		"limits.max_deletes: not written here": ":32:5",
		"level: a default":                     ":32:5",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("places (-want +got):\n%s", diff)
	}
}
