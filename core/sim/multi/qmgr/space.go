package qmgr

import (
	"errors"
)

// limited is a disk that knows how large a file system is.
type limited interface {
	Space(name string) (size, used int64, limited bool)
}

// The reserve is a file that goes when a file system has no room for the word
// that the queue manager has ended.
const (
	reserveFile  = "sim-reserve"
	reserveBytes = 16 << 10
)

func (m *Manager) keepReserve() error {
	if f, err := m.disk().Open(m.path(reserveFile)); err == nil {
		return f.Close()
	}
	return m.write(m.path(reserveFile), make([]byte, reserveBytes))
}

// space gives size and use of the file system of a folder, in bytes; 0: not
// known.
func (m *Manager) space(name string) (size, used int64) {
	if d, ok := m.disk().(limited); ok {
		if size, used, ok := d.Space(name); ok {
			return size, used
		}
	}
	return 0, 0
}

// tellFileSystems tells how full the file systems of data and log are
// (AMQ5782): at a start, and later when that has changed by five percent.
func (m *Manager) tellFileSystems(always bool) error {
	var failed error
	for _, folder := range []string{m.dataDir, m.conf().logDir} {
		size, used := m.space(folder)
		if size == 0 {
			continue
		}
		percent := int(used * 100 / size)
		if told, ok := m.read().ToldUsed[folder]; ok && !always && max(told-percent, percent-told) < 5 {
			continue
		}
		failed = errors.Join(failed,
			m.tell("AMQ5782", Inserts{
				A1: int64(percent), Percent: float64(used) * 100 / float64(size),
				A2: max(0, size-used) >> 20, C1: m.site.Path(folder),
			}),
			unlessFull(m.change(func(k *kept) { k.ToldUsed = withEntry(k.ToldUsed, folder, percent) })))
	}
	return failed
}

// withEntry gives a copy of a map with one entry more.
func withEntry(all map[string]int, name string, value int) map[string]int {
	next := map[string]int{name: value}
	for n, v := range all {
		if n != name {
			next[n] = v
		}
	}
	return next
}
