package schema

import (
	"fmt"
	"testing"
	"time"
)

// A slip in a plugin's code must not be planned with: a percentage that reads
// as zero changes systems.
func TestGettersKnowTheSchema(t *testing.T) {
	value, err := New(Schema{Fields: []Field{
		{Name: "word", Kind: String, Default: "x"},
		{Name: "on", Kind: Bool, Default: true},
		{Name: "percent", Kind: Int, Default: int64(80)},
		{Name: "age", Kind: Duration, Default: time.Hour},
		{Name: "room", Kind: Size, Default: int64(1024)},
		{Name: "names", Kind: Strings, Default: []string{"a"}},
		{Name: "unset", Kind: Int},
	}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		get  func(Value) any
		want string // what it gives, or the sentence that it panics with
	}{
		{"word", func(v Value) any { return v.String("word") }, "x"},
		{"on", func(v Value) any { return v.Bool("on") }, "true"},
		{"percent", func(v Value) any { return v.Int("percent") }, "80"},
		{"age", func(v Value) any { return v.Duration("age") }, "1h0m0s"},
		{"room", func(v Value) any { return v.Int("room") }, "1024"},
		{"names", func(v Value) any { return v.Strings("names") }, "[a]"},
		{"not set", func(v Value) any { return v.Int("unset") }, "0"},
		{"misspelled", func(v Value) any { return v.Int("percnt") }, `setting "percnt" is read as a number, and the schema has no such setting`},
		{"another kind", func(v Value) any { return v.String("percent") }, `setting "percent" is read as a string, and in the schema it is a number`},
		{"not set, another kind", func(v Value) any { return v.Bool("unset") }, `setting "unset" is read as a bool, and in the schema it is a number`},
		{"a size as a duration", func(v Value) any { return v.Duration("room") }, `setting "room" is read as a duration, and in the schema it is a size`},
		{"a list as a string", func(v Value) any { return v.String("names") }, `setting "names" is read as a string, and in the schema it is a list of strings`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := said(value, tt.get); got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
}

// A schema without settings has none; without a schema nothing is known.
func TestGettersWithoutSettings(t *testing.T) {
	get := func(v Value) any { return v.Int("percent") }
	empty, err := New(Schema{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := said(empty, get), `setting "percent" is read as a number, and the schema has no such setting`; got != want {
		t.Errorf("an empty schema: %s, want %s", got, want)
	}
	if got := said(Value{}, get); got != "0" {
		t.Errorf("the zero value: %s", got)
	}
}

// said gives what a getter gave, or what it panicked with.
func said(v Value, get func(Value) any) (text string) {
	defer func() {
		if value := recover(); value != nil {
			text = fmt.Sprint(value)
		}
	}()
	return fmt.Sprint(get(v))
}
