package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/mqhk/mqhk/agent/roster"
	"github.com/mqhk/mqhk/internal/shell"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/schema"
	"github.com/mqhk/mqhk/policies"
)

func (a *app) pluginCommand() *cobra.Command {
	cmd := group("plugin", "The programs that do the tasks")
	cmd.AddCommand(
		&cobra.Command{Use: "list", Short: "List plugins, and how each stands with the lock file",
			Long: `List shows the built-in plugins, those of others in the directory that the
configuration names, and those that the lock file names and that are not there:
with version, hash, state, and what keeps one from being started. It starts the
built-in ones only.`,
			Args: cobra.NoArgs,
			RunE: func(cmd *cobra.Command, _ []string) error { return a.pluginList(cmd.Context()) }},
		&cobra.Command{Use: "describe NAME", Short: "Show what a plugin does and what its config block may hold", Args: cobra.ExactArgs(1), ValidArgsFunction: a.pluginNames,
			RunE: func(cmd *cobra.Command, args []string) error { return a.pluginDescribe(cmd.Context(), args[0]) }},
		a.pluginLockCommand(),
	)
	cmd.AddCommand(a.pluginCheckCommand(), a.pluginNewCommand())
	return cmd
}

// pluginNames offers the names of plugins.
func (a *app) pluginNames(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	known, err := a.pluginsThere()
	if err != nil {
		return builtinNames(), cobra.ShellCompDirectiveNoFileComp
	}
	return known.Names(), cobra.ShellCompDirectiveNoFileComp
}

// described starts a plugin, lets it describe itself and ends it. One that is
// not locked is not started.
func (a *app) described(ctx context.Context, known *roster.Roster, name string) (plugins.Description, string, error) {
	plugin, err := known.Start(ctx, name, a.log.Handler())
	if err != nil {
		if names := known.Names(); !slices.Contains(names, name) {
			return plugins.Description{}, "", usage("there is no plugin %q; there are %s", name, strings.Join(names, ", "))
		}
		return plugins.Description{}, "", pluginFailed(name, err)
	}
	description, hash := plugin.Describe(), plugin.SHA256()
	if err := plugin.Stop(); err != nil { //nolint:contextcheck // it is ended whatever ctx says
		a.log.Warn("plugin did not stop as asked", "plugin", name, "err", err)
	}
	return description, hash, nil
}

// pluginFailed gives what went wrong with a plugin its exit status. A lock file
// with mistakes is one of configuration.
func pluginFailed(name string, err error) error {
	if mistakes := (policies.Diagnostics)(nil); errors.As(err, &mistakes) {
		return &exitError{exitUsage, err}
	}
	return &exitError{exitPlugin, fmt.Errorf("plugin %s: %w", name, err)}
}

func (a *app) pluginList(ctx context.Context) error {
	known, err := a.pluginsThere()
	if err != nil {
		return err
	}
	var list []roster.Entry
	for _, name := range builtinNames() {
		description, hash, err := a.described(ctx, known, name)
		if err != nil {
			return err
		}
		list = append(list, roster.Entry{Name: name, Version: description.Version, Origin: string(roster.BuiltIn), SHA256: hash, State: roster.BuiltIn})
	}
	others, unread := known.List()
	list = append(list, others...)
	if err := a.result(list, func() string { return listText(list) }); err != nil {
		return err
	}
	if unread != nil {
		return &exitError{exitUsage, unread}
	}
	return nil
}

// listText gives a line for each plugin, and below it what keeps it from being
// started.
func listText(list []roster.Entry) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.DiscardEmptyColumns)
	why := make(map[int]string)
	for i, p := range list {
		name, origin := p.Name, p.Origin
		if plugins.CheckName(name) != "" {
			name = strconv.QuoteToASCII(name)
		}
		if !shell.Printable(origin) {
			origin = strconv.QuoteToASCII(origin)
		}
		if p.State == roster.BuiltIn {
			origin = ""
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", name, orDash(p.Version), p.State, orDash(p.SHA256), origin)
		if p.Why != "" {
			why[i] = "    " + p.Why + "\n"
		}
		if p.Fix != "" {
			why[i] += "    to allow it: " + p.Fix + "\n"
		}
	}
	_ = w.Flush() // a strings.Builder takes everything
	var text strings.Builder
	for i, line := range strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n") {
		text.WriteString(strings.TrimRight(line, " ") + "\n" + why[i])
	}
	return text.String()
}

func orDash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

func (a *app) pluginDescribe(ctx context.Context, name string) error {
	known, err := a.pluginsThere()
	if err != nil {
		return err
	}
	description, hash, err := a.described(ctx, known, name)
	if err != nil {
		return err
	}
	return a.result(description, func() string { return descriptionText(description, hash) })
}

func descriptionText(description plugins.Description, hash string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n%s\n\n", description.Name, description.Version, description.Doc)
	fmt.Fprintf(&b, "platforms  %s\n", join(description.Platforms))
	fmt.Fprintf(&b, "questions  %s\n", join(description.Languages))
	fmt.Fprintf(&b, "actions    %s\n", join(description.Actions))
	fmt.Fprintf(&b, "sha256     %s\n", hash)
	if len(description.Schema.Fields) > 0 {
		fmt.Fprintf(&b, "\nconfig {    # %s\n", description.Schema.Doc)
		w := tabwriter.NewWriter(&b, 0, 0, 1, ' ', 0)
		for _, f := range description.Schema.Fields {
			fmt.Fprintf(w, "  %s\t# %s%s: %s\n", f.Name, f.Kind, fieldNotes(f), f.Doc)
		}
		_ = w.Flush() // a strings.Builder takes everything
		b.WriteString("}\n")
	}
	return b.String()
}

func join[T ~string](list []T) string {
	words := make([]string, len(list))
	for i, w := range list {
		words[i] = string(w)
	}
	return strings.Join(words, ", ")
}

func fieldNotes(f schema.Field) string {
	var notes string
	if f.Required {
		notes += ", required"
	}
	if f.Default != nil {
		notes += ", default " + policies.Written(f.Kind, f.Default)
	}
	if len(f.OneOf) > 0 {
		notes += ", one of " + strings.Join(f.OneOf, " ")
	}
	return notes
}
