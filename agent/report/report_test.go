package report

import (
	"errors"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/core/finding"
)

func TestParseFormat(t *testing.T) {
	for _, word := range []string{"text", "JSON", "markdown", "Script"} {
		if _, err := ParseFormat(word); err != nil {
			t.Error(err)
		}
	}
	if _, err := ParseFormat("html"); err == nil || !strings.Contains(err.Error(), "text, json, markdown, script") {
		t.Errorf("got %v", err)
	}
}

type closed struct{}

var errClosed = errors.New("closed")

func (closed) Write([]byte) (int, error) { return 0, errClosed }

func TestWriteErrors(t *testing.T) {
	if err := Write(closed{}, figure1(), Options{}); !errors.Is(err, errClosed) {
		t.Errorf("got %v", err)
	}
	if err := Write(&strings.Builder{}, figure1(), Options{Format: "html"}); err == nil {
		t.Error("an unknown format was written")
	}
}

// Whether anything was changed is said in the first line and in the last.
func TestFirstAndLastLine(t *testing.T) {
	for name, build := range records {
		want := "DRY RUN: nothing was changed"
		if name == "applied" {
			want = "APPLY: this run changed systems. Of 957 actions: 1 done, 1 failed, 955 skipped."
		}
		for _, f := range []Format{Text, Markdown, Script} {
			lines := strings.Split(strings.TrimSpace(render(t, build(), Options{Format: f})), "\n")
			first, last := lines[0], lines[len(lines)-1]
			if f == Script { // its lines are shorter, so a banner can take two
				want = want[:20]
				last = strings.Join(lines[len(lines)-2:], " ")
			}
			if !strings.Contains(first, want) || !strings.Contains(last, want) {
				t.Errorf("%s as %s: first %q, last %q", name, f, first, last)
			}
		}
	}
}

func TestBannerBelievesTheActions(t *testing.T) {
	r := figure1()
	r.Targets[0].Actions[0].Outcome = "done"
	if b := banner(r); !strings.HasPrefix(b.text, "NOT A DRY RUN") {
		t.Errorf("got %q", b.text)
	}
	r.DryRun, r.Targets[0].Actions = false, nil
	if b := banner(r); !strings.Contains(b.text, "nothing was changed") || !strings.HasPrefix(b.text, "APPLY") {
		t.Errorf("got %q", b.text)
	}
}

// Only what was done has changed something; what is not known may have.
func TestBannerOfWhatFailed(t *testing.T) {
	for _, test := range []struct{ kind, first, second, want string }{
		{"delete", "failed", "failed", "APPLY: as far as is known nothing was changed: what was tried failed. Of 2 actions: 0 done, 2 failed."},
		{"delete", "failed", "skipped", "APPLY: as far as is known nothing was changed: what was tried failed. Of 2 actions: 0 done, 1 failed, 1 skipped."},
		{"delete", "unknown", "failed", "APPLY: this run may have changed systems: what became of 1 action is not known. Of 2 actions: 0 done, 1 failed, 1 of unknown outcome."},
		{"delete", "pending", "retry", "APPLY: this run may have changed systems: what became of 2 actions is not known. Of 2 actions: 0 done, 1 pending, 1 to be tried again."},
		{"delete", "done", "failed", "APPLY: this run changed systems. Of 2 actions: 1 done, 1 failed."},
		{"delete", "skipped", "skipped", "APPLY: this run was allowed to change systems; nothing was changed. Of 2 actions: 0 done, 2 skipped."},
		{"alert", "done", "failed", "APPLY: as far as is known nothing was changed: what was tried failed. Of 2 actions: 1 done, 1 failed."},
	} {
		r := figure1()
		r.DryRun = false
		actions := r.Targets[0].Actions
		actions[0].Kind, actions[0].Outcome, actions[1].Outcome = test.kind, test.first, test.second
		if b := banner(r); b.text != test.want {
			t.Errorf("%s, %s: %q", test.first, test.second, b.text)
		}
	}
}

func TestCustomEffectsAreAnnounced(t *testing.T) {
	r := figure1()
	r.Targets[0].Actions[0].Kind = "custom"
	lines := strings.Split(render(t, r, Options{Width: 200}), "\n")
	if !strings.Contains(lines[1], "outside the second key") {
		t.Errorf("second line is %q", lines[1])
	}
}

