package multi

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/mqhk/mqhk/core/wal/disk"
)

// hostFile holds what the simulator must know of a host and mqs.ini has not.
const hostFile = "sim-host.json"

// hostFormat of the file.
const hostFormat = 1

// hostState is the file.
type hostState struct {
	Format int
	Settings
	// Root is where the host was when its configuration files were written.
	Root string
	// Earlier are the folders where it was before, the newest first.
	Earlier []string `json:",omitempty"`
	// Quiescing are the queue managers that end once their work is done.
	Quiescing []string `json:",omitempty"`
}

// parseHost reads the content of the file.
func parseHost(content []byte) (hostState, error) {
	var s hostState
	if err := json.Unmarshal(content, &s); err != nil {
		return hostState{}, err
	}
	switch {
	case s.Format != hostFormat:
		return hostState{}, fmt.Errorf("it has format %d; this program reads %d", s.Format, hostFormat)
	case s.FileSystem < 0:
		return hostState{}, fmt.Errorf("a file system of %d bytes", s.FileSystem)
	}
	return s, nil
}

func (h *Host) readState() error {
	content, err := disk.ReadAll(h.disk, hostFile)
	if err == nil {
		h.state, err = parseHost(content)
	}
	if err != nil {
		return fmt.Errorf("reading %s: %w", hostFile, err)
	}
	return nil
}

func (h *Host) saveState() error {
	content, err := json.MarshalIndent(h.state, "", " ")
	if err == nil {
		err = h.write(hostFile, append(content, '\n'))
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", hostFile, err)
	}
	return nil
}

// setQuiescing writes down whether a queue manager ends once its work is done.
func (h *Host) setQuiescing(name string, ends bool) error {
	others := slices.DeleteFunc(slices.Clone(h.state.Quiescing), func(n string) bool { return n == name })
	if ends {
		others = append(others, name)
	}
	if slices.Equal(others, h.state.Quiescing) {
		return nil
	}
	h.state.Quiescing = others
	return h.saveState()
}
