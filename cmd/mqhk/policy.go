package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mqhk/mqhk/policies"
)

func (a *app) policyCommand() *cobra.Command {
	cmd := group("policy", "What is kept, and what may go")
	var source bool
	show := &cobra.Command{
		Use:   "show NAME|FILE...",
		Short: "Print policies as sentences, or as they are written",
		Args:  cobra.MinimumNArgs(1),
		RunE:  func(_ *cobra.Command, args []string) error { return a.policyShow(args, source) },
	}
	show.Flags().BoolVar(&source, "source", false, "print a bundled policy as it is written: the start of one's own")
	cmd.AddCommand(
		&cobra.Command{Use: "list", Short: "List policies and where they come from", Args: cobra.NoArgs,
			RunE: func(*cobra.Command, []string) error { return a.policyList() }},
		show,
		&cobra.Command{Use: "validate [FILE|DIR]...", Short: "Find every mistake of policy files in one go",
			RunE: func(cmd *cobra.Command, args []string) error { return a.policyValidate(cmd.Context(), args) }},
		&cobra.Command{Use: "diff OLD NEW", Short: "Show how two policies differ in meaning", Args: cobra.ExactArgs(2),
			RunE: func(_ *cobra.Command, args []string) error { return a.policyDiff(args[0], args[1]) }},
	)
	return cmd
}

// listed is a policy in a list.
type listed struct {
	Name        string `json:"name"`
	Origin      string `json:"origin"` // bundled, or file:line:column
	Description string `json:"description"`
	Digest      string `json:"digest"`
}

// policyNames are offered by completion; a broken configuration offers none.
func (a *app) policyNames() []string {
	configuration, err := a.configuration()
	if err != nil {
		return nil
	}
	var names []string
	for _, p := range configuration.Policies {
		names = append(names, p.Name)
	}
	return names
}

func (a *app) policyList() error {
	configuration, err := a.configuration()
	if err != nil {
		return err
	}
	list := make([]listed, 0, len(configuration.Policies))
	for _, p := range configuration.Policies {
		origin := "bundled"
		if !p.Bundled {
			origin = p.At.String()
		}
		list = append(list, listed{p.Name, origin, p.Description, policies.Digest(p)})
	}
	return a.result(list, func() string {
		var b strings.Builder
		for _, p := range list {
			fmt.Fprintf(&b, "%-20s %-24s %s\n", p.Name, p.Origin, p.Description)
		}
		return b.String()
	})
}

func (a *app) policyShow(wanted []string, source bool) error {
	configuration, err := a.configuration()
	if err != nil {
		return err
	}
	chosen, err := choose(configuration, wanted)
	if err != nil {
		return err
	}
	var texts []string
	for _, p := range chosen {
		text := policies.Sentence(p)
		if source {
			written, ok := policies.BundledSource(p.Name)
			if !ok || !p.Bundled {
				return usage("policy %s is not bundled: it is written in %s", p.Name, p.At)
			}
			text = written
		}
		texts = append(texts, text)
	}
	return a.print(strings.Join(texts, "\n"))
}

func (a *app) policyValidate(ctx context.Context, paths []string) error {
	if len(paths) == 0 {
		configuration, err := a.load(doubting())
		if err != nil {
			return err
		}
		if err := a.checkOthers(ctx, a.roster(configuration), configuration.Policies); err != nil {
			return err
		}
		dir, found := a.configDir()
		if !found {
			dir = "no configuration directory found; the bundled policies are all there is"
		}
		return a.sayValid(configuration, dir)
	}
	dir := a.configAmong(paths)
	checks, err := lockedIn(doubting(), dir)
	if err != nil {
		return err
	}
	configuration, err := policies.Load(checks, paths...)
	if err != nil {
		return &exitError{exitUsage, err}
	}
	if err := configuration.Warnings.Write(a.stderr, a.colour(a.stderr)); err != nil {
		return &exitError{exitFailed, err}
	}
	if err := a.checkOthers(ctx, a.rosterFor(dir, configuration), configuration.Policies); err != nil {
		return err
	}
	return a.sayValid(configuration, strings.Join(paths, ", "))
}

func (a *app) sayValid(configuration *policies.Configuration, where string) error {
	own := 0
	for _, p := range configuration.Policies {
		if !p.Bundled {
			own++
		}
	}
	return a.print(fmt.Sprintf("valid: %s, %s, %s in %s\n", some(own, "policy", "policies"),
		some(len(configuration.Targets), "target", "targets"), some(len(configuration.Stores), "store", "stores"), where))
}

func (a *app) policyDiff(older, newer string) error {
	configuration, err := a.configuration()
	if err != nil {
		return err
	}
	var two [2]policies.Policy
	for i, wanted := range []string{older, newer} {
		found, err := choose(configuration, []string{wanted})
		if err != nil {
			return err
		}
		if len(found) != 1 {
			return usage("%s holds %d policies: name one", wanted, len(found))
		}
		two[i] = found[0]
	}
	lines := policies.Diff(two[0], two[1])
	if len(lines) == 0 {
		return a.print("no difference in meaning\n")
	}
	return a.print(strings.Join(lines, "\n") + "\n")
}

func some(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, more)
}
