package main

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// The queue manager of the demo, on a Monday morning.
const (
	demoManager = "ORDERS"
	demoJournal = "QMORDERS/AMQAJRN"
	demoDay     = "2026-01-05"
)

// What people type on IBM i in the demo.
const (
	changeReceivers = "CHGJRN JRN(" + demoJournal + ") JRNRCV(*GEN)"
	recordImages    = "RCDMQMIMG OBJ(*ALL) OBJTYPE(*ALL) MQMNAME(" + demoManager + ") DSPJRNDTA(*YES)"
	startManager    = "STRMQM MQMNAME(" + demoManager + ")"
)

// demoConfiguration is the configuration of the demo. Its policies are the
// bundled ones.
const demoConfiguration = `# The configuration of the demo. Its policies are the bundled ones:
# mqhk policy list

queue_manager "ORDERS" {
  platform = "ibmi"
  zone     = "Europe/Berlin"

  connection "sim" {
    estate = "../estate"
  }
}

# Save files in a library of the system, fetched to a folder.
store "vault" {
  kind    = "savf"
  library = "MQVAULT"
  path    = "../vault"

  # Never so on a real system: copies on the disk of the log are lost with it.
  same_filesystem = true
}
`

// play carries out the demo from its first to its last part.
func (s *stage) play(ctx context.Context) error {
	parts := []func(context.Context) error{
		s.introduce, s.build, s.live, s.side, s.conservative, s.nextDay, s.aggressive,
		s.buildLinux, s.linuxNight, s.linuxMedia,
	}
	for _, part := range parts {
		if err := part(ctx); err != nil {
			return err
		}
	}
	return nil
}

// simulated gives the estate as the commands of the simulator have it.
func (s *stage) simulated() *simulated {
	return &simulated{app: s.app, dir: s.folder.path(demoEstate)}
}

// sim makes a command line of the simulator.
func (s *stage) sim(args ...string) []string {
	return append([]string{"sim", "--estate", s.folder.path(demoEstate)}, args...)
}

// cl makes a command line that gives CL commands.
func (s *stage) cl(commands ...string) []string {
	return s.sim(append([]string{"cl", demoManager}, commands...)...)
}

// known makes a command line with the configuration and the state of the demo.
func (s *stage) known(args ...string) []string {
	return append(args, "--config", s.folder.path(demoConfig), "--state", s.folder.path(demoState))
}

// night gives the time of the housekeeping of a night, in the estate: 02:00.
func night(n int) string { return at(n, 2) }

// at gives an hour, n days after the first.
func at(n, hour int) string {
	day, err := time.Parse(time.DateOnly, demoDay)
	if err != nil {
		panic(err) // it is a constant
	}
	return day.AddDate(0, 0, n).Add(time.Duration(hour) * time.Hour).Format("2006-01-02T15:04:05")
}

func (s *stage) introduce(context.Context) error {
	return s.print(fmt.Sprintf(`mqhk demo: a simulated IBM i queue manager with a real journal, three policies,
two crashes and two recoveries; then one on Linux with a linear log, a crash and
a media recovery. Seed %d, %d nights, in folder %s.
Each line behind $ is a command of this program that can be typed just so. It
acts on this folder alone.
`, s.seed, s.nights, s.dir))
}

// build makes the queue manager, its applications and the configuration.
func (s *stage) build(ctx context.Context) error {
	if err := s.part("A queue manager"); err != nil {
		return err
	}
	made := s.sim("init", demoManager, "--zone", "Europe/Berlin", "--start", at(0, 6), "--threshold", "1MiB")
	if s.noSync {
		made = append(made, "--no-sync")
	}
	if _, err := s.do(ctx, 0, firstLine, made...); err != nil {
		return err
	}
	if _, err := s.do(ctx, 0, short, s.sim("workload", demoManager, "deep", "--seed", fmt.Sprint(s.seed))...); err != nil {
		return err
	}
	if _, err := s.do(ctx, 0, short, s.cl("CRTLIB LIB(MQVAULT)")...); err != nil {
		return err
	}
	if err := s.folder.write(demoConfiguration, demoConfig, "demo.hcl"); err != nil {
		return err
	}
	return s.say(`The configuration is in %s: this queue manager, and a store for
receivers, which is a library of save files and a folder that they are fetched to.
WARNING: the store lies on the same disk as the log (same_filesystem = true).
For a demo that will do; a disk that fails takes both.`, s.folder.path(demoConfig, "demo.hcl"))
}

