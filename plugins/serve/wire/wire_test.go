package wire

import (
	gocmp "cmp"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/schema"
)

// same compares what travelled: an empty list is nil, a zone is its offset.
var same = cmp.Options{
	cmpopts.EquateEmpty(),
	cmp.Comparer(func(a, b schema.Value) bool { return cmp.Equal(a.Settings(), b.Settings(), cmpopts.EquateEmpty()) }),
	cmp.Comparer(func(a, b time.Time) bool {
		_, east := a.Zone()
		_, other := b.Zone()
		return a.Equal(b) && east == other
	}),
}

// over sends a message through its bytes.
func over[M proto.Message](t interface{ Fatal(...any) }, message M) M {
	bytes, err := proto.Marshal(message)
	if err != nil {
		t.Fatal(err)
	}
	fresh := message.ProtoReflect().New().Interface()
	if err := proto.Unmarshal(bytes, fresh); err != nil {
		t.Fatal(err)
	}
	return fresh.(M)
}

// anyText gives texts of every kind: empty, repeated, with stray bytes, long.
func anyText() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.SampledFrom([]string{"", "QM1", "AMQA000008", "needed for restart", "\xff\xfe\x00 stray", strings.Repeat("x", 3000)}),
		rapid.String(),
		rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }),
	)
}

func anyTime() *rapid.Generator[time.Time] {
	return rapid.Custom(func(t *rapid.T) time.Time {
		if rapid.Bool().Draw(t, "zero") {
			return time.Time{}
		}
		zone := time.FixedZone("", rapid.IntRange(-14*3600, 14*3600).Draw(t, "offset"))
		return time.Unix(rapid.Int64Range(-1<<40, 1<<40).Draw(t, "seconds"), rapid.Int64Range(0, 999999999).Draw(t, "nanos")).In(zone)
	})
}

// anything fills a type by reflection, so that a field added to it is covered
// on the day it is added.
func anything[T any]() *rapid.Generator[T] {
	return rapid.MakeCustom[T](rapid.MakeConfig{
		Types: map[reflect.Type]*rapid.Generator[any]{
			reflect.TypeFor[time.Time]():     anyTime().AsAny(),
			reflect.TypeFor[schema.Value]():  rapid.Map(anySettings(), func(s settings) schema.Value { return s.value }).AsAny(),
			reflect.TypeFor[schema.Schema](): rapid.Map(anySettings(), func(s settings) schema.Schema { return s.schema }).AsAny(),
		},
		Kinds: map[reflect.Kind]*rapid.Generator[any]{reflect.String: anyText().AsAny()},
	})
}

// settings is a schema and a configuration that fits it.
type settings struct {
	schema schema.Schema
	value  schema.Value
}

func anySettings() *rapid.Generator[settings] {
	return rapid.Custom(func(t *rapid.T) settings {
		drawn := settings{schema: schema.Schema{Doc: anyText().Draw(t, "doc")}}
		held := map[string]any{}
		for i := range rapid.IntRange(0, 8).Draw(t, "fields") {
			field := schema.Field{
				Name: fmt.Sprintf("setting_%d", i), Doc: anyText().Draw(t, "doc"),
				Kind:   schema.Kind(rapid.IntRange(int(schema.String), int(schema.Strings)).Draw(t, "kind")),
				Secret: rapid.Bool().Draw(t, "secret"),
			}
			if rapid.Bool().Draw(t, "has default") {
				field.Default = anySetting(t, field.Kind)
			}
			if rapid.Bool().Draw(t, "is set") {
				held[field.Name] = anySetting(t, field.Kind)
				field.Required = rapid.Bool().Draw(t, "required")
			}
			drawn.schema.Fields = append(drawn.schema.Fields, field)
		}
		var err error
		if drawn.value, err = schema.New(drawn.schema, held); err != nil {
			t.Fatal(err)
		}
		return drawn
	})
}

func anySetting(t *rapid.T, kind schema.Kind) any {
	switch kind {
	case schema.String:
		return anyText().Draw(t, "text")
	case schema.Bool:
		return rapid.Bool().Draw(t, "flag")
	case schema.Duration:
		return time.Duration(rapid.Int64().Draw(t, "duration"))
	case schema.Strings:
		return rapid.SliceOf(anyText()).Draw(t, "texts")
	default:
		return rapid.Int64().Draw(t, "number")
	}
}

