package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/schema"
)

func (a *app) pluginCommand() *cobra.Command {
	cmd := group("plugin", "The programs that do the tasks")
	cmd.AddCommand(
		&cobra.Command{Use: "list", Short: "List plugins", Args: cobra.NoArgs,
			RunE: func(cmd *cobra.Command, _ []string) error { return a.pluginList(cmd.Context()) }},
		&cobra.Command{Use: "describe NAME", Short: "Show what a plugin does and what its config block may hold", Args: cobra.ExactArgs(1), ValidArgs: builtinNames(),
			RunE: func(cmd *cobra.Command, args []string) error { return a.pluginDescribe(cmd.Context(), args[0]) }},
	)
	return cmd
}

// described starts a plugin, lets it describe itself and ends it.
func (a *app) described(ctx context.Context, name string) (plugins.Description, string, error) {
	if _, ok := builtins()[name]; !ok {
		return plugins.Description{}, "", usage("there is no plugin %q; there are %s", name, strings.Join(builtinNames(), ", "))
	}
	plugin, err := starter{a.log.Handler()}.Start(ctx, name)
	if err != nil {
		return plugins.Description{}, "", &exitError{exitPlugin, fmt.Errorf("plugin %s: %w", name, err)}
	}
	description, hash := plugin.Describe(), plugin.SHA256()
	if err := plugin.Stop(); err != nil {
		a.log.Warn("plugin did not stop as asked", "plugin", name, "err", err)
	}
	return description, hash, nil
}

// listedPlugin is a plugin in a list.
type listedPlugin struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Origin  string `json:"origin"`
	SHA256  string `json:"sha256"`
}

func (a *app) pluginList(ctx context.Context) error {
	var list []listedPlugin
	for _, name := range builtinNames() {
		description, hash, err := a.described(ctx, name)
		if err != nil {
			return err
		}
		list = append(list, listedPlugin{name, description.Version, "built-in", hash})
	}
	return a.result(list, func() string {
		var b strings.Builder
		for _, p := range list {
			fmt.Fprintf(&b, "%-12s %-12s %-10s %s\n", p.Name, p.Version, p.Origin, p.SHA256)
		}
		return b.String()
	})
}

func (a *app) pluginDescribe(ctx context.Context, name string) error {
	description, hash, err := a.described(ctx, name)
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
		for _, f := range description.Schema.Fields {
			fmt.Fprintf(&b, "  %-12s # %s%s: %s\n", f.Name, f.Kind, fieldNotes(f), f.Doc)
		}
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
		notes += fmt.Sprintf(", default %v", f.Default)
	}
	if len(f.OneOf) > 0 {
		notes += ", one of " + strings.Join(f.OneOf, " ")
	}
	return notes
}
