package runmqsc

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/mqhk/mqhk/core/mqsc"
	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/objects"
)

// What any DEFINE sets DISPLAY ALL shows, and what the DISPLAY shows defines the
// same object again.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		classes := slices.DeleteFunc(objects.Classes(), func(c *objects.Class) bool { return c.Kind == objects.QueueManager })
		class := rapid.SampledFrom(classes).Draw(r, "class")
		kind := ""
		if class.Selector != "" {
			kind = rapid.SampledFrom(slices.Sorted(maps.Keys(class.Default))).Draw(r, "type")
		}
		f := newFake("9.4.2")
		command, want := drawDefine(r, class, kind)
		reply := runWhole(r, f, define(class, kind, "A")+command)
		if len(reply.Messages) != 1 || !reply.Messages[0].Is(class.Created) {
			r.Fatalf("%s: %v", command, reply.Messages)
		}
		show := "DISPLAY " + class.MQSC
		if class.Kind == objects.ClientChannel {
			show = "DISPLAY CHANNEL"
		}
		shown := runWhole(r, f, show+"(A) ALL")
		if len(shown.Objects) != 1 {
			r.Fatalf("%v", shown)
		}
		again := ""
		for _, a := range shown.Objects[0].Attributes[1:] {
			if value, set := want[a.Name]; set && (value != a.Value && !a.Bare) {
				r.Fatalf("%s is %q, not %q", a.Name, a.Value, value)
			}
			delete(want, a.Name)
			attribute, ok := class.Attribute(usual, a.Name)
			if ok && !attribute.Fixed {
				again += " " + given(attribute, a)
			}
		}
		if len(want) > 0 {
			r.Fatalf("not shown: %v", want)
		}
		if reply := runWhole(r, f, define(class, kind, "B")+again); !reply.Messages[0].Is(class.Created) {
			r.Fatalf("%s: %v", again, reply.Messages)
		}
		first, _ := f.Object(engine.Ref{Kind: class.Kind, Name: "A"})
		second, _ := f.Object(engine.Ref{Kind: class.Kind, Name: "B"})
		if diff := cmp.Diff(first.Attributes, second.Attributes); diff != "" {
			r.Fatal(diff)
		}
	})
}

// define begins a DEFINE.
func define(class *objects.Class, kind, name string) string {
	switch {
	case class.Kind == objects.ClientChannel:
		return "DEFINE CHANNEL(" + name + ") CHLTYPE(CLNTCONN)"
	case kind != "":
		return "DEFINE " + class.MQSC + "(" + name + ") " + class.Selector + "(" + kind + ")"
	}
	return "DEFINE " + class.MQSC + "(" + name + ")"
}

// drawDefine draws attributes, and gives them as a command has them and as they
// are to be shown.
func drawDefine(r *rapid.T, class *objects.Class, kind string) (string, map[string]string) {
	command, want := "", map[string]string{}
	text := rapid.StringMatching(`[!-'*-~äß€ ]{0,32}(\([a-z ]{0,9}\))?`)
	for _, a := range class.Showing(usual, map[string]string{class.Selector: kind}) {
		if a.Fixed || !rapid.Bool().Draw(r, a.Name) {
			continue
		}
		value := ""
		switch {
		case a.Form == objects.Flag:
			word := rapid.SampledFrom(a.Words).Draw(r, "word")
			want[word] = ""
			command += " " + word
			continue
		case a.Words != nil:
			value = rapid.SampledFrom(a.Words).Draw(r, "value")
		case a.Form == objects.Number:
			value = rapid.SampledFrom([]string{"20", "7"}).Draw(r, "value")
			if a.Least > 7 || a.Most < 20 {
				continue
			}
		case a.Form == objects.List:
			want[a.Name] = "A       ,B" // as two lines
			command += " " + a.Name + "(A,B)"
			continue
		default:
			value = strings.TrimSpace(text.Draw(r, "text"))
			// One in quotes of its own can't be told from one that was printed in
			// quotes.
			if len([]rune(value)) > a.Length || strings.HasPrefix(value, "'") && strings.HasSuffix(value, "'") {
				continue
			}
		}
		want[a.Name] = value
		command += " " + a.Name + "(" + mqsc.Quote(value) + ")"
	}
	for name := range want {
		if name == "NAMES" {
			delete(want, name) // its parts stand in lines of their own
		}
	}
	return command, want
}

// given writes an attribute that was shown as a command has it.
func given(attribute *objects.Attribute, a mqsc.Attribute) string {
	switch {
	case a.Bare:
		return a.Name
	case attribute.Form == objects.List:
		return a.Name + "(" + strings.Join(strings.Fields(strings.ReplaceAll(a.Value, ",", " ")), ",") + ")"
	}
	return a.Name + "(" + mqsc.Quote(a.Value) + ")"
}

// runWhole runs one command and reads the reply.
func runWhole(r *rapid.T, f *fake, command string) mqsc.Answer {
	out, _ := Run(r.Context(), f, "QM1", []byte(command+"\n"))
	answer, err := mqsc.ParseAnswer(out)
	if err != nil {
		r.Fatalf("%v\n%s", err, out)
	}
	return answer
}
