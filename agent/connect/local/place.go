package local

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"

	"github.com/mqhk/mqhk/core/mqini"
	"github.com/mqhk/mqhk/core/mqsc"
	"github.com/mqhk/mqhk/core/observe"
)

// ErrManaged says that only the queue manager removes its extents.
var ErrManaged = errors.New("only the queue manager removes its extents")

// place is the log of one queue manager, as the writer itself learned it.
type place struct {
	folder
	path     string // of the extents
	settings mqini.LogSettings
}

// place learns where the extents of a queue manager are, and opens their folder:
// from DISPLAY QMSTATUS, and from qm.ini, which must not say anything else.
// Where the queue manager does not answer, as when it has ended, qm.ini alone
// says it. The folder is never built from the queue manager's name.
func (m *machine) place(ctx context.Context, queueManager string) (*place, error) {
	settings, err := m.logSettings(ctx, queueManager)
	if err != nil {
		return nil, fmt.Errorf("the log of queue manager %s is not known: %w", queueManager, err)
	}
	_, _ = m.refresh(ctx, queueManager) // qm.ini alone may say it
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	told := m.newest(queueManager)
	written := settings.Path
	where := told.path
	switch {
	case !written.Known() && where == "":
		return nil, fmt.Errorf("the log of queue manager %s is not known: neither LOGPATH nor LogPath says where it is", queueManager)
	case where == "":
		where = written.Value
	case written.Known() && !m.sameLog(where, written.Value):
		return nil, fmt.Errorf("%w: LOGPATH is %s, LogPath in qm.ini %s", ErrNotProven, where, written.Value)
	}
	where = mqini.ActiveFolder(where)
	open, err := m.files.open(ctx, where)
	if err != nil {
		return nil, fmt.Errorf("opening the log of queue manager %s: %w", queueManager, err)
	}
	if err := open.proven(ctx); err != nil {
		return nil, errors.Join(err, open.Close())
	}
	return &place{open, where, settings}, nil
}

// sameLog compares two paths of a log, on this machine with links resolved.
func (m *machine) sameLog(a, b string) bool {
	if mqini.SameLog(a, b) {
		return true
	}
	if len(m.settings.Prefix) > 0 {
		return false
	}
	realA, errA := filepath.EvalSymlinks(mqini.ActiveFolder(a))
	realB, errB := filepath.EvalSymlinks(mqini.ActiveFolder(b))
	return errA == nil && errB == nil && realA == realB
}

// refresh asks the queue manager what it says of its log now. That it does not
// answer leaves what it said before.
func (m *machine) refresh(ctx context.Context, queueManager string) (said mqsc.Answer, err error) {
	for _, question := range []string{"DISPLAY QMSTATUS ALL", "DISPLAY QMSTATUS LOG"} {
		limited, cancel := context.WithTimeout(ctx, m.settings.Timeout)
		_, said, err = m.runmqsc(limited, queueManager, question)
		cancel()
		var failed *failure
		if !errors.As(err, &failed) || !failed.answered {
			break
		}
	}
	return said, err
}

// logSettings reads the Log stanza of the queue manager's qm.ini, which mqs.ini
// or dspmqinf leads to.
func (m *machine) logSettings(ctx context.Context, queueManager string) (mqini.LogSettings, error) {
	limited, cancel := context.WithTimeout(ctx, m.settings.Timeout)
	defer cancel()
	data, err := m.dataFolder(limited, queueManager)
	if err != nil {
		return mqini.LogSettings{}, err
	}
	body, err := m.files.read(limited, path.Join(filepath.ToSlash(data), "qm.ini"))
	if err != nil {
		return mqini.LogSettings{}, err
	}
	return mqini.Log(mqini.Parse(body)), nil
}

// mqsIni gives the path of mqs.ini.
func (m *machine) mqsIni() string {
	return path.Join(filepath.ToSlash(m.settings.DataRoot), "mqs.ini")
}

// dataFolder gives the folder of a queue manager's data.
func (m *machine) dataFolder(ctx context.Context, queueManager string) (string, error) {
	body, err := m.files.read(ctx, m.mqsIni())
	if err == nil {
		var data string
		if data, err = dataIn(body, queueManager); err == nil {
			return data, nil
		}
	}
	printed, again := m.control(ctx, queueManager, "dspmqinf "+queueManager)
	if again == nil {
		var data string
		if data, again = dataIn(printed, queueManager); again == nil {
			return data, nil
		}
	}
	return "", errors.Join(err, again)
}

func dataIn(body []byte, queueManager string) (string, error) {
	manager, err := mqini.FindManager(mqini.Parse(body), queueManager)
	if err != nil {
		return "", err
	}
	data, ok := manager.DataDir()
	if !ok {
		return "", fmt.Errorf("the stanza of queue manager %s does not say where its data is", queueManager)
	}
	return data, nil
}

// pruned tells whether somebody other than the queue manager may remove its
// extents: only of a linear log under LogManagement=Manual, which is the default
// and what releases before 9.0.2 do.
func (p *place) pruned(told reading) error {
	kind, management := p.settings.Type, p.settings.Management
	switch {
	case told.logType != "" && told.logType != string(mqini.Linear):
		return fmt.Errorf("%w: LOGTYPE(%s)", ErrManaged, told.logType)
	case told.logType == "" && !kind.Known():
		return errors.New("neither LOGTYPE nor qm.ini says what type of log it is")
	case kind.Known() && kind.Value != mqini.Linear:
		return fmt.Errorf("%w: LogType=%s", ErrManaged, kind.Value)
	case management.Known() && management.Value != mqini.Manual:
		return fmt.Errorf("%w: LogManagement=%s", ErrManaged, management.Value)
	case management.State == mqini.Unclear:
		return errors.New("LogManagement in qm.ini is unclear")
	}
	return nil
}

// complete tells whether an extent is one of the log's own, complete, and no
// longer written, by the newest reading of the current one. Where the queue
// manager tells none, as on a policy that trusts the error log, the second key's
// own reading stands alone.
func complete(name string, told reading) (int, error) {
	kind, number, err := observe.ParseExtent(name)
	switch {
	case err != nil:
		return 0, err
	case kind != observe.LogExtent:
		return 0, fmt.Errorf("%s is kept by the queue manager for reuse", name)
	case told.current == "":
		return number, nil
	}
	_, current, err := observe.ParseExtent(told.current)
	if err != nil {
		return 0, fmt.Errorf("CURRLOG(%s): %w", told.current, err)
	}
	if observe.ExtentDistance(number, current) <= 0 {
		return 0, fmt.Errorf("%s is not complete: CURRLOG(%s) is being written", name, told.current)
	}
	return number, nil
}

// before tells whether an extent lies before the restart point: what a restart
// reads stays on the system, whatever a policy promises.
func before(number int, told reading) error {
	if told.restart == "" {
		return nil
	}
	_, restart, err := observe.ParseExtent(told.restart)
	if err != nil {
		return fmt.Errorf("RECLOG(%s): %w", told.restart, err)
	}
	if observe.ExtentDistance(number, restart) <= 0 {
		return fmt.Errorf("%s is read by a restart: RECLOG(%s)", observe.ExtentName(number), told.restart)
	}
	return nil
}
