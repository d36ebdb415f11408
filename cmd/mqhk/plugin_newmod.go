package main

import (
	"fmt"
	"slices"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"

	versions "github.com/mqhk/mqhk"
)

// kitModules are the modules that the packages for plugins are built with: those
// of plugins/serve, plugins/plugintest and what they import. A test holds this
// list against the import graph.
var kitModules = []string{
	"github.com/fatih/color",
	"github.com/golang/protobuf",
	"github.com/hashicorp/go-hclog",
	"github.com/hashicorp/go-plugin",
	"github.com/hashicorp/yamux",
	"github.com/mattn/go-colorable",
	"github.com/mattn/go-isatty",
	"github.com/oklog/run",
	"golang.org/x/net",
	"golang.org/x/sys",
	"golang.org/x/text",
	"google.golang.org/genproto/googleapis/rpc",
	"google.golang.org/grpc",
	"google.golang.org/protobuf",
}

// unreleased stands for the version of a checkout.
const unreleased = "v0.0.0"

// releasedVersion gives the version of this program that a module can require;
// empty: it was built from a checkout, perhaps with changes ("+dirty").
func releasedVersion() string {
	version := versionOfModule()
	if release != "" {
		version = "v" + release
	}
	if !semver.IsValid(version) || semver.Build(version) != "" {
		return ""
	}
	return version
}

// modFiles gives go.mod and go.sum of a new plugin: the versions are those that
// this program was built with.
func (n *scaffold) modFiles() (mod, sum []byte, err error) {
	ours, err := modfile.Parse("go.mod", versions.GoMod, nil)
	if err != nil {
		return nil, nil, fmt.Errorf("the go.mod of this program: %w", err)
	}
	version := releasedVersion()
	if n.replace == "" && version == "" {
		return nil, nil, usage("this mqhk was built from a checkout, and no release has its packages: name the checkout with --replace DIR")
	}
	if n.replace != "" {
		version = unreleased
	}
	made := new(modfile.File)
	if err := made.AddModuleStmt(n.Module); err != nil {
		return nil, nil, fmt.Errorf("writing go.mod: %w", err)
	}
	if err := made.AddGoStmt(ours.Go.Version); err != nil {
		return nil, nil, fmt.Errorf("writing go.mod: %w", err)
	}
	requires := []*modfile.Require{{Mod: module.Version{Path: ours.Module.Mod.Path, Version: version}}}
	for _, r := range ours.Require {
		if slices.Contains(kitModules, r.Mod.Path) {
			requires = append(requires, &modfile.Require{Mod: r.Mod, Indirect: true})
		}
	}
	made.SetRequireSeparateIndirect(requires)
	if n.replace != "" {
		if err := made.AddReplace(ours.Module.Mod.Path, "", n.replace, ""); err != nil {
			return nil, nil, fmt.Errorf("writing go.mod: %w", err)
		}
	}
	mod, err = made.Format()
	return mod, versions.GoSum, err
}
