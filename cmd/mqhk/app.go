package main

import (
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/mqhk/mqhk/agent/report"
	"github.com/mqhk/mqhk/agent/schedule"
	"github.com/mqhk/mqhk/policies"
)

// app holds what all commands share.
type app struct {
	stdout, stderr io.Writer

	config    string // --config
	state     string // --state
	format    string // --format
	logLevel  string // --log-level
	logFormat string // --log-format

	log *slog.Logger

	ending

	noAnswer bool // help was printed where a caller waits for a yes or a no
}

func newApp(stdout, stderr io.Writer) *app {
	return &app{stdout: stdout, stderr: stderr, log: slog.New(slog.DiscardHandler)}
}

// root builds the command tree.
func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "mqhk",
		Version:       version(),
		Short:         "Nightly housekeeping of IBM MQ that never removes what a recovery still needs",
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          cobra.NoArgs,
		PersistentPreRunE: func(*cobra.Command, []string) error {
			return a.setUpLog()
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	flags := root.PersistentFlags()
	flags.StringVar(&a.config, "config", "", "`DIR` with policies, targets and stores (default ./mqhk.d, then the user's configuration directory)")
	flags.StringVar(&a.state, "state", "", "`DIR` of what is known of earlier runs (default the user's own state directory)")
	flags.StringVar(&a.format, "format", "text", "`FORMAT` of results: text or json; of plans and runs also markdown or script")
	flags.StringVar(&a.logLevel, "log-level", "info", "least `LEVEL` of log records: debug, info, warn or error")
	flags.StringVar(&a.logFormat, "log-format", "tint", "`FORM` of log records: tint for people, json for machines")
	_ = root.RegisterFlagCompletionFunc("format", formats) // the flag is there
	root.AddCommand(a.demoCommand(), a.planCommand(), a.runCommand(), a.agentCommand(), a.statusCommand(), a.historyCommand(), a.archiveCommand(),
		a.holdCommand(), a.noteCommand(), a.eligibleCommand(), a.nextCommand(), a.targetCommand(), a.collectorCommand(),
		a.policyCommand(), a.pluginCommand(), a.sizeCommand(), a.simCommand(), a.pluginServeCommand(), a.versionCommand())
	return root
}

// reported annotates the commands that print reports of plans and runs: they
// alone know markdown and script.
const reported = "reported"

// formats offers the formats that a command knows.
func formats(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	known := []string{"text", "json"}
	if _, ok := cmd.Annotations[reported]; ok {
		known = append(known, "markdown", "script")
	}
	return known, cobra.ShellCompDirectiveNoFileComp
}

// group makes a command that only holds others: alone it prints its help, and
// what it does not know is a mistake.
func group(use, short string) *cobra.Command {
	return &cobra.Command{Use: use, Short: short, Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
}

// setUpLog makes the logger that the flags ask for. Log records go to
// standard error; results never do.
func (a *app) setUpLog() error {
	var level slog.Level
	if err := level.UnmarshalText([]byte(a.logLevel)); err != nil {
		return usage("--log-level %q is none of debug, info, warn, error", a.logLevel)
	}
	switch a.logFormat {
	case "tint":
		a.log = slog.New(newTextLog(a.stderr, level, a.colour(a.stderr)))
	case "json":
		a.log = slog.New(slog.NewJSONHandler(a.stderr, &slog.HandlerOptions{Level: level}))
	default:
		return usage("--log-format %q is none of tint, json", a.logFormat)
	}
	return nil
}

// colour tells whether colour may be written: to a terminal only, and not
// when the user says NO_COLOR or the terminal is a dumb one.
func (a *app) colour(w io.Writer) bool {
	file, ok := w.(*os.File)
	return ok && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && term.IsTerminal(int(file.Fd()))
}

// width gives how many columns a report may take.
func (a *app) width() int {
	if file, ok := a.stdout.(*os.File); ok {
		if columns, _, err := term.GetSize(int(file.Fd())); err == nil {
			return min(columns, 160)
		}
	}
	return 0 // the report's own default
}

// reportFormat reads --format.
func (a *app) reportFormat() (report.Format, error) {
	format, err := report.ParseFormat(a.format)
	if err != nil {
		return format, &exitError{exitUsage, err}
	}
	return format, nil
}

// checks are what the configuration's reader asks other rooms. What may not be
// meant by a schedule is for those who look at schedules: [doubting].
func checks() policies.Checks {
	return policies.Checks{
		Cron: func(expression, timezone string) (string, error) {
			_, err := schedule.Parse(expression, timezone)
			return "", err
		},
		Plugins:     builtinSchemas(),
		Allow:       builtinAllow(),
		Connections: connections(),
		Stores:      storeSchemas(),
		Store:       checkStore,
	}
}

// doubting are checks that doubt schedules too: a time that the clocks leave
// out, a day given in two ways.
func doubting() policies.Checks {
	c := checks()
	c.Cron = func(expression, timezone string) (string, error) {
		s, err := schedule.Parse(expression, timezone)
		return s.Doubt(time.Now()), err
	}
	return c
}

// configuration reads the configuration directory. The default one may be
// missing; one that was named may not.
func (a *app) configuration() (*policies.Configuration, error) { return a.load(checks()) }

func (a *app) load(checks policies.Checks) (*policies.Configuration, error) {
	var paths []string
	if dir, ok := a.configDir(); ok {
		paths = []string{dir}
		var err error
		if checks, err = lockedIn(checks, lockDir(dir)); err != nil {
			return nil, err
		}
	}
	configuration, err := policies.Load(checks, paths...)
	if err != nil {
		return nil, &exitError{exitUsage, err}
	}
	for _, warning := range configuration.Warnings {
		a.log.Warn("configuration", "warning", warning.String())
	}
	return configuration, nil
}

// configDir gives the directory that was named, or the default one that is
// there.
func (a *app) configDir() (string, bool) {
	if a.config != "" {
		return a.config, true
	}
	candidates := []string{"mqhk.d"}
	if home, err := os.UserConfigDir(); err == nil {
		candidates = append(candidates, filepath.Join(home, "mqhk"))
	}
	for _, dir := range candidates {
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			return dir, true
		} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return dir, true // there, and unreadable: the reader says so
		}
	}
	return "", false
}
