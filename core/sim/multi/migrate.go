package multi

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/mqhk/mqhk/core/mqini"
	"github.com/mqhk/mqhk/core/sim/multi/amqerr"
	"github.com/mqhk/mqhk/core/sim/multi/extents"
	"github.com/mqhk/mqhk/core/sim/multi/qmgr"
	"github.com/mqhk/mqhk/core/wal/disk"
)

var migrateCommands = map[string]command{
	"migmqlog": {
		usage: "migmqlog -m QMgrName [-ld LogPath] [-lc | -ll | -lla | -lln]",
		takes: []string{"m=", "ld=", "lc", "ll", "lla", "lln"}, badUse: badArguments, run: migmqlog, refuses: []string{"lr="},
	},
}

// migmqlog makes the log of a queue manager that has ended one of another type
// or another management, where it is or in another folder, and says so in qm.ini
// (reference, Multiplatforms 3.4 item 70). Interrupted, it is run again until it
// is through; a log that is half migrated does not start. In another folder the
// old log stays as it was.
func migmqlog(c *call) int {
	kinds := c.flags.among("lc", "ll", "lla", "lln")
	if len(c.words) > 0 || !c.flags.has("m") || len(kinds) > 1 || len(kinds) == 0 && !c.flags.has("ld") {
		return c.wrong("migmqlog takes -m, and -ld or one of -lc, -ll, -lla and -lln")
	}
	m, code := c.queueManager(c.flags.value("m"), "AMQ8118", noManager)
	switch {
	case m == nil:
		return code
	case m.State() == qmgr.Running:
		return c.refuse(alreadyRuns, "AMQ7005", amqerr.Inserts{})
	}
	now := m.LogSettings()
	then := now
	for _, kind := range kinds {
		if len(kind) == 3 && !c.level.AtLeast(9, 0, 2) {
			return c.wrong("-%s is no flag of this command", kind)
		}
		then.Kind, then.Management = logFlags[kind].Kind, logFlags[kind].Management
	}
	to, err := c.migratesTo(m)
	if err != nil {
		fmt.Fprintln(&c.err, err)
		return badLogLocation
	}
	ini := path.Join(m.DataDir(), "qm.ini")
	content, err := disk.ReadAll(c.disk, ini)
	if err == nil {
		said := then
		if !c.level.AtLeast(9, 0, 2) {
			said.Management = "" // qm.ini of then has no such attribute
		}
		content, err = migratedIni(content, said, c.real(to)+"/")
	}
	if err != nil {
		return c.failed(err)
	}
	told := func() error { return c.write(ini, content) }
	if to == m.LogDir() {
		err = extents.MigrateInPlace(c.disk, to, now, then, told)
	} else {
		err = extents.Migrate(c.disk, m.LogDir(), to, now, then, told)
	}
	return c.migrated(m, err)
}

// migratesTo gives the folder of the new log: below that of -ld, one of the name
// that the queue manager's data have.
func (c *call) migratesTo(m *qmgr.Manager) (string, error) {
	if !c.flags.has("ld") {
		return m.LogDir(), nil
	}
	folder, err := c.name(c.flags.value("ld"))
	if err != nil {
		return "", err
	}
	return path.Join(folder, path.Base(m.DataDir())), nil
}

// migrated says what came of it.
func (c *call) migrated(m *qmgr.Manager, err error) int {
	var control *extents.ControlError
	switch {
	case errors.As(err, &control), errors.Is(err, extents.ErrForeign):
		fmt.Fprintln(&c.err, err)
		return c.refuse(logNotAvailable, "AMQ7017", amqerr.Inserts{})
	case errors.Is(err, fs.ErrNotExist): // an extent
		fmt.Fprintln(&c.err, err)
		return c.refuse(logNotAvailable, "AMQ7017", amqerr.Inserts{})
	case errors.Is(err, extents.ErrFull), errors.Is(err, extents.ErrSettings):
		fmt.Fprintln(&c.err, err)
		return badLogSize
	case errors.Is(err, fs.ErrExist):
		fmt.Fprintln(&c.err, err)
		return badLogLocation
	case err != nil:
		return c.failed(err)
	}
	if err := c.Reopen(m.Name()); err != nil {
		return c.failed(err)
	}
	c.print("The log of queue manager '%s' was migrated.", m.Name())
	return done
}

// migratedIni gives qm.ini for another log. What else stands in it stays.
func migratedIni(content []byte, log extents.Settings, logPath string) ([]byte, error) {
	lines := strings.SplitAfter(string(content), "\n")
	stanza, ok := mqini.Parse(content).Get("Log")
	if !ok {
		return nil, errors.New("qm.ini has no Log stanza")
	}
	want := []struct{ name, value string }{
		{"LogType", string(log.Kind)}, {"LogPath", logPath}, {"LogManagement", string(log.Management)},
	}
	for _, w := range want {
		i := slices.IndexFunc(stanza.Attributes, func(a mqini.Attribute) bool { return strings.EqualFold(a.Name, w.name) })
		line := "   " + w.name + "=" + w.value + "\n"
		if w.value == "" {
			line = ""
		}
		switch {
		case i >= 0:
			lines[stanza.Attributes[i].Line-1] = line
		case line != "": // behind the one before, which is there
			at := stanza.Attributes[0].Line - 1
			lines[at] = strings.TrimSuffix(lines[at], "\n") + "\n" + line
		}
	}
	return []byte(strings.Join(lines, "")), nil
}
