package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gofrs/flock"

	"github.com/mqhk/mqhk/core/wal/disk"
)

// What a demo makes in its folder. Nothing else there is ever touched.
const (
	demoEstate  = "estate"
	demoVault   = "vault"
	demoState   = "state"
	demoReports = "reports"
	demoConfig  = "mqhk.d"
	// Of the queue manager on Linux.
	demoShelf       = "shelf"
	demoLinuxConfig = "linux.d"
)

// The marker says that a demo made the folder. It is there before anything
// else is made, and stays while that is replaced: whenever a demo is killed,
// the next one knows what it left.
const (
	demoMarker = "demo.json"
	demoLock   = "demo.lock"
	demoSchema = "mqhk.demo/v1"
)

// How far a demo has come. One that was killed is running for ever.
const (
	demoRunning  = "running"
	demoStopped  = "stopped"
	demoFailed   = "failed"
	demoFinished = "finished"
)

// marker is the content of the file of that name.
type marker struct {
	Schema  string `json:"schema"`
	Version string `json:"version"` // of mqhk
	Seed    uint64 `json:"seed"`
	Nights  int    `json:"nights"`
	State   string `json:"state"`
}

// demoFolder is the folder of a demo, which this process alone works in.
type demoFolder struct {
	dir    string
	lock   *flock.Flock
	marker marker
}

// takeFolder makes the folder, or takes one that a demo made or that is empty,
// and says what is to be replaced there. A folder of others is an error of
// usage, one in which a demo is under way fails.
func takeFolder(d demonstration) (folder *demoFolder, replaced string, err error) {
	if err := os.MkdirAll(d.dir, 0o700); err != nil {
		return nil, "", usage("--dir: %w", err)
	}
	if err := ofDemo(d.dir); err != nil { // before the lock makes a file there
		return nil, "", err
	}
	f := &demoFolder{dir: d.dir, lock: flock.New(filepath.Join(d.dir, demoLock), flock.SetPermissions(0o600))}
	f.marker = marker{Schema: demoSchema, Version: version(), Seed: d.seed, Nights: d.nights}
	free, err := f.lock.TryLock()
	switch {
	case err != nil:
		return nil, "", &exitError{exitFailed, fmt.Errorf("locking the folder of the demo: %w", err)}
	case !free:
		return nil, "", &exitError{exitFailed, fmt.Errorf("another demo is under way in %s: wait for its end, or name another folder with --dir", d.dir)}
	}
	if replaced, err = f.earlier(); err == nil {
		err = f.mark(demoRunning)
	}
	if err != nil {
		f.release()
		return nil, "", err
	}
	return f, replaced, nil
}

// ofDemo makes sure that a folder is empty or a demo's: it has the marker, or
// nothing but what is there before it.
func ofDemo(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return usage("--dir: %w", err)
	}
	for _, e := range entries {
		if e.Name() == demoMarker {
			return nil
		}
	}
	for _, e := range entries {
		if name := e.Name(); name != demoLock && !strings.HasPrefix(name, demoMarker) {
			return usage("%s holds %s and was not made by a demo: it stays as it is; name another folder with --dir", dir, name)
		}
	}
	return nil
}

// earlier tells of the demo that made what is there; empty: there is nothing.
func (f *demoFolder) earlier() (string, error) {
	path := filepath.Join(f.dir, demoMarker)
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", &exitError{exitFailed, err}
	}
	var m marker
	if err := json.Unmarshal(content, &m); err != nil || m.Schema != demoSchema {
		return "", usage("%s is not a marker of this version of the demo: remove %s yourself, or name another folder with --dir", path, f.dir)
	}
	switch m.State {
	case demoFinished:
		return fmt.Sprintf("an earlier demo made it (seed %d, %d nights)", m.Seed, m.Nights), nil
	case demoFailed, demoStopped:
		return fmt.Sprintf("an earlier demo made it, and %s", map[string]string{demoFailed: "failed", demoStopped: "was stopped"}[m.State]), nil
	default:
		return "an earlier demo made it, and was killed", nil
	}
}

// mark writes the marker, whole or not at all.
func (f *demoFolder) mark(state string) error {
	f.marker.State = state
	content, err := json.MarshalIndent(f.marker, "", "  ")
	if err != nil {
		return fmt.Errorf("marking the folder of the demo: %w", err)
	}
	if err := disk.Replace(disk.At(f.dir), demoMarker, append(content, '\n')); err != nil {
		return &exitError{exitFailed, fmt.Errorf("marking the folder of the demo: %w", err)}
	}
	return nil
}

// clear removes what an earlier demo made, and makes the folders of this one.
func (f *demoFolder) clear() error {
	for _, part := range []string{demoEstate, demoVault, demoState, demoReports, demoConfig, demoShelf, demoLinuxConfig} {
		if err := os.RemoveAll(filepath.Join(f.dir, part)); err != nil {
			return fmt.Errorf("removing what an earlier demo made: %w", err)
		}
	}
	for _, part := range []string{demoReports, demoConfig, demoLinuxConfig} {
		if err := os.Mkdir(filepath.Join(f.dir, part), 0o700); err != nil {
			return fmt.Errorf("making the folder of the demo: %w", err)
		}
	}
	return nil
}

// path names a part of the folder, as it is shown too.
func (f *demoFolder) path(parts ...string) string {
	return filepath.Join(slices.Concat([]string{f.dir}, parts)...)
}

// write writes a file of the demo.
func (f *demoFolder) write(content string, parts ...string) error {
	if err := os.WriteFile(f.path(parts...), []byte(content), 0o600); err != nil {
		return fmt.Errorf("writing a file of the demo: %w", err)
	}
	return nil
}

// release lets another demo have the folder. The lock's file stays: were it
// removed, two could lock two files of its name.
func (f *demoFolder) release() { _ = f.lock.Unlock() } // the end of the process releases it too
