package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/mqhk/mqhk/agent/report"
	"github.com/mqhk/mqhk/core/logsize"
	"github.com/mqhk/mqhk/policies"
)

// sizeSchema names the form of what mqhk size log writes as JSON.
const sizeSchema = "mqhk.size/v1"

// sizing is what the flags of size log ask for.
type sizing struct {
	load   logsize.Load
	length string
	kind   string
	times  map[string]*string // by flag
}

func (a *app) sizeCommand() *cobra.Command {
	cmd := group("size", "How large something has to be")
	cmd.AddCommand(a.sizeLogCommand())
	return cmd
}

func (a *app) sizeLogCommand() *cobra.Command {
	s := sizing{times: map[string]*string{}}
	cmd := &cobra.Command{
		Use:   "log",
		Short: "Size and number of the log files of a queue manager, from its load",
		Long: `Size log says which LogFilePages, LogPrimaryFiles and LogSecondaryFiles a queue
manager on Multiplatforms needs for a load, how fast it writes its log, and how
much the file system must hold. It names each formula with its numbers and the
rule that it is from. No system is asked. See docs/size.md.

Rates are those of an ordinary busy hour; only persistent messages count.`,
		Example: `  mqhk size log --puts 50 --length 2KiB --longest 5m --burst 3
  mqhk size log --puts 50 --length 2KiB --longest 5m --type linear --depth 10000 --images 1h --keep 2h`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !cmd.Flags().Changed("gets") {
				s.load.Gets = s.load.Puts
			}
			return a.sizeLog(&s)
		},
	}
	flags := cmd.Flags()
	flags.Float64Var(&s.load.Puts, "puts", 0, "`NUMBER` of messages put a second")
	flags.Float64Var(&s.load.Gets, "gets", 0, "`NUMBER` of messages got a second (default as many as are put)")
	flags.StringVar(&s.length, "length", "1KiB", "average `SIZE` of a message")
	flags.Float64Var(&s.load.Units, "units", 0, "`NUMBER` of units of work committed a second (default each put and get is one)")
	flags.Float64Var(&s.load.Backouts, "backouts", 0, "`NUMBER` of units of work backed out a second")
	flags.Float64Var(&s.load.Burst, "burst", 1, "how many `TIMES` the ordinary rate the highest is")
	flags.Int64Var(&s.load.Active, "active", 0, "`NUMBER` of units of work at a time (default those of a second, and one)")
	flags.Int64Var(&s.load.Depth, "depth", 0, "`NUMBER` of messages on the queues when images are taken")
	for name, usage := range map[string]string{
		"longest":    "`DURATION` of the longest unit of work (needed)",
		"checkpoint": "`DURATION` between checkpoints (default the queue manager's own)",
		"images":     "`DURATION` between media images of all queues (needed for a linear log)",
		"keep":       "`DURATION` for which extents are kept that only an older image needs",
	} {
		s.times[name] = flags.String(name, "", usage)
	}
	flags.StringVar(&s.kind, "type", "circular", "`TYPE` of the log: circular or linear")
	flags.StringVar(&s.load.Release, "release", "", "`V.R.M` of the queue manager (default the newest)")
	flags.BoolVar(&s.load.Windows, "windows", false, "the queue manager is on Windows")
	return cmd
}

// sizeResult is the result.
type sizeResult struct {
	Schema    string `json:"schema"`
	Type      string `json:"log_type"`
	Pages     int    `json:"log_file_pages"`
	Primary   int    `json:"log_primary_files"`
	Secondary int    `json:"log_secondary_files"`

	Average    int64          `json:"average_bytes_per_second"`
	Peak       int64          `json:"peak_bytes_per_second"`
	Checkpoint float64        `json:"checkpoint_seconds"`
	Span       int64          `json:"restart_span_bytes"`
	Need       int64          `json:"active_log_bytes"`
	PerDay     float64        `json:"extents_per_day"`
	Files      int64          `json:"files"`
	FileSystem int64          `json:"file_system_bytes"`
	Steps      []logsize.Step `json:"steps"`
}

func (a *app) sizeLog(s *sizing) error {
	if err := s.read(); err != nil {
		return err
	}
	size, err := logsize.Of(s.load)
	switch {
	case errors.Is(err, logsize.ErrTooLarge):
		return &exitError{exitFailed, err}
	case err != nil:
		return usage("%w", err)
	}
	result := sizeResult{
		Schema: sizeSchema, Type: s.kind, Pages: size.FilePages, Primary: size.Primary, Secondary: size.Secondary,
		Average: size.Average, Peak: size.Peak, Checkpoint: size.Checkpoint.Seconds(), Span: size.Span, Need: size.Need,
		PerDay: size.PerDay, Files: size.Files, FileSystem: size.FileSystem, Steps: size.Steps,
	}
	return a.result(result, func() string { return sizeText(result) })
}

// read turns the flags' texts into a load.
func (s *sizing) read() error {
	var err error
	if s.load.Length, err = policies.ParseSize(s.length); err != nil {
		return usage("--length: %w", err)
	}
	for name, d := range map[string]*time.Duration{
		"longest": &s.load.Longest, "checkpoint": &s.load.Checkpoint, "images": &s.load.Images, "keep": &s.load.Keep,
	} {
		if text := *s.times[name]; text != "" {
			if *d, err = policies.ParseDuration(text); err != nil {
				return usage("--%s: %w", name, err)
			}
		}
	}
	switch s.kind {
	case "circular":
	case "linear":
		s.load.Linear = true
	default:
		return usage("--type %q is neither circular nor linear", s.kind)
	}
	if s.load.Puts == 0 && s.load.Gets == 0 {
		return usage("--puts is needed: how many messages are put a second")
	}
	if *s.times["longest"] == "" {
		return usage("--longest is needed: how long the longest unit of work is, the N of the formulas, which all of the log depends on")
	}
	if s.load.Linear && s.load.Images == 0 {
		return usage("--images is needed for a linear log: how often media images of all queues are taken. Without them no extent is ever free, and no file system is large enough")
	}
	if !s.load.Linear && (s.load.Depth != 0 || s.load.Images != 0 || s.load.Keep != 0) {
		return usage("--depth, --images and --keep are of a linear log: a circular one has no media images")
	}
	return nil
}

// sizeText writes the files first, then how they came about.
func sizeText(r sizeResult) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Log:\n   LogPrimaryFiles=%d\n   LogSecondaryFiles=%d\n   LogFilePages=%d\n   LogType=%s\n\n",
		r.Primary, r.Secondary, r.Pages, strings.ToUpper(r.Type))
	flag := "-lc"
	if r.Type == "linear" {
		flag = "-ll"
	}
	fmt.Fprintf(&b, "The same for crtmqm: %s -lf %d -lp %d -ls %d. LogFilePages can't be changed later, the\ncounts change at a restart.\n\n",
		flag, r.Pages, r.Primary, r.Secondary)
	fmt.Fprintf(&b, "%s in active/, %s: what the file system must hold.\n", counted(int(r.Files), "file"), report.Size(r.FileSystem))
	fmt.Fprintf(&b, "%.1f extents a day, %s of log a second on average.\n\nHow it comes about\n", r.PerDay, report.Size(r.Average))
	for _, s := range r.Steps {
		fmt.Fprintf(&b, "  %s: %s\n      %s\n    = %s\n    by: %s\n", s.What, s.Result, s.Formula, s.Numbers, s.Rule)
	}
	b.WriteString("IBM calls all overheads approximate.\n")
	return b.String()
}
