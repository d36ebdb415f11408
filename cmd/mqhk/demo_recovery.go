package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/mqhk/mqhk/agent/report"
)

// conservative applies the careful policy. Its promise: a restart and a rebuild
// at once.
func (s *stage) conservative(ctx context.Context) error {
	if err := s.part("Policy conservative: applied; in the morning a crash"); err != nil {
		return err
	}
	args := s.known("run", "--policy", "conservative", "--apply")
	if err := s.firstRun(ctx, "first-run", args); err != nil {
		return err
	}
	if err := s.apply(ctx, "conservative", args); err != nil {
		return err
	}
	before, err := s.crash(ctx, demoManager, s.nights)
	if err != nil {
		return err
	}
	if _, err := s.do(ctx, 0, short, s.cl(startManager)...); err != nil {
		return fmt.Errorf("conservative promises a restart at once: %w", err)
	}
	if err := s.recovered(ctx, demoManager, before); err != nil {
		return err
	}
	return s.rebuild(ctx)
}

// firstRun shows that an apply needs something that what is seen can be held
// against.
func (s *stage) firstRun(ctx context.Context, name string, args []string) error {
	if _, err := s.do(ctx, exitCritical, silent, args...); err != nil {
		return err
	}
	record, err := s.recorded(ctx, name)
	if err != nil {
		return err
	}
	why, err := refused(record)
	if err != nil {
		return err
	}
	return s.say("Nothing was deleted, and the exit status says so. %s: %s.", why.Code, report.Printable(why.Text))
}

// apply carries out a policy, and puts the report away under a name.
func (s *stage) apply(ctx context.Context, name string, args []string) error {
	if _, err := s.do(ctx, 0, silent, args...); err != nil {
		return err
	}
	record, err := s.recorded(ctx, name)
	if err != nil {
		return err
	}
	if err := carriedOut(record); err != nil {
		return err
	}
	return s.say("%s\nIn full: %s", summary(record), s.folder.path(demoReports, name+".txt"))
}

// crash goes on to the morning after a night, notes every message, and has the
// queue manager end as if its processes had died.
func (s *stage) crash(ctx context.Context, manager string, day int) (holdings, error) {
	if err := s.until(ctx, at(day, 10)); err != nil {
		return holdings{}, err
	}
	before, err := s.holdings(ctx, manager)
	if err != nil {
		return before, err
	}
	if len(before.open) == 0 || len(before.inDoubt) == 0 {
		return before, errFewUnits
	}
	_, err = s.do(ctx, 0, short, s.sim("fault", manager, "crash")...)
	return before, err
}

// recovered shows that a restart brought back all that it has to, and nothing
// else.
func (s *stage) recovered(ctx context.Context, manager string, before holdings) error {
	if err := s.compare(ctx, manager, before, "the crash", "the restart"); err != nil {
		return err
	}
	return s.print(fmt.Sprintf("Units of work: %s backed out, since nobody had committed; %s in doubt as before.\n",
		unitList(before.open), unitList(before.inDoubt)))
}

// rebuild damages the deepest queue and has it made anew from its image.
func (s *stage) rebuild(ctx context.Context) error {
	before, err := s.holdings(ctx, demoManager)
	if err != nil {
		return err
	}
	if _, err := s.do(ctx, 0, short, s.sim("fault", demoManager, "damage", "ARCHIVE")...); err != nil {
		return err
	}
	if _, err := s.do(ctx, 0, short, s.cl("RCRMQMOBJ OBJ(ARCHIVE) OBJTYPE(*LCLQ) MQMNAME("+demoManager+")")...); err != nil {
		return fmt.Errorf("conservative promises a rebuild at once: %w", err)
	}
	return s.compare(ctx, demoManager, before, "the damage", "the rebuild")
}

// nextDay resolves what is in doubt and lives another day and night.
func (s *stage) nextDay(ctx context.Context) error {
	if err := s.part("Another day"); err != nil {
		return err
	}
	before, err := s.holdings(ctx, demoManager)
	if err != nil {
		return err
	}
	for _, number := range before.inDoubt {
		if _, err := s.do(ctx, 0, short, s.cl("RSVMQMTRN TRANNUM('0,"+number+"') MQMNAME("+demoManager+") RESOLVE(*COMMIT)")...); err != nil {
			return err
		}
	}
	after, err := s.holdings(ctx, demoManager)
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
	if err := s.apply(ctx, "aggressive", s.known("run", "--policy", "aggressive", "--apply")); err != nil {
		return err
	}
	before, err := s.crash(ctx, demoManager, s.nights+1)
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
	return s.recovered(ctx, demoManager, before)
}