// What the task lets its plugin do by itself is said even where nothing of it is
// planned: a later round may plan it.
func TestCustomIsAnnouncedWhereItIsAllowed(t *testing.T) {
	r := figure1()
	r.Targets[0].Allow = []string{"command:BACKUP CFSTRUCT", "delete", "custom"}
	text := render(t, r, Options{Width: 200})
	if lines := strings.Split(text, "\n"); !strings.Contains(lines[1], "lets plugin journal act by itself (custom): such effects are outside the second key") {
		t.Errorf("second line is %q", lines[1])
	}
	if want := "what its plugin may plan: command:BACKUP CFSTRUCT, delete, custom."; !strings.Contains(text, want) {
		t.Errorf("the report lacks %q", want)
	}
	r.Targets[0].Allow = []string{"delete"}
	if text := render(t, r, Options{Width: 200}); strings.Contains(text, "outside the second key") {
		t.Error("effects are announced that the task does not allow")
	}
}

// No sum is given over plans that exclude each other.
func TestNoSumOverAlternatives(t *testing.T) {
	if !strings.Contains(render(t, record(append(sideBySide().Targets, figure1().Targets...)...), Options{}), "No sum is given") {
		t.Error("a sum was given over alternatives")
	}
	if !strings.Contains(render(t, record(thousand().Targets[0], figure1().Targets[0]), Options{}), "1006 receivers") {
		t.Error("the sum over two targets is missing")
	}
}

// No line of text is wider than it was asked to be, but for a single word
// that is: a statement's parameter is never cut.
func TestTextKeepsItsWidth(t *testing.T) {
	for name, build := range records {
		for _, width := range []int{MinimumWidth, 80, DefaultWidth, 132} {
			for _, verbose := range []bool{false, true} {
				for _, l := range strings.Split(render(t, build(), Options{Width: width, Verbose: verbose}), "\n") {
					if len(l) > width && !strings.HasPrefix(l, "journal  1.0.0") && strings.Trim(l, "-") != "" { // a hash is one word
						t.Errorf("%s: %d columns of %d: %q", name, len(l), width, l)
					}
				}
			}
		}
	}
}

func TestColour(t *testing.T) {
	coloured := render(t, lost(), Options{Colour: true})
	if !strings.Contains(coloured, "\x1b[1;31mCRITICAL") {
		t.Error("critical is not shown in colour")
	}
	for _, code := range []string{"\x1b[32m", "\x1b[33m", "\x1b[1;31m", "\x1b[2m", "\x1b[0m"} {
		coloured = strings.ReplaceAll(coloured, code, "")
	}
	if coloured != render(t, lost(), Options{}) {
		t.Error("colour changes more than colour")
	}
}

