package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// release is set by the build of a release: -ldflags "-X main.release=1.2.3".
var release = ""

// version gives the release, or the module version that Go recorded.
func version() string {
	if release != "" {
		return release
	}
	if v := versionOfModule(); v != "" && v != "(devel)" {
		return v
	}
	return "devel"
}

// versionOfModule gives the version that Go recorded; empty or "(devel)" where
// there is none.
func versionOfModule() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	return info.Main.Version
}

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			v := map[string]string{"version": version(), "go": runtime.Version(), "platform": runtime.GOOS + "/" + runtime.GOARCH}
			return a.result(v, func() string { return fmt.Sprintf("mqhk %s %s %s\n", v["version"], v["go"], v["platform"]) })
		},
	}
}