func encodeParts(t interface{ Fatal(...any) }, plan plugins.Plan) []*PlanPart {
	var parts []*PlanPart
	err := EncodePlan(plan, func(p *PlanPart) error {
		parts = append(parts, p)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return parts
}

func decodeParts(parts []*PlanPart) (plugins.Plan, error) {
	var decoder PlanDecoder
	for _, part := range parts {
		if err := decoder.Add(part); err != nil {
			return plugins.Plan{}, err
		}
	}
	return decoder.Plan()
}

func TestPlanTravels(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		plan := anything[plugins.Plan]().Draw(t, "plan")
		parts := encodeParts(t, plan)
		for i, part := range parts {
			parts[i] = over(t, part)
		}
		got, err := decodeParts(parts)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(plan, got, same); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestPartsKeepTheirSize(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		plan := anything[plugins.Plan]().Draw(t, "plan")
		for len(plan.Actions) > 0 && len(plan.Actions) < 200 {
			plan.Actions = append(plan.Actions, plan.Actions...)
		}
		for i := range plan.Actions {
			plan.Actions[i].ID += fmt.Sprint(i)
		}
		for _, part := range encodeParts(t, plan) {
			if size := proto.Size(part); size > PartSize {
				t.Fatalf("a part has %d bytes", size)
			}
		}
	})
}

func TestDescriptionTravels(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := anything[plugins.Description]().Draw(t, "description")
		message, err := EncodeDescription(want)
		if err != nil {
			t.Fatal(err)
		}
		got, err := DecodeDescription(over(t, message))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got, same); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestRequestTravels(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		config := anySettings().Draw(t, "config")
		want := anything[plugins.Request]().Draw(t, "request")
		want.Config = config.value
		message, err := EncodeRequest(want)
		if err != nil {
			t.Fatal(err)
		}
		got, err := DecodeRequest(config.schema, over(t, message))
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range EncodeResults(want.Earlier) {
			for _, r := range over(t, part).GetResults() {
				got.Earlier = append(got.Earlier, DecodeResult(r))
			}
		}
		if diff := cmp.Diff(want, got, same); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestActionTravels(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := anything[plugins.Action]().Draw(t, "action")
		table, message := EncodeAction(want)
		start := over(t, &Start{Strings: table, Action: message})
		got, err := DecodeAction(start.GetStrings(), start.GetAction())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got, same); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestComplaintsTravel(t *testing.T) {
	want := []plugins.Complaint{{Path: "config.record_images", Text: "needs a store"}, {}}
	if diff := cmp.Diff(want, DecodeComplaints(over(t, EncodeComplaints(want)))); diff != "" {
		t.Fatal(diff)
	}
}

// The numbers of the enums are those of the Go types; a name that no longer
// says the same word would give a plugin in another language wrong facts.
func TestEnumsSayTheSame(t *testing.T) {
	tables := []struct {
		prefix string
		names  map[int32]string
		word   func(int32) string
	}{
		{"STATE_", Segment_State_name, func(n int32) string { return recovery.State(n).String() }},
		{"KIND_", Need_Kind_name, func(n int32) string { return recovery.NeedKind(n).String() }},
		{"KIND_", Verdict_Kind_name, func(n int32) string { return recovery.VerdictKind(n).String() }},
		{"READINESS_", Recovery_Readiness_name, func(n int32) string { return recovery.Readiness(n).String() }},
		{"SEVERITY_", Finding_Severity_name, func(n int32) string { return finding.Severity(n).String() }},
		{"STRATEGY_", Promise_Strategy_name, func(n int32) string { return gocmp.Or(recovery.Strategy(n).String(), "none") }},
		{"UNSAVED_", Promise_Unsaved_name, func(n int32) string { return recovery.Unsaved(n).String() }},
	}
	fold := strings.NewReplacer("_", " ", "-", " ", "+", " ")
	for _, table := range tables {
		for number, name := range table.names {
			said := fold.Replace(strings.ToLower(strings.TrimPrefix(name, table.prefix)))
			if word := fold.Replace(table.word(number)); said != word {
				t.Errorf("%s is %d, which is %q", name, number, word)
			}
		}
	}
}