// foreign draws a record full of text that was made to do harm.
func foreign(t *rapid.T) ledger.Record {
	nasty := rapid.SampledFrom([]string{"\x1b[2J", "\r\n", "\n", "\u202e", "\u009b1m", "*/", "/*", "|", "`", "```", "<script>", "';", "\xff", "\u2028", "é", "+", "-", "AMQA000001", " ", "AMQA000002", "0", "\x00"})
	words := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(nasty, 0, 5).Draw(t, "parts"), "")
	})
	w := func() string { return words.Draw(t, "text") }
	verdict := rapid.SampledFrom([]string{"keep", "delete", "archive+delete", "hold", "archived", "lost", "odd"})
	target := ledger.Target{
		Name: w(), Platform: rapid.SampledFrom([]string{"ibmi", "multiplatforms", "zos", "odd"}).Draw(t, "platform"), Policy: w(), Task: w(), Plugin: w(),
		Strategy: w(), Observed: w(), PolicyDigest: w(), Error: rapid.SampledFrom([]string{"", "", "", "\x1b"}).Draw(t, "error"), Unanswered: []string{w()},
		Recovery: ledger.Recovery{Media: &ledger.Point{Kind: w(), Segment: w(), Position: w(), Source: w()}, Outlook: ledger.Outlook{Rebuild: ledger.Readiness{Ready: "restore first", InStore: 1, First: w(), Last: w()}}},
		Objects:  []ledger.Object{{Kind: w(), Name: w(), Owner: w(), Facts: map[string]string{w(): w()}, Verdict: w(), Reason: w()}},
		Findings: []finding.Finding{{Severity: finding.Severity(rapid.IntRange(0, 3).Draw(t, "severity")), Code: finding.Code(w()), Text: w()}},
		Actions: []ledger.Action{{ID: w(), Kind: rapid.SampledFrom([]string{"delete", "archive", "custom"}).Draw(t, "kind"), Object: w(), Language: rapid.SampledFrom([]string{"CL", "MQSC", "CTL", ""}).Draw(t, "language"),
			Command: "DLTJRNRCV " + w(), Reason: w(), After: []string{}, Outcome: rapid.SampledFrom([]string{"planned", "done"}).Draw(t, "outcome"), Evidence: w()}},
	}
	picture := ledger.Picture{Kind: "timeline", Title: w(), Cut: rapid.IntRange(0, 4).Draw(t, "cut"), Hidden: rapid.IntRange(0, 9).Draw(t, "hidden")}
	for range rapid.IntRange(0, 40).Draw(t, "pieces") {
		v := verdict.Draw(t, "verdict")
		target.Segments = append(target.Segments, ledger.Segment{Name: w(), Library: w(), QueueManager: w(), Verdict: v, Reason: w(), Why: w(), State: w(), Opened: w()})
		picture.Points = append(picture.Points, ledger.Dot{Name: w(), At: w(), Verdict: v, State: w()})
	}
	picture.Marks = []ledger.Mark{{Kind: w(), Point: rapid.IntRange(-1, 41).Draw(t, "point"), At: w()}}
	target.Pictures = []ledger.Picture{picture}
	return ledger.Record{DryRun: true, Run: ledger.Run{ID: w(), Host: w()}, Targets: []ledger.Target{target}}
}

// Nothing that came from outside can act in a terminal, break out of a
// comment or put a line of its own into a script.
func TestForeignTextIsHarmless(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := foreign(t)
		for _, o := range []Options{{Format: Text, Verbose: rapid.Bool().Draw(t, "verbose")}, {Format: Script}, {Format: Markdown}} {
			var out strings.Builder
			if err := Write(&out, r, o); err != nil {
				t.Fatal(err)
			}
			for _, c := range out.String() {
				if c != '\n' && (c < ' ' || c == 0x7f || o.Format == Text && c > '~' || c >= 0x80 && c < 0xa0 || c == '\u202e' || c == '\u2028') {
					t.Fatalf("%s holds %q", o.Format, c)
				}
			}
			if o.Format == Script {
				checkScript(t, out.String(), r.Targets[0])
			}
		}
	})
}

// shellFrame is what stands in a shell script beside comments and statements.
var shellFrame = regexp.MustCompile("^(#!/bin/sh|extent '[^'`]+'|runmqsc [A-Za-z0-9._/%]{1,48} <<'MQSC'|MQSC)$")

func checkScript(t *rapid.T, text string, target ledger.Target) {
	statements := 0
	shell := strings.HasPrefix(text, "#!/bin/sh\n")
	if shell {
		parse := exec.CommandContext(t.Context(), "sh", "-n")
		parse.Stdin = strings.NewReader(text)
		if said, err := parse.CombinedOutput(); err != nil {
			t.Fatalf("sh -n: %v: %s", err, said)
		}
	}
	for _, l := range strings.Split(text, "\n") {
		switch {
		case l == "", strings.HasPrefix(l, "# "), strings.HasPrefix(l, "* "):
		case strings.HasPrefix(l, "/* ") && strings.HasSuffix(l, " */") && strings.Count(l, "*/") == 1 && strings.Count(l, "/*") == 1:
		case target.Platform == "zos" && (l == "//*" || strings.HasPrefix(l, "//* ")):
		case shell && (shellFrame.MatchString(l) || slices.Contains(prologue, l)):
		case l == target.Actions[0].Command:
			statements++
		default:
			t.Fatalf("neither comment nor statement: %q", l)
		}
	}
	if statements > 0 && (statements > 1 || critical(target) > 0 || target.Error != "") {
		t.Fatalf("%d statements to submit", statements)
	}
}
