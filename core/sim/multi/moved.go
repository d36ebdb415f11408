package multi

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/mqhk/mqhk/core/wal/disk"
)

// errElsewhere says that a path does not lead into the folder of the host.
var errElsewhere = errors.New("not below the folder of the simulated host")

// moved writes the configuration files anew of a host that is in another folder
// now, or was: what they name below an old one is below the present one. A
// qm.ini that can't be read holds up nobody: its queue manager is lost
// ([Host.Lost]). Put back later it names an old folder, so the host remembers
// those where it was.
func (h *Host) moved() error {
	files := map[string][]byte{}
	if err := h.rebased(mqsIni, files); err != nil {
		return err
	}
	before := h.disk
	h.disk = h.fileSystem(overlaid{h.opts.Disk, files})
	places, err := h.places()
	if err != nil {
		return err
	}
	for _, p := range places {
		_ = h.rebased(path.Join(p.folder, "qm.ini"), files) // opening the queue manager tells it
	}
	h.disk = before
	if err := h.writeMoved(files); !errors.Is(err, disk.ErrReadOnly) {
		return err
	}
	// One who only looks sees them as they will be.
	h.disk = h.fileSystem(overlaid{h.opts.Disk, files})
	return nil
}

// rebased adds a file as it has to be, if it has to change.
func (h *Host) rebased(name string, files map[string][]byte) error {
	content, err := disk.ReadAll(h.disk, name)
	if err != nil {
		return fmt.Errorf("reading %s: %w", h.real(name), err)
	}
	now := content
	for _, root := range h.roots() {
		now = rebase(now, root, h.opts.Root)
	}
	if !bytes.Equal(now, content) {
		files[name] = now
	}
	return nil
}

// roots gives the folders where the host was and is not now, the newest first.
func (h *Host) roots() []string {
	var all []string
	for _, root := range append([]string{h.state.Root}, h.state.Earlier...) {
		if root != h.opts.Root && !slices.Contains(all, root) {
			all = append(all, root)
		}
	}
	return all
}

// writeMoved writes the files, and last that it was done: a crash before that
// has it done again.
func (h *Host) writeMoved(files map[string][]byte) error {
	for name, content := range files {
		if err := h.write(name, content); err != nil {
			return fmt.Errorf("writing %s: %w", h.real(name), err)
		}
	}
	if h.state.Root == h.opts.Root {
		return nil
	}
	h.state.Earlier, h.state.Root = h.roots(), h.opts.Root
	return h.saveState()
}

// rebase gives a configuration file whose values name files below another
// folder. Those that are there already stay.
func rebase(content []byte, from, to string) []byte {
	lines := strings.SplitAfter(string(content), "\n")
	for i, line := range lines {
		name, value, ok := strings.Cut(line, "=")
		below, inside := strings.CutPrefix(strings.TrimLeft(value, " "), from+"/")
		if !ok || !inside || strings.HasPrefix(value, to+"/") && len(to) > len(from) {
			continue
		}
		lines[i] = name + "=" + to + "/" + below
	}
	return []byte(strings.Join(lines, ""))
}

// overlaid is a disk on which some files have another content for readers.
type overlaid struct {
	disk.FS
	files map[string][]byte
}

// Open opens a file for reading.
func (o overlaid) Open(name string) (disk.File, error) {
	f, err := o.FS.Open(name)
	content, ok := o.files[path.Clean(name)]
	if err != nil || !ok {
		return f, err
	}
	return shownFile{f, content}, nil
}

// shownFile is a file that is read as something else.
type shownFile struct {
	disk.File
	content []byte
}

func (f shownFile) ReadAt(b []byte, off int64) (int, error) {
	return strings.NewReader(string(f.content)).ReadAt(b, off)
}

func (f shownFile) Size() (int64, error) { return int64(len(f.content)), nil }
