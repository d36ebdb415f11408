package smdsexpand

import (
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/plugins/schema"
)

// What the schema documents can be set, and what it lacks can't. The defaults are
// the limits of DFSMS.
func TestDescribe(t *testing.T) {
	d := Plugin{Version: "1.2.3"}.Describe()
	if d.Name != Name || d.Version != "1.2.3" || !strings.HasSuffix(d.Doc, ".") || len(d.Platforms) != 1 || d.Platforms[0] != observe.ZOS {
		t.Errorf("%+v", d)
	}
	for _, f := range d.Schema.Fields {
		bounded := f.Kind == schema.Int || f.Kind == schema.Size || f.Kind == schema.Duration
		if f.Name == "" || !strings.HasSuffix(f.Doc, ".") || f.Default == nil || bounded && f.Min >= f.Max {
			t.Errorf("%+v", f)
		}
	}
	c := usual(t)
	if c.limits != (limits{total: 255, onVolume: 123, volumes: 59, kept: 4, atOnce: 5, plain: 4 << 30, extended: 16 << 40}) {
		t.Errorf("%+v", c.limits)
	}
	if c.limits.onVolume*c.limits.volumes != 7257 || c.alter || len(c.again) > 0 || c.horizon != 7*day || c.recent != day {
		t.Errorf("%+v", c)
	}
	for _, wrong := range []map[string]any{
		{"extents": int64(0)}, {"full_percent": int64(101)}, {"recent": time.Minute}, {"horizon": 61 * day}, {"buffer_storage": int64(1)},
		{"expand_again": "APPSTR1/QMA1"}, {"shrink": true},
	} {
		if _, err := schema.New(d.Schema, wrong); err == nil {
			t.Errorf("%v is accepted", wrong)
		}
	}
}

// A check complains of what the schema can't see, by the setting's name.
func TestCheck(t *testing.T) {
	tests := []struct {
		settings map[string]any
		want     string
	}{
		{nil, ""},
		{map[string]any{"expand_again": []string{"APPSTR1/QMA1"}}, ""},
		{map[string]any{"expand_again": []string{"APPSTR1"}}, "expand_again"},
		{map[string]any{"expand_again": []string{"APPSTR1/QMA1) CMDSCOPE(*"}}, "expand_again"},
		{map[string]any{"largest_extended": int64(1 << 30)}, "largest_extended"},
		{map[string]any{"volumes": int64(60)}, "volumes"},
	}
	_, target := asking(t, example(t))
	for _, test := range tests {
		var paths []string
		for _, complaint := range (Plugin{}).Check(t.Context(), request(t, target, test.settings)) {
			paths = append(paths, complaint.Path)
		}
		if got := strings.Join(paths, " "); got != test.want {
			t.Errorf("%v: %q, want %q", test.settings, got, test.want)
		}
	}
}
