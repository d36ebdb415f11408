package policies

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mqhk/mqhk/core/observe"
)

// What a task allows is what is written, in full and in one order; else what is
// usual for its plugin; else to tell a person.
func TestAllow(t *testing.T) {
	p, ok := loadValid(t).Policy("structures")
	if !ok {
		t.Fatal("there is no policy structures")
	}
	for i, want := range []string{
		`allow = ["command:BACKUP CFSTRUCT", "alert", "custom"]`,
		`allow = ["command:CHGJRN", "command:RCDMQMIMG", "archive", "delete"]`,
		`allow = []`,
		`allow = ["command", "mark-archived"]`,
		`allow = ["alert"]`,
	} {
		if got := p.Tasks[i].Allow.String(); got != want {
			t.Errorf("task %s: %s, want %s", p.Tasks[i].Name, got, want)
		}
	}
	for _, p := range Bundled(testChecks()) {
		if got, want := p.Tasks[0].Allow.String(), `allow = ["command:CHGJRN", "command:RCDMQMIMG", "archive", "delete"]`; got != want {
			t.Errorf("bundled %s: %s, want %s", p.Name, got, want)
		}
	}
}

// What is usual may be written out without a change of meaning; anything else
// is one, and the digest has it.
func TestAllowIsInTheDigest(t *testing.T) {
	with := func(allow string) Policy {
		s, problem := newSource("p.hcl", []byte("policy \"p\" {\n task \"journal\" \"t\" {\n targets = [\"ibmi/*\"]\n strategy = \"conservative\"\n"+allow+"\n}\n}\n"))
		if problem != nil {
			t.Fatal(problem)
		}
		var ds Diagnostics
		r := &reader{checks: testChecks(), ds: &ds, found: &Configuration{}}
		if r.readFile(s); len(ds) > 0 {
			t.Fatal(ds)
		}
		return r.found.Policies[0]
	}
	usual := with("")
	if same := with(`allow = ["archive", "delete", "command:chgjrn", "command:RCDMQMIMG"]`); Digest(same) != Digest(usual) || len(Diff(same, usual)) > 0 {
		t.Errorf("what is usual, written out, differs: %q", Diff(usual, same))
	}
	wider := with(`allow = ["archive", "delete", "command"]`)
	want := `task "t" allow: ["command:CHGJRN", "command:RCDMQMIMG", "archive", "delete"] -> ["command", "archive", "delete"]`
	if got := Diff(usual, wider); Digest(wider) == Digest(usual) || !slices.Equal(got, []string{want}) {
		t.Errorf("Diff gives %q, want %q", got, want)
	}
}

func capabilities() *rapid.Generator[Capability] {
	return rapid.Custom(func(t *rapid.T) Capability {
		c := Capability{Kind: rapid.SampledFrom(kindWords).Draw(t, "kind")}
		if c.Kind == AllowCommand && rapid.Bool().Draw(t, "named") {
			c.Verb = rapid.SampledFrom(observe.ChangeVerbs()).Draw(t, "verb")
		}
		return c
	})
}

// A list reads back as itself, allows what was put in it, and nothing else.
func TestCapabilities(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		drawn := Capabilities(rapid.SliceOfN(capabilities(), 0, 9).Draw(t, "list"))
		other := capabilities().Draw(t, "other")
		all := drawn.With()
		for _, word := range all.Words() {
			c, err := ParseCapability(strings.ToLower(word[:1]) + word[1:])
			if err != nil || c.String() != word {
				t.Fatalf("%q is read as %q, %v", word, c, err)
			}
		}
		for _, c := range drawn {
			if !all.Has(c) {
				t.Fatalf("%s was put in and is not allowed by %s", c, all)
			}
		}
		want := slices.Contains(drawn, other) || slices.Contains(drawn, Capability{Kind: other.Kind})
		if all.Has(other) != want {
			t.Fatalf("%s by %s: %v, want %v", other, all, all.Has(other), want)
		}
		if !all.With(other).Has(other) || !all.means(all.With().With()) || all.means(all.With(other)) != want {
			t.Fatalf("%s with %s is %s", all, other, all.With(other))
		}
	})
}

// Whatever is written, what is allowed is a kind of action, or a change of the
// tables by its verb: no release, and nothing that only a person gives.
func FuzzParseCapability(f *testing.F) {
	for _, text := range []string{"delete", "command:bac cfstruct", "command:DLTJRNRCV", "custom:x", "command:", ":", "command"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := ParseCapability(text)
		if err != nil {
			if c != (Capability{}) {
				t.Fatalf("%q: %v and %v", text, c, err)
			}
			return
		}
		if !slices.Contains(kindWords, c.Kind) || c.Verb != "" && (c.Kind != AllowCommand || !slices.Contains(observe.ChangeVerbs(), c.Verb)) {
			t.Fatalf("%q is %v", text, c)
		}
	})
}
