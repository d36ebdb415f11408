package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/mqhk/mqhk/agent/report"
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
two crashes and two recoveries. Seed %d, %d nights, in folder %s.
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
	if err := s.until(ctx, at(day, 15)); err != nil {
		return err
	}
	if _, err := s.do(ctx, 0, short, s.sim("fault", demoManager, "open-unit", "ORDERS.IN")...); err != nil {
		return err
	}
	_, err := s.do(ctx, 0, short, s.sim("fault", demoManager, "open-unit", "ORDERS.OUT", "prepared")...)
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

// conservative applies the careful policy. Its promise: a restart and a rebuild
// at once.
func (s *stage) conservative(ctx context.Context) error {
	if err := s.part("Policy conservative: applied; in the morning a crash"); err != nil {
		return err
	}
	if err := s.firstRun(ctx); err != nil {
		return err
	}
	if err := s.apply(ctx, "conservative"); err != nil {
		return err
	}
	before, err := s.crash(ctx, s.nights)
	if err != nil {
		return err
	}
	if _, err := s.do(ctx, 0, short, s.cl(startManager)...); err != nil {
		return fmt.Errorf("conservative promises a restart at once: %w", err)
	}
	if err := s.recovered(ctx, before); err != nil {
		return err
	}
	return s.rebuild(ctx)
}

// firstRun shows that an apply needs something that what is seen can be held
// against.
func (s *stage) firstRun(ctx context.Context) error {
	if _, err := s.do(ctx, exitCritical, silent, s.known("run", "--policy", "conservative", "--apply")...); err != nil {
		return err
	}
	record, err := s.recorded(ctx, "first-run")
	if err != nil {
		return err
	}
	why, err := refused(record)
	if err != nil {
		return err
	}
	return s.say("Nothing was deleted, and the exit status says so. %s: %s.", why.Code, report.Printable(why.Text))
}

// apply carries out a policy.
func (s *stage) apply(ctx context.Context, policy string) error {
	if _, err := s.do(ctx, 0, silent, s.known("run", "--policy", policy, "--apply")...); err != nil {
		return err
	}
	record, err := s.recorded(ctx, policy)
	if err != nil {
		return err
	}
	if err := carriedOut(record); err != nil {
		return err
	}
	return s.say("%s\nIn full: %s", summary(record), s.folder.path(demoReports, policy+".txt"))
}

// crash goes on to the morning after a night, notes every message, and has the
// queue manager end as if its processes had died.
func (s *stage) crash(ctx context.Context, day int) (holdings, error) {
	if err := s.until(ctx, at(day, 10)); err != nil {
		return holdings{}, err
	}
	before, err := s.holdings(ctx)
	if err != nil {
		return before, err
	}
	if len(before.open) == 0 || len(before.inDoubt) == 0 {
		return before, errors.New("no unit of work is open, or none is in doubt: a crash would show little")
	}
	_, err = s.do(ctx, 0, short, s.sim("fault", demoManager, "crash")...)
	return before, err
}

// recovered shows that a restart brought back all that it has to, and nothing
// else.
func (s *stage) recovered(ctx context.Context, before holdings) error {
	if err := s.compare(ctx, before, "the crash", "the restart"); err != nil {
		return err
	}
	return s.print(fmt.Sprintf("Units of work: %s backed out, since nobody had committed; %s in doubt as before.\n",
		unitList(before.open), unitList(before.inDoubt)))
}

// rebuild damages the deepest queue and has it made anew from its image.
func (s *stage) rebuild(ctx context.Context) error {
	before, err := s.holdings(ctx)
	if err != nil {
		return err
	}
	if _, err := s.do(ctx, 0, short, s.sim("fault", demoManager, "damage", "ARCHIVE")...); err != nil {
		return err
	}
	if _, err := s.do(ctx, 0, short, s.cl("RCRMQMOBJ OBJ(ARCHIVE) OBJTYPE(*LCLQ) MQMNAME("+demoManager+")")...); err != nil {
		return fmt.Errorf("conservative promises a rebuild at once: %w", err)
	}
	return s.compare(ctx, before, "the damage", "the rebuild")
}

// nextDay resolves what is in doubt and lives another day and night.
func (s *stage) nextDay(ctx context.Context) error {
	if err := s.part("Another day"); err != nil {
		return err
	}
	before, err := s.holdings(ctx)
	if err != nil {
		return err
	}
	for _, number := range before.inDoubt {
		if _, err := s.do(ctx, 0, short, s.cl("RSVMQMTRN TRANNUM('0,"+number+"') MQMNAME("+demoManager+") RESOLVE(*COMMIT)")...); err != nil {
			return err
		}
	}
	after, err := s.holdings(ctx)
	if err != nil {
		return err
	}
	if after.count() <= before.count() || len(after.inDoubt) > 0 {
		return fmt.Errorf("what was in doubt was committed: %d messages before, %d after", before.count(), after.count())
	}
	if err := s.afternoon(ctx, s.nights); err != nil {
		return err
	}
	if err := s.until(ctx, night(s.nights+1)); err != nil {
		return err
	}
	_, err = s.do(ctx, 0, short, s.cl(changeReceivers)...)
	return err
}

// aggressive applies the policy that keeps the least. Its promise: a restart
// once the receivers are back from the store.
func (s *stage) aggressive(ctx context.Context) error {
	if err := s.part("Policy aggressive: applied; in the morning a crash"); err != nil {
		return err
	}
	if err := s.apply(ctx, "aggressive"); err != nil {
		return err
	}
	before, err := s.crash(ctx, s.nights+1)
	if err != nil {
		return err
	}
	failed, err := s.do(ctx, exitFailed, short, s.cl(startManager)...)
	if err != nil {
		return err
	}
	if !strings.Contains(failed.problems, "AMQ7432") {
		return fmt.Errorf("a start without its receivers is to fail with AMQ7432, and failed with %s", failed.problems)
	}
	if err := s.say("As the report said: restore first. The queue manager names what it misses, the\nstore has it."); err != nil {
		return err
	}
	if _, err := s.do(ctx, 0, short, s.known("archive", "restore", demoManager, "--needed")...); err != nil {
		return err
	}
	if _, err := s.do(ctx, 0, short, s.cl(startManager)...); err != nil {
		return fmt.Errorf("aggressive promises a restart after archive restore: %w", err)
	}
	return s.recovered(ctx, before)
}

// farewell says what is there and how to go on.
func (s *stage) farewell() error {
	if err := s.part("What is left to look at"); err != nil {
		return err
	}
	forced := "the queue manager, running; every commit was forced to disk"
	if s.noSync {
		forced = "the queue manager, running; nothing was forced to disk (--no-sync)"
	}
	var b strings.Builder
	for _, line := range []struct{ part, what string }{
		{demoEstate, forced},
		{demoVault, "the receivers that were saved, with a manifest each"},
		{demoReports, "the reports of the plans and runs"},
		{demoState, "the ledger: what was intended, done and seen"},
		{demoConfig, "the configuration; another policy goes beside it"},
	} {
		fmt.Fprintf(&b, "%-24s %s\n", s.folder.path(line.part), line.what)
	}
	b.WriteString("\n")
	for _, args := range [][]string{
		s.known("plan"), s.known("history"), s.known("status"), s.known("archive", "list", demoManager), s.sim("status"),
	} {
		fmt.Fprintf(&b, "  %s\n", commandLine(args))
	}
	fmt.Fprintf(&b, "\nAll that was promised held. It took %d seconds.\n", int(time.Since(s.began).Round(time.Second).Seconds()))
	return s.print("\n" + b.String())
}
