package report

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/mqhk/mqhk/agent/ledger"
	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/plugins"
)

// script writes the statements of a plan as a person would submit them, the
// reasons beside them as comments. For many sites this is the product: mqhk
// has no authority there, and someone who has reads, agrees and submits. So
// whatever mqhk itself would not do stands here as a comment only.
func script(record ledger.Record) string {
	s := &scriptWriter{syntax: syntaxOf("")}
	if len(record.Targets) > 0 {
		s.speak(record.Targets[0])
	}
	if s.shell {
		s.line("#!/bin/sh")
	}
	s.comment(scriptBanner(record))
	s.comment("mqhk: the statements of a plan, for a person to submit.")
	if len(record.Targets) == 0 {
		s.comment("No target: no task of the policies matched a target, so there is nothing to submit.")
	}
	if len(record.Targets) > 1 {
		s.comment(fmt.Sprintf("This file has %d parts, one for each plan. Each begins with a line of = signs, has the comments of its own language, and is to be submitted on its own system.", len(record.Targets)))
	}
	for _, g := range groups(record.Targets) {
		for _, plan := range g.plans {
			s.part(plan, forbidden(g, plan))
		}
	}
	s.blank()
	s.comment(scriptBanner(record))
	return s.out.String()
}

// scriptBanner adds to the banner of a dry run that the file itself is none.
func scriptBanner(record ledger.Record) string {
	text := banner(record).text
	if record.DryRun && len(record.Targets) > 0 {
		text += " What stands here changes them when you submit it."
	}
	return text
}

// forbidden says why no statement of the plan may be submitted; empty when
// nothing stands against it.
func forbidden(g group, plan ledger.Target) string {
	switch {
	case plan.Error != "":
		return failure(plan) + ": " + plan.Error
	case critical(plan) > 0:
		return "Critical findings keep everything on this target. Nothing below is to be submitted; the statements are comments."
	case g.alternatives():
		return "Several policies were planned for this target. Their plans exclude each other, so all statements are comments: ask again for the script of one policy."
	default:
		return ""
	}
}

// languageOf gives the language of a plan's first statement, else the one its
// platform's people would use.
func languageOf(plan ledger.Target) observe.Language {
	for _, action := range plan.Actions {
		if action.Command != "" && action.Language != "" {
			return observe.Language(action.Language)
		}
	}
	if observe.Platform(plan.Platform) == observe.IBMi {
		return observe.CL
	}
	return observe.MQSC
}

// speak has the writer write what the people of a plan's platform submit: on
// Multiplatforms a shell script and on z/OS jobs whatever the language of a
// statement is, else the language itself.
func (s *scriptWriter) speak(plan ledger.Target) {
	s.syntax, s.shell, s.job = syntaxOf(languageOf(plan)), false, false
	switch observe.Platform(plan.Platform) {
	case observe.Multiplatforms:
		s.syntax, s.shell = hashComment, true
	case observe.ZOS:
		s.syntax, s.job = jclComment, true
	}
}

// part writes the statements of one plan.
func (s *scriptWriter) part(plan ledger.Target, forbidden string) {
	s.speak(plan)
	s.blank()
	s.comment(strings.Repeat("=", commentWidth))
	s.comment(fmt.Sprintf("Target %s (%s), policy %s, task %s, strategy %s.", plan.Name, plan.Platform, plan.Policy, plan.Task, cmp.Or(plan.Strategy, "(none)")))
	s.comment("Observed " + observed(plan) + ".")
	if !besideLogs(plan) {
		for _, point := range pointsOf(plan) {
			s.comment(point.sentence())
		}
	}
	if forbidden != "" {
		s.comment("DO NOT SUBMIT. " + forbidden)
	}
	for _, f := range plan.Findings {
		if f.Severity >= finding.Warning {
			s.comment(fmt.Sprintf("%s %s: %s", strings.ToUpper(f.Severity.String()), f.Code, f.Text))
		}
	}
	for _, question := range plan.Unanswered {
		s.comment("NOT ANSWERED " + question)
	}
	if s.job {
		s.byHand(plan)
	}
	if len(plan.Actions) == 0 {
		s.comment("There is nothing to do: the plan has no actions.")
		return
	}
	s.orderNotes(plan)
	if s.job {
		s.jobs(plan, forbidden)
		return
	}
	if s.shell && forbidden == "" {
		s.prologue()
	}
	s.actions(plan, forbidden)
}

func (p namedPoint) sentence() string {
	if p.at == nil {
		return fmt.Sprintf("Recovery point, %s: not known.", p.name)
	}
	return fmt.Sprintf("Recovery point, %s: %s, entry %s, learned from %s.", p.name,
		cmp.Or(p.at.Segment, "no segment named"), cmp.Or(p.at.Position, "not given"), cmp.Or(p.at.Source, "a source not said"))
}

// orderNotes say how the statements are to be submitted.
func (s *scriptWriter) orderNotes(plan ledger.Target) {
	s.comment("Submit the statements in this order, the oldest first and one after the other. Stop at the first that fails: those after it rely on it.")
	switch {
	case s.shell:
		s.shellNotes(plan)
	case s.job:
		s.jclNotes(plan)
	}
	if observe.Platform(plan.Platform) != observe.IBMi {
		return
	}
	for _, action := range plan.Actions {
		if strings.HasPrefix(action.Command, "DLTJRNRCV") { // cases 6 and 9
			s.comment("Before the first: AMQJRNINF must not have gone back since it was observed. As a CL program: without MONMSG, so that it ends at the first failure. If a delete asks CPA7025 (never fully saved; a batch job asks QSYSOPR), answer C, save the receiver, and begin again there.")
			break
		}
	}
	for _, action := range plan.Actions {
		if plugins.Kind(action.Kind) == plugins.KindArchive {
			s.comment("mqhk knows of copies that a person made only when a STORE answer names them: without it the next plan calls those receivers lost.")
			return
		}
	}
}

// actions writes each action: why, and the statement, or the statement as a
// comment and what stands against it.
func (s *scriptWriter) actions(plan ledger.Target, forbidden string) {
	all := newSequence(plan)
	for n, i := range all.order() {
		action := plan.Actions[i]
		language := cmp.Or(observe.Language(action.Language), languageOf(plan))
		if action.Command != "" && !s.shell && s.syntax != syntaxOf(language) {
			s.syntax = syntaxOf(language)
			s.blank()
			s.comment(fmt.Sprintf("From here on: %s, for %s.", language, action.QueueManager))
		}
		s.blank()
		s.comment(fmt.Sprintf("%d of %d: %s %s: %s", n+1, len(plan.Actions), action.Kind, action.Object, cmp.Or(action.Reason, "no reason given")))
		objection := all.objection(i)
		if objection == "" && s.shell {
			objection = shellObjection(action)
		}
		switch {
		case forbidden == "" && objection == "":
			s.submit(language, action)
			all.settle(i, true)
			continue
		case forbidden == "":
			s.comment("NOT TO BE SUBMITTED: " + objection)
		}
		all.settle(i, outcome(action) == plugins.Done)
		for _, text := range statements(action) {
			if text != "" {
				s.comment(text)
			}
		}
	}
}
