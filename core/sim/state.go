package sim

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/mqhk/mqhk/core/observe"
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
	if s.Until.After(s.Now) {
		s.Now = s.Until
	}
	return s, nil
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
	return all, nil
}

func (e *Estate) saveWorkloads() error { return e.replace(workloadsFile, e.workloads) }