// live lets the nights pass. The site changes receivers every night, records
// images every second one so that the recovery points go on, last on the night
// before the last; on the last night it has saved all receivers.
func (s *stage) live(ctx context.Context) error {
	if err := s.part(fmt.Sprintf("%d nights, with the site's own jobs at 02:00", s.nights)); err != nil {
		return err
	}
	for n := 1; n <= s.nights; n++ {
		commands := []string{changeReceivers}
		if (s.nights-n)%2 == 1 {
			commands = append(commands, recordImages)
		}
		if n == s.nights {
			if err := s.afternoon(ctx, n-1); err != nil {
				return err
			}
			commands = append(commands, "CRTSAVF FILE(QGPL/WEEKLY)", "SAVOBJ OBJ(AMQA*) LIB(QMORDERS) DEV(*SAVF) OBJTYPE(*JRNRCV) SAVF(QGPL/WEEKLY)")
		}
		if err := s.until(ctx, night(n)); err != nil {
			return err
		}
		if _, err := s.do(ctx, 0, short, s.cl(commands...)...); err != nil {
			return err
		}
	}
	return nil
}

// until lets time pass.
func (s *stage) until(ctx context.Context, when string) error {
	_, err := s.do(ctx, 0, short, s.sim("advance", "--until", when)...)
	return err
}

// afternoon goes on to 15:00 of a day and leaves two units of work there that
// do not end: a restart has to read the log from them on.
func (s *stage) afternoon(ctx context.Context, day int) error {
	return s.openUnits(ctx, demoManager, day, 15)
}

// openUnits goes on to an hour of a day and leaves two units of work of a queue
// manager there, one of them in doubt.
func (s *stage) openUnits(ctx context.Context, manager string, day, hour int) error {
	if err := s.until(ctx, at(day, hour)); err != nil {
		return err
	}
	if _, err := s.do(ctx, 0, short, s.sim("fault", manager, "open-unit", "ORDERS.IN")...); err != nil {
		return err
	}
	_, err := s.do(ctx, 0, short, s.sim("fault", manager, "open-unit", "ORDERS.OUT", "prepared")...)
	return err
}

// side shows what the three policies would do.
func (s *stage) side(ctx context.Context) error {
	if err := s.part("What three policies would do tonight"); err != nil {
		return err
	}
	if err := s.planned(ctx); err != nil {
		return err
	}
	return s.say(`In full, with the reason for every receiver: %s
(.json and .md beside it). As the statements of a person: conservative.cl there.`, s.folder.path(demoReports, "three-policies.txt"))
}

// farewell says what is there and how to go on.
func (s *stage) farewell() error {
	if err := s.part("What is left to look at"); err != nil {
		return err
	}
	forced := "the queue managers, running; every commit was forced to disk"
	if s.noSync {
		forced = "the queue managers, running; nothing was forced to disk (--no-sync)"
	}
	var b strings.Builder
	for _, line := range []struct{ part, what string }{
		{demoEstate, forced},
		{demoVault, "the receivers that were saved, with a manifest each"},
		{demoShelf, "the extents that were saved"},
		{demoReports, "the reports of the plans and runs"},
		{demoState, "the ledger: what was intended, done and seen"},
		{demoConfig, "the configuration; another policy goes beside it"},
		{demoLinuxConfig, "the same for the queue manager on Linux"},
	} {
		fmt.Fprintf(&b, "%-24s %s\n", s.folder.path(line.part), line.what)
	}
	b.WriteString("\n")
	for _, args := range [][]string{
		s.known("plan"), s.known("history"), s.known("status"), s.known("archive", "list", demoManager),
		s.linux("plan"), s.sim("mqsc", demoLinux, "DISPLAY QMSTATUS LOG"), s.sim("status"),
	} {
		fmt.Fprintf(&b, "  %s\n", commandLine(args))
	}
	fmt.Fprintf(&b, "\nAll that was promised held. It took %d seconds.\n", int(time.Since(s.began).Round(time.Second).Seconds()))
	return s.print("\n" + b.String())
}
