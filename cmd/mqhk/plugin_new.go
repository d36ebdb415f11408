package main

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/template"

	"github.com/spf13/cobra"
	"golang.org/x/mod/module"

	"github.com/mqhk/mqhk/internal/shell"
	"github.com/mqhk/mqhk/plugins"
)

// newPlugin holds the files of a new plugin, as templates.
//
//go:embed newplugin
var newPlugin embed.FS

// newFiles says where the files go.
var newFiles = map[string]string{
	"main.go":        "main.go",
	"plugin.go":      "plugin.go",
	"queues.go":      "queues.go",
	"plugin_test.go": "plugin_test.go",
	"queues.mqt":     "testdata/queues.mqt",
	"policy.hcl":     "mqhk.d/[[.Name]].hcl",
	"README.md":      "README.md",
	"gitignore":      ".gitignore",
}

// scaffold is what mqhk plugin new was asked for.
type scaffold struct {
	Name, Module string
	dir, replace string
}

func (a *app) pluginNewCommand() *cobra.Command {
	var n scaffold
	cmd := &cobra.Command{
		Use:   "new NAME",
		Short: "Write the module of a new plugin, with its tests",
		Long: `New writes a Go module with a plugin that works: it reports queues that are
filling up. Change it into what you need. Its tests, a transcript that they plan
on, a policy and a README are there; docs/plugins.md goes on from here.

Nothing is overwritten: the directory must be new, or empty.`,
		Example: `  mqhk plugin new depths
  mqhk plugin new depths --module git.example.com/mq/mqhk-plugin-depths --replace ~/src/mqhk`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			n.Name = args[0]
			return a.pluginNew(cmd.Context(), n)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&n.dir, "dir", "", "`DIR` that it is written into (default mqhk-plugin-NAME)")
	flags.StringVar(&n.Module, "module", "", "`PATH` of the module (default example.com/mqhk-plugin-NAME)")
	flags.StringVar(&n.replace, "replace", "", "`DIR` of a checkout of mqhk that it is built with, instead of a release")
	return cmd
}

func (a *app) pluginNew(ctx context.Context, n scaffold) error {
	if err := n.complete(); err != nil {
		return err
	}
	files, err := n.files()
	if err != nil {
		return err
	}
	if err := writeNew(ctx, n.dir, files); err != nil {
		return err
	}
	return a.print(n.next())
}

// complete checks what was asked for and fills in the rest.
func (n *scaffold) complete() error {
	if problem := plugins.CheckName(n.Name); problem != "" {
		return usage("%s", problem)
	}
	if slices.Contains(builtinNames(), n.Name) {
		return usage("a built-in plugin is named %s; no other can take its place", n.Name)
	}
	if n.dir == "" {
		n.dir = "mqhk-plugin-" + n.Name
	}
	if n.Module == "" {
		n.Module = "example.com/mqhk-plugin-" + n.Name
	}
	if err := module.CheckPath(n.Module); err != nil {
		return usage("--module: %v", err)
	}
	if n.replace == "" {
		return nil
	}
	replace, err := filepath.Abs(n.replace)
	if err != nil {
		return usage("--replace: %v", err)
	}
	n.replace = filepath.ToSlash(replace)
	if _, err := os.Stat(filepath.Join(replace, "go.mod")); err != nil {
		return usage("--replace: there is no checkout of mqhk: %v", err)
	}
	return nil
}

// files gives the content of all files by their paths.
func (n *scaffold) files() (map[string][]byte, error) {
	files := make(map[string][]byte, len(newFiles)+2)
	for name, path := range newFiles {
		text, err := newPlugin.ReadFile("newplugin/" + name + ".tmpl")
		if err != nil {
			return nil, fmt.Errorf("the plugin that new ones are made from: %w", err)
		}
		path, err := n.fill(path)
		if err != nil {
			return nil, err
		}
		content, err := n.fill(string(text))
		if err != nil {
			return nil, err
		}
		files[string(path)] = content
	}
	var err error
	files["go.mod"], files["go.sum"], err = n.modFiles()
	return files, err
}

// fill puts the names into a template. Its marks are not those of Go, of which
// the files are full.
func (n *scaffold) fill(text string) ([]byte, error) {
	made, err := template.New("").Delims("[[", "]]").Parse(text)
	if err != nil {
		return nil, fmt.Errorf("a file of a new plugin: %w", err)
	}
	var b bytes.Buffer
	err = made.Execute(&b, n)
	return b.Bytes(), err
}

// writeNew writes files into a directory that is new, or empty.
func writeNew(ctx context.Context, dir string, files map[string][]byte) error {
	switch there, err := os.ReadDir(dir); {
	case err == nil && len(there) > 0:
		return usage("%s holds %s already: nothing is overwritten", dir, there[0].Name())
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return usage("%v", err)
	}
	for name, content := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := createFile(path, content); err != nil {
			return &exitError{exitFailed, fmt.Errorf("writing the plugin: %w", err)}
		}
	}
	return nil
}

// createFile makes a file that is not there, and the directories to it.
func createFile(path string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	return errors.Join(err, file.Close())
}

// next says what to type next.
func (n *scaffold) next() string {
	binary := "bin/mqhk-plugin-" + n.Name
	lines := [][]string{
		{"cd", n.dir},
		{"go", "test", "./..."},
		{"go", "build", "-o", binary, "."},
		{"mqhk", "plugin", "check", binary, "--transcript", "testdata/queues.mqt"},
		{"mqhk", "plugin", "lock", n.Name},
		{"mqhk", "plan", "--policy", n.Name, "--transcript", "testdata/queues.mqt"},
	}
	if n.replace == "" {
		lines = slices.Insert(lines, 1, []string{"go", "mod", "tidy"})
	}
	var b strings.Builder
	fmt.Fprintf(&b, "The plugin %s is in %s. What next:\n\n", n.Name, n.dir)
	for _, words := range lines {
		if line, ok := shell.Line(words...); ok {
			fmt.Fprintf(&b, "  %s\n", line)
		}
	}
	return b.String()
}
