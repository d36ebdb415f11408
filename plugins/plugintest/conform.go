package plugintest

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/mqhk/mqhk/core/transcript"
	"github.com/mqhk/mqhk/plugins"
)

// Check is one thing that every plugin does.
type Check struct {
	Name  string
	Shows string // what a plugin that passes it does
	Fails string // what it means for a run where it fails

	try func(*exam)
}

// Checks gives all checks in the order in which they are made.
func Checks() []Check {
	return []Check{
		{"start", "It starts, shakes hands and says what it is.",
			"No task can use it. Nothing may be printed before the handshake, the protocol is version 1, and the file's name is the plugin's name.", tryStart},
		{"description", "Name, version and sentence are there; platforms, languages and actions are known ones; custom actions and Perform come together.",
			"An operator can't see what it is for, and a host refuses what it asks or plans.", tryDescription},
		{"schema", "Each setting has a name as the file writes it and a sentence; its default has its type and lies inside its bounds.",
			"An operator can't know what to write, or a task without the setting works with a value that nobody may write.", trySchema},
		{"configuration", "Settings that do not fit are refused by name, good ones are not; a complaint's path is that of a setting.",
			"A slip of the finger is planned with, or the operator is not shown its line.", tryConfiguration},
		{"plan", "With every answer of the transcript the plan ends, in time and without an error.",
			"The task fails on a system that answers.", tryPlan},
		{"determinism", "The same answers give the same plan, byte by byte, 20 times, several at a time and in several processes. The order of its questions does not count.",
			"A plan that was read and approved is another one when it is made again. The usual causes are the order of a map, the time of day, and state that is kept between plans.", tryDeterminism},
		{"questions", "It asks displays only, in the languages that it describes.",
			"The host refuses the question, the report says so, and nothing of the plan is done.", tryQuestions},
		{"no-answers", "With every question unanswered, refused, failed or timed out it says so, in time, and plans nothing but alerts.",
			"It crashes or hangs where a system does not answer, or acts on facts that it does not have.", tryNoAnswers},
		{"one-answer-missing", "With each one of its questions failing alone, the plan ends in time, with a plan or an error.",
			"It crashes or hangs where an authority is missing.", tryOneMissing},
		{"findings", "Findings have a slug, a severity and a sentence; objects have a kind and a name.",
			"A report has an empty line, and an alert nothing to be keyed by.", tryFindings},
		{"actions", "Identifiers are there and unique, each action has a reason, waits for earlier ones only and is aimed at the target, and every command is a change.",
			"The host refuses the action, and nothing of the plan is done. One without a reason is done, and nobody knows why.", tryActions},
		{"confirm", "An action that it never planned is not confirmed as done.",
			"After a crash something counts as done that nobody did.", tryConfirm},
		{"perform", "An action that it never planned is not performed, and no command is sent for it.",
			"It does what no plan showed.", tryPerform},
		{"deadline", "A plan that is cancelled ends within 2 seconds, before, between and after its questions.",
			"A run that is ended has to kill it, and other targets lose their plans with it.", tryDeadline},
		{"stop", "It ends within 2 seconds of being asked, also in the middle of a plan.",
			"Each run waits for it, and then it is killed: what it wanted to tidy up stays.", tryStop},
		{"standard-output", "It writes nothing to standard output.",
			"Before the handshake a host refuses it for that; what it prints for debugging one day breaks it the next. Log records have their level and arrive.", tryStdout},
		{"tree", "A directory that is given is the same before and after its plans.",
			"It has effects in a dry run.", tryTree},
	}
}

// Options say what a plugin is tried with.
type Options struct {
	Transcript *transcript.Transcript // that plans are made on; nil: no question is answered
	Settings   map[string]any         // of the config block, in the Go types of schema.Kind
	Store      string                 // that archives go to; empty: "vault"
	Taken      []string               // names that other plugins have
	Tree       string                 // a directory that plans may not change; empty: none
	Limit      time.Duration          // of one call; 0: 30 seconds
	Only       []string               // names of the checks that are made, beside start; none: all
}

// State says how a check went.
type State string

// The states of a check. One that found nothing to look at is skipped.
const (
	Passed  State = "passed"
	Failed  State = "failed"
	Skipped State = "skipped"
)

// Verdict is what one check found.
type Verdict struct {
	Check    string   `json:"check"`
	State    State    `json:"state"`
	Problems []string `json:"problems,omitempty"` // of a failed one
	Why      string   `json:"why,omitempty"`      // a skipped one was
}

// Try makes every check on a subject. It returns early when the context ends.
func Try(ctx context.Context, subject Subject, options Options) []Verdict {
	options.Store = cmp.Or(options.Store, "vault")
	options.Limit = cmp.Or(options.Limit, 30*time.Second)
	bench := &bench{subject: subject, options: options}
	var verdicts []Verdict
	for _, check := range Checks() {
		if ctx.Err() != nil {
			break
		}
		if len(options.Only) > 0 && check.Name != "start" && !slices.Contains(options.Only, check.Name) {
			continue
		}
		verdicts = append(verdicts, bench.try(ctx, check))
	}
	return verdicts
}

// Conform tries a plugin in memory, each check as a subtest. Nothing else may
// run beside it that prints: standard output is looked at.
func Conform(t *testing.T, p plugins.Plugin, options Options) {
	t.Helper()
	for _, verdict := range Try(t.Context(), inMemory{p, outputOf(t)}, options) {
		t.Run(verdict.Check, func(t *testing.T) {
			for _, problem := range verdict.Problems {
				t.Error(problem)
			}
			if verdict.State == Skipped {
				t.Skip(verdict.Why)
			}
		})
	}
}

// bench is what the checks of one subject share.
type bench struct {
	subject Subject
	options Options

	known       bool // it said what it is
	description plugins.Description
	confirms    bool
	performs    bool
	requests    []plugins.Request // what is planned for; none: see unfit
	unfit       string            // why nothing can be planned for
	counted     bool              // it is known whether it asks
	asks        bool              // a plan has a question
}

func (b *bench) try(ctx context.Context, check Check) Verdict {
	e := &exam{bench: b, ctx: ctx}
	if check.Name != "start" && !b.known {
		e.skip("it did not start")
	} else {
		check.try(e)
	}
	verdict := Verdict{Check: check.Name, State: Passed, Problems: e.problems, Why: e.why}
	switch {
	case len(e.problems) > 0:
		verdict.State, verdict.Why = Failed, ""
	case e.why != "":
		verdict.State = Skipped
	}
	return verdict
}

// exam is one check that is being made.
type exam struct {
	*bench
	ctx      context.Context // of one check, as testing.T has one
	problems []string
	why      string
}

// mostProblems is how many problems of one check are told.
const mostProblems = 20

func (e *exam) problem(format string, args ...any) {
	switch n := len(e.problems); {
	case n < mostProblems:
		e.problems = append(e.problems, fmt.Sprintf(format, args...))
	case n == mostProblems:
		e.problems = append(e.problems, "and more")
	}
}

func (e *exam) skip(format string, args ...any) { e.why = fmt.Sprintf(format, args...) }

// with starts the plugin, has it used, and stops it. It says whether it could
// be started.
func (e *exam) with(options StartOptions, use func(Running)) bool {
	ctx, cancel := context.WithTimeout(e.ctx, e.options.Limit)
	running, err := e.subject.Start(ctx, options)
	cancel()
	if err != nil {
		e.problem("%v", err)
		return false
	}
	use(running)
	if err := running.Stop(); err != nil {
		e.problem("stopping it: %v", err)
	}
	return true
}
