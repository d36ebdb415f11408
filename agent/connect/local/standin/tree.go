package standin

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mqhk/mqhk/core/mqini"
	"github.com/mqhk/mqhk/core/observe"
)

// Create lays a queue manager out: its stanza in mqs.ini, qm.ini, the log
// control file, and the extents from First to Current.
func (h *Host) Create(m Manager) (Manager, error) {
	folder := mqini.MangledName(m.Name)
	m.ID = cmp.Or(m.ID, m.Name+"_2026-05-01_08.00.00")
	m.LogType, m.Management = cmp.Or(m.LogType, "LINEAR"), cmp.Or(m.Management, "Manual")
	m.Bytes = cmp.Or(m.Bytes, 65536)
	m.Data, m.Log = filepath.Join(h.Root, "qmgrs", folder), filepath.Join(h.Root, "log", folder)
	for _, dir := range []string{filepath.Join(m.Data, "errors"), m.Active()} {
		if err := os.MkdirAll(dir, 0o770); err != nil {
			return m, err
		}
	}
	ini := fmt.Sprintf("ExitPath:\n   ExitsDefaultPath=/var/mqm/exits\nLog:\n   LogPrimaryFiles=3\n   LogSecondaryFiles=2\n   LogFilePages=4096\n   LogType=%s\n   LogBufferPages=0\n   LogPath=%s/\n   LogWriteIntegrity=TripleWrite\n   LogManagement=%s\n", m.LogType, m.Log, m.Management)
	if err := os.WriteFile(filepath.Join(m.Data, "qm.ini"), []byte(ini), 0o660); err != nil {
		return m, err
	}
	if err := os.WriteFile(filepath.Join(m.Log, "amqhlctl.lfh"), []byte("LFH"), 0o660); err != nil {
		return m, err
	}
	for number := m.First; ; number++ {
		if err := m.extent(observe.ExtentName(number)); err != nil {
			return m, err
		}
		if observe.ExtentDistance(number, m.Current) <= 0 {
			break
		}
	}
	for _, number := range m.Reuse {
		if err := m.extent(reuseName(number)); err != nil {
			return m, err
		}
	}
	return m, with(h.Bin, func(s *state) error {
		s.Managers[m.Name] = &m
		return s.writeManagers()
	})
}

// Active gives the folder of the extents.
func (m Manager) Active() string { return filepath.Join(m.Log, "active") }

func reuseName(number int) string { return "R" + observe.ExtentName(number)[1:] }

// extent makes one file: its name in front, so that no two are alike, and holes
// behind.
func (m Manager) extent(name string) error {
	file := filepath.Join(m.Active(), name)
	if err := os.WriteFile(file, []byte(m.Name+" "+name+"\n"), 0o660); err != nil {
		return err
	}
	return os.Truncate(file, m.Bytes)
}

// Extents gives the names in the folder of the extents, in their order.
func (m Manager) Extents() ([]string, error) {
	entries, err := os.ReadDir(m.Active())
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names, err
}

// Advance has a queue manager write on: so many new extents, the restart point
// at the last of them.
func (h *Host) Advance(name string, extents int) error {
	return with(h.Bin, func(s *state) error {
		m, err := s.manager(name)
		if err != nil {
			return err
		}
		for range extents {
			m.Current++
			if err := m.extent(observe.ExtentName(m.Current)); err != nil {
				return err
			}
		}
		m.Restart = m.Current
		return m.keepHouse()
	})
}

// keepHouse removes what a queue manager removes itself: what neither restart
// nor media recovery needs, under Archive only once it was reported.
func (m *Manager) keepHouse() error {
	if m.Management == "Manual" && m.LogType == "LINEAR" || m.LogType == "CIRCULAR" {
		return nil
	}
	names, err := m.Extents()
	if err != nil {
		return err
	}
	for _, name := range names {
		kind, number, err := observe.ParseExtent(name)
		needed := err != nil || kind != observe.LogExtent ||
			observe.ExtentDistance(number, m.Restart) <= 0 || observe.ExtentDistance(number, m.Media) <= 0
		if needed || m.Management == "Archive" && !slices.Contains(m.Reported, number) {
			continue
		}
		if err := os.Rename(filepath.Join(m.Active(), name), filepath.Join(m.Active(), reuseName(number))); err != nil {
			return err
		}
		m.Reuse = append(m.Reuse, number)
	}
	return nil
}

// waits tells whether the queue manager waits for word that an extent is
// archived.
func (m Manager) waits(name string) bool {
	kind, number, err := observe.ParseExtent(name)
	return err == nil && kind == observe.LogExtent && m.Management == "Archive" &&
		observe.ExtentDistance(number, m.Current) > 0 && !slices.Contains(m.Reported, number)
}

// waiting gives the oldest extent that waits, empty when none does.
func (m Manager) waiting() (string, error) {
	names, err := m.Extents()
	names = slices.DeleteFunc(names, func(name string) bool { return !m.waits(name) })
	if err != nil || len(names) == 0 {
		return "", err
	}
	return slices.MinFunc(names, func(a, b string) int {
		_, x, _ := observe.ParseExtent(a)
		_, y, _ := observe.ParseExtent(b)
		return observe.ExtentDistance(y, x)
	}), nil
}

// writeManagers writes mqs.ini.
func (s *state) writeManagers() error {
	var b strings.Builder
	fmt.Fprintf(&b, "AllQueueManagers:\n   DefaultPrefix=%s\n\n", s.Root)
	for _, m := range s.Managers {
		b.WriteString(s.stanza(m))
	}
	return os.WriteFile(filepath.Join(s.Root, "mqs.ini"), []byte(b.String()), 0o660)
}

func (s *state) stanza(m *Manager) string {
	return fmt.Sprintf("QueueManager:\n   Name=%s\n   Prefix=%s\n   Directory=%s\n   InstallationName=Installation1\n", m.Name, s.Root, mqini.MangledName(m.Name))
}
