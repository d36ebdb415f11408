package sim

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"time"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
	"github.com/mqhk/mqhk/core/sim/workload"
	"github.com/mqhk/mqhk/core/wal/disk"
)

// The files of an estate's folder.
const (
	stateFile     = "estate.json"
	workloadsFile = "workloads.json"
	lockFile      = "lock"
	systemsFolder = "systems"
	format        = "mqhk.estate/v1"
)

// state is estate.json.
type state struct {
	Format string `json:"format"`
	// Zone in which the systems' clocks are, Area/City.
	Zone string `json:"zone"`
	// Now is the estate's time.
	Now time.Time `json:"now"`
	// Until is where the step ends that is under way: what the systems have
	// written may be as late as this.
	Until time.Time `json:"until"`
	// NoSync: nothing is forced to disk, for rehearsals.
	NoSync bool `json:"no_sync,omitempty"`
	// Jobs counts those that were started by hand.
	Jobs    int           `json:"jobs"`
	Systems []systemState `json:"systems"`
}

type systemState struct {
	Name     string           `json:"name"`
	Platform observe.Platform `json:"platform"`
	// Offset is how far somebody has put the system's clock forward, or back.
	Offset time.Duration `json:"offset_ns,omitempty"`
}

func loadState(d disk.FS) (state, error) {
	var s state
	content, err := disk.ReadAll(d, stateFile)
	if err != nil {
		return s, err
	}
	if err := json.Unmarshal(content, &s); err != nil {
		return s, fmt.Errorf("%s: %w", stateFile, err)
	}
	if s.Format != format {
		return s, fmt.Errorf("%s: its format is %q, this is for %q", stateFile, s.Format, format)
	}
	if err := s.check(); err != nil {
		return s, fmt.Errorf("%s: %w", stateFile, err)
	}
	if s.Until.After(s.Now) {
		s.Now = s.Until
	}
	return s, nil
}

// The times that an estate's clock can have: those of its log are nanoseconds
// in 64 bits, and those of the systems have four digits for the year.
var (
	earliest = time.Date(1970, 1, 1, 0, 0, 0, 0, time.UTC)
	latest   = time.Date(2200, 1, 1, 0, 0, 0, 0, time.UTC)
)

// checkTime says why a clock can't show a time.
func checkTime(t time.Time) error {
	if t.Before(earliest) || !t.Before(latest) {
		return fmt.Errorf("%w: a clock shows %s to %s, not %s", ErrUsage, earliest.Format(time.DateOnly), latest.Format(time.DateOnly), t.Format(time.DateTime))
	}
	return nil
}

// checkZone reads the name of a time zone, which is Area/City or UTC.
func checkZone(name string) (*time.Location, error) {
	zone, err := time.LoadLocation(name)
	if err != nil || name == "" || name == "Local" {
		return nil, fmt.Errorf("%w: time zone %q is not known", ErrUsage, name)
	}
	return zone, nil
}

// checkSystemName says what is wrong with the name of a system, which is that
// of a folder too: those of IBM i are the shortest.
func checkSystemName(name string) error { return os400.CheckSystemName(name) }

// check says what is wrong with a state that somebody has edited.
func (s *state) check() error {
	if _, err := checkZone(s.Zone); err != nil {
		return err
	}
	if s.Jobs < 0 {
		return fmt.Errorf("%d jobs", s.Jobs)
	}
	seen := map[string]bool{}
	for _, system := range s.Systems {
		if err := checkSystemName(system.Name); err != nil {
			return err
		}
		if _, known := kinds()[system.Platform]; !known || seen[system.Name] {
			return fmt.Errorf("system %s: platform %q, or a second one of its name", system.Name, system.Platform)
		}
		seen[system.Name] = true
		if err := checkTime(s.Now.Add(system.Offset)); err != nil {
			return fmt.Errorf("system %s: %w", system.Name, err)
		}
	}
	return errors.Join(checkTime(s.Now), checkTime(s.Until))
}

// replace writes a file of the estate as a whole.
func (e *Estate) replace(name string, value any) error {
	content, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	if e.state.NoSync {
		return disk.ReplaceNoSync(e.disk, name, append(content, '\n'))
	}
	return disk.Replace(e.disk, name, append(content, '\n'))
}

func (e *Estate) saveState() error { return e.replace(stateFile, &e.state) }

// loadWorkloads reads how far applications are, by queue manager. An estate
// without any has no file.
func loadWorkloads(d disk.FS) (map[string]*workload.State, error) {
	all := map[string]*workload.State{}
	content, err := disk.ReadAll(d, workloadsFile)
	if errors.Is(err, fs.ErrNotExist) {
		return all, nil
	}
	if err == nil {
		err = json.Unmarshal(content, &all)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", workloadsFile, err)
	}
	if all == nil || slices.Contains(slices.Collect(maps.Values(all)), nil) {
		return nil, fmt.Errorf("%s: null stands where applications should", workloadsFile)
	}
	return all, nil
}

func (e *Estate) saveWorkloads() error { return e.replace(workloadsFile, e.workloads) }
