package main

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/mqhk/mqhk/policies"
)

// manual gives the pages that tell people what to type, by name. The page of
// findings is the catalogue.
func manual(t *testing.T) map[string]string {
	t.Helper()
	root := filepath.Join("..", "..")
	names, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	pages := map[string]string{}
	for _, name := range append(names, filepath.Join(root, "README.md"), filepath.Join(root, "examples", "README.md")) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		pages[filepath.Base(filepath.Dir(name))+"/"+filepath.Base(name)] = string(text)
	}
	return pages
}

var (
	// typed is a command as it is typed: in code, or at the start of a line.
	typed = regexp.MustCompile("(?:^|`|\\$ |\\./)mqhk ((?:[a-z][a-z-]*)(?: [a-z][a-z-]*)?)((?: +(?:[^`|]+))?)")
	// spoken is a command of the plan for this program that prose may name.
	spoken = regexp.MustCompile(`\bmqhk ((?:hold|note|archive|history|status|apply|run|agent|next|demo|recover|rehearse|size|sim)\b(?: [a-z][a-z-]*)?)`)
	// flagged is a flag of a command line.
	flagged = regexp.MustCompile(`(?:^| )--([a-z][a-z-]*)`)
)

// There is every command and every flag that the manual tells people to type,
// or the line says that it is not there yet.
func TestManualNamesCommandsThatThereAre(t *testing.T) {
	root := newApp(io.Discard, io.Discard).root()
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	root.InitDefaultVersionFlag()
	count := 0
	for page, text := range manual(t) {
		for i, line := range strings.Split(text, "\n") {
			if strings.Contains(line, "not there yet") {
				continue
			}
			for _, found := range spoken.FindAllStringSubmatch(line, -1) {
				if _, problem := command(root, found[1]); problem != "" {
					t.Errorf("%s:%d: mqhk %s: %s", page, i+1, found[1], problem)
				}
			}
			for _, found := range typed.FindAllStringSubmatch(line, -1) {
				count++
				cmd, problem := command(root, found[1])
				if problem != "" {
					t.Errorf("%s:%d: mqhk %s: %s", page, i+1, found[1], problem)
					continue
				}
				for _, flag := range flagged.FindAllStringSubmatch(found[2], -1) {
					if cmd.Flag(flag[1]) == nil && cmd.InheritedFlags().Lookup(flag[1]) == nil {
						t.Errorf("%s:%d: mqhk %s has no flag --%s", page, i+1, found[1], flag[1])
					}
				}
			}
		}
	}
	if count < 10 {
		t.Errorf("the manual has %d commands: are they found?", count)
	}
}

// command finds the command of one or two words, and says what is wrong with
// them. A second word that is no subcommand is an argument, where the command
// takes any.
func command(root *cobra.Command, words string) (*cobra.Command, string) {
	cmd, rest, err := root.Find(strings.Fields(words))
	switch {
	case err != nil:
		return nil, err.Error()
	case cmd == root:
		return nil, "there is no such command"
	case cmd.HasSubCommands() && len(rest) > 0 && cmd.ValidateArgs(rest) != nil:
		return nil, "there is no such subcommand"
	}
	return cmd, ""
}

var hclBlock = regexp.MustCompile("(?ms)^```hcl\n(.*?)^```$")

// What the pages show as a configuration is one to this program, with the
// plugins, connections and stores that there are.
func TestManualConfigurationsAreValid(t *testing.T) {
	for page, least := range map[string]int{"docs/policies.md": 4, "docs/multiplatforms.md": 3, "docs/apply.md": 1, "docs/smds.md": 1, "../README.md": 1} {
		examples := hclBlock.FindAllStringSubmatch(manual(t)[page], -1)
		whole := slices.DeleteFunc(examples, func(e []string) bool {
			return strings.Contains(e[1], "# ERROR") || !strings.Contains(e[1], " \"") // a mistake, a part
		})
		if len(whole) < least {
			t.Errorf("%s has %d examples", page, len(whole))
		}
		for _, example := range whole {
			path := filepath.Join(t.TempDir(), "example.hcl")
			if err := os.WriteFile(path, []byte(example[1]), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := policies.Load(checks(), path); err != nil {
				t.Errorf("%s: %v in\n%s", page, err, example[1])
			}
		}
	}
}

// shownTranscript is a block of a page that declares a queue manager.
var shownTranscript = regexp.MustCompile("(?ms)^```\n([^`]*^>>> QMGR .*?)^```$")

// What docs/transcript.md shows as a transcript is one as it stands there: a plan
// can be made on it, and on Multiplatforms a good one.
func TestManualTranscriptsAreWhole(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	shown := shownTranscript.FindAllStringSubmatch(manual(t)["docs/transcript.md"], -1)
	if len(shown) != 2 {
		t.Fatalf("the page has %d transcripts", len(shown))
	}
	for i, want := range []struct {
		code int
		says string
	}{
		{exitCritical, "CRITICAL"}, // the format: a few blocks of IBM i
		{0, "S0000100.LOG .. S0000101.LOG       2  32.0 MiB  online   delete"},
	} {
		path := filepath.Join(t.TempDir(), "shown.mqt")
		if err := os.WriteFile(path, []byte(shown[i][1]), 0o600); err != nil {
			t.Fatal(err)
		}
		var out, problems strings.Builder
		if code := execute([]string{"plan", "--policy", "conservative", "--transcript", path}, &out, &problems); code != want.code || !strings.Contains(out.String(), want.says) {
			t.Errorf("exit status %d, want %d with %q: %s%s", code, want.code, want.says, &problems, &out)
		}
	}
}
