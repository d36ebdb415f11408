package qmgr

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/mqhk/mqhk/core/sim/multi/amqerr"
	"github.com/mqhk/mqhk/core/wal/disk"
)

// probe is a failure that the product writes a report of: a first failure symptom
// report, in the folder of the errors of the whole system.
type probe struct {
	id        string
	component string
	program   string
	major     string
	message   string // its id
}

// The probes of a log (reference, Multiplatforms 2.1: AMQ6709 and AMQ7017). The
// components are from memory where the reference has none.
var (
	probeLogFull         = probe{"HL010004", "hlgReserveLogSpace", "amqzlaa0", "hrcE_LOG_FULL", "AMQ6709"}
	probeLogNotAvailable = probe{"ZX146001", "zxcStartQueueManager", "amqzxma0", "lpiRC_LOG_NOT_AVAILABLE", "AMQ7017"}
)

// fdcWidth is what stands between the bars of a report.
const fdcWidth = 77

// report writes one: AMQnnnnn.0.FDC, with the number of the process. One that is
// there is gone on with, as the same process would.
func (m *Manager) report(p probe, inserts Inserts) error {
	folder := path.Join(m.site.Data, "errors")
	name := path.Join(folder, fmt.Sprintf("AMQ%05d.0.FDC", m.process(0)))
	err := m.disk().MkdirAll(folder)
	var there []byte
	if err == nil {
		there, err = disk.ReadAll(m.disk(), name)
	}
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		err = m.write(name, append(there, m.symptoms(p, inserts, strings.Count(string(there), "Probe Id"))...))
	}
	if err == nil {
		err = m.tellSystem(folder, "AMQ6184", Inserts{C1: m.name})
	}
	if err := unlessFull(err); err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	return nil
}

// tellSystem writes a message in the error log of the whole system, which is for
// what no queue manager can tell (reference, Multiplatforms 2.2 item 30).
func (m *Manager) tellSystem(folder, id string, inserts Inserts) error {
	w, err := amqerr.Open(m.disk(), folder, amqerr.Settings{
		Release: m.level, NoSync: m.site.NoSync, Host: m.site.Host,
		Installation: m.site.Installation, InstallationPath: m.site.installationPath(),
	})
	if err != nil {
		return err
	}
	return w.Write(amqerr.Message{ID: id, At: m.site.Now(), Inserts: inserts, Process: m.process(0)})
}

// symptoms gives the text of a report. Its form is from memory.
func (m *Manager) symptoms(p probe, inserts Inserts, number int) string {
	lines := []string{"", m.level.Product() + " First Failure Symptom Report", strings.Repeat("=", len(m.level.Product())+29), ""}
	for _, field := range [][2]string{
		{"Date/Time", m.site.Now().Format("Mon January 02 2006 15:04:05 MST")},
		{"Host Name", m.site.Host}, {"PIDS", "5724H7251"}, {"LVLS", m.level.String()}, {"Vendor", "IBM"},
		{"Installation Path", m.site.installationPath()}, {"Installation Name", m.site.Installation},
		{"Probe Id", p.id}, {"Application Name", "MQM"}, {"Component", p.component}, {"Program Name", p.program},
		{"Process", fmt.Sprint(m.process(0))}, {"QueueManager", m.name},
		{"Major Errorcode", p.major}, {"Minor Errorcode", "OK"}, {"Probe Type", "MSG" + p.message}, {"Probe Severity", "2"},
		{"Probe Description", amqerr.Say(m.level, p.message, inserts)}, {"FDCSequenceNumber", fmt.Sprint(number)},
	} {
		lines = append(lines, fmt.Sprintf("%-17s :- %s", field[0], field[1]))
	}
	var b strings.Builder
	edge := "+" + strings.Repeat("-", fdcWidth) + "+\n"
	b.WriteString(edge)
	for _, line := range append(lines, "") {
		fmt.Fprintf(&b, "| %-*s|\n", fdcWidth-1, line)
	}
	b.WriteString(edge + "\n")
	return b.String()
}
