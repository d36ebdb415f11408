package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// The queue manager on Linux that the demo goes on with, on another system of
// the same estate, so by the same clock.
const demoLinux = "PAYMENTS"

// demoLinuxConfiguration is a configuration of its own: the bundled policies
// name one store, and here it is a folder.
const demoLinuxConfiguration = `# The configuration of the queue manager on Linux. Its policies are the bundled
# ones: mqhk policy list

queue_manager "PAYMENTS" {
  platform = "multiplatforms"
  zone     = "Europe/Berlin"

  connection "sim" {
    estate = "../estate"
  }
}

# A folder: extents are copied there, compressed, with a manifest each.
store "vault" {
  kind = "directory"
  path = "../shelf"

  # Never so on a real system: copies on the disk of the log are lost with it.
  same_filesystem = true
}
`

// linux makes a command line with the configuration of the queue manager on
// Linux.
func (s *stage) linux(args ...string) []string {
	return append(args, "--config", s.folder.path(demoLinuxConfig), "--state", s.folder.path(demoState))
}

// control makes a command line that gives a control command.
func (s *stage) control(argv ...string) []string {
	return s.sim(append([]string{"control", "--"}, argv...)...)
}

// buildLinux makes the second queue manager, on the morning after the last
// crash of the first, and has it live until the night.
func (s *stage) buildLinux(ctx context.Context) error {
	if err := s.part("A second queue manager, on Linux, with a linear log"); err != nil {
		return err
	}
	made := s.sim("init", demoLinux, "--platform", "multiplatforms", "--pages", "256", "--primaries", "40")
	if _, err := s.do(ctx, 0, firstLine, made...); err != nil {
		return err
	}
	for _, args := range [][]string{
		s.sim("workload", demoLinux, "deep", "--seed", fmt.Sprint(s.seed)),
		s.sim("advance", "--until", at(s.nights+1, 13)),
		s.control("rcdmqimg", "-m", demoLinux, "-t", "all", "*"),
	} {
		if _, err := s.do(ctx, 0, shortest, args...); err != nil {
			return err
		}
	}
	if err := s.openUnits(ctx, demoLinux, s.nights+1, 21); err != nil {
		return err
	}
	if err := s.until(ctx, night(s.nights+2)); err != nil {
		return err
	}
	return s.folder.write(demoLinuxConfiguration, demoLinuxConfig, "linux.hcl")
}

// shortest shows the first line and the last.
func shortest(text string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	if text == "" || len(lines) <= 3 {
		return text
	}
	return fmt.Sprintf("%s\n... %d more lines ...\n%s\n", lines[0], len(lines)-2, lines[len(lines)-1])
}

// linuxNight plans, and applies the policy that keeps what a restart reads and
// moves the rest to the store.
func (s *stage) linuxNight(ctx context.Context) error {
	if err := s.part("Policy fast-startup on Linux: applied; in the morning a crash"); err != nil {
		return err
	}
	came, err := s.do(ctx, 0, sideBySide, s.linux("plan")...)
	if err != nil {
		return err
	}
	if err := s.folder.write(came.out, demoReports, "linux-three-policies.txt"); err != nil {
		return err
	}
	args := s.linux("run", "--policy", "fast-startup", "--apply")
	if err := s.firstRun(ctx, "linux-first-run", args); err != nil {
		return err
	}
	if err := s.apply(ctx, "linux-fast-startup", args); err != nil {
		return err
	}
	before, err := s.crash(ctx, demoLinux, s.nights+2)
	if err != nil {
		return err
	}
	if _, err := s.do(ctx, 0, short, s.control("strmqm", demoLinux)...); err != nil {
		return fmt.Errorf("fast-startup promises a restart at once: %w", err)
	}
	return s.recovered(ctx, demoLinux, before)
}

// linuxMedia damages a queue. What its re-creation reads has moved to the store,
// and comes back from there.
func (s *stage) linuxMedia(ctx context.Context) error {
	if err := s.part("Media recovery on Linux"); err != nil {
		return err
	}
	const queue = "ARCHIVE"
	before, err := s.holdings(ctx, demoLinux)
	if err != nil {
		return err
	}
	if _, err := s.do(ctx, 0, short, s.sim("fault", demoLinux, "damage", queue)...); err != nil {
		return err
	}
	recreate := s.control("rcrmqobj", "-m", demoLinux, "-t", "qlocal", queue)
	failed, err := s.do(ctx, missesExtent, short, recreate...)
	if err != nil {
		return err
	}
	if !strings.Contains(failed.problems, "AMQ6767") {
		return fmt.Errorf("a re-creation without its extents is to fail with AMQ6767, and failed with %s", failed.problems)
	}
	if err := s.say("As the report said: restore first."); err != nil {
		return err
	}
	if _, err := s.do(ctx, 0, short, s.linux("archive", "restore", demoLinux, "--for", "media")...); err != nil {
		return err
	}
	if _, err := s.do(ctx, 0, short, recreate...); err != nil {
		return fmt.Errorf("fast-startup promises a media recovery after archive restore: %w", err)
	}
	return s.compare(ctx, demoLinux, before, "the damage", "the re-creation")
}

// missesExtent is the exit code of rcrmqobj when an extent that it reads is not
// there (reference, Multiplatforms 3.4 item 67).
const missesExtent = 66

// errFewUnits says that a crash would show little.
var errFewUnits = errors.New("no unit of work is open, or none is in doubt: a crash would show little")
