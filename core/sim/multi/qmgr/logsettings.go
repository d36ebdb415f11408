package qmgr

import "github.com/mqhk/mqhk/core/sim/multi/extents"

// LogSettings gives what qm.ini said of the log at the last start.
func (m *Manager) LogSettings() extents.Settings {
	m.life.RLock()
	defer m.life.RUnlock()
	return m.config.log
}
