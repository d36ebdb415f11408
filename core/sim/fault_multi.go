package sim

import (
	"context"
	"fmt"
	"math"
	"path"
	"path/filepath"
	"strings"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/objects"
	"github.com/mqhk/mqhk/core/sim/multi/qmgr"
	"github.com/mqhk/mqhk/core/wal/disk"
)

func multiFaults() []FaultKind {
	return []FaultKind{
		{"crash", nil, "the queue manager dies: what was not forced to its log is gone", crash},
		{"damage", []string{"OBJECT"}, "a queue, or the queue manager object (*QMGR), is damaged (AMQ7472, MQRC 2101)", onMulti(damageObject)},
		{"lose-file", []string{"PATH"}, "a file is removed, as by rm; PATH is that of the real file, or begins with var/mqm", onMulti(loseFile)},
		{"lose-extent", []string{"EXTENT"}, "an extent of the log is removed, whoever needs it (AMQ7017 at a start, AMQ6767 in a media recovery)", onMulti(loseExtent)},
		{"flip-byte", []string{"FILE", "OFFSET"}, "one byte of an extent, or of a file by its path, changes on the disk", onMulti(flipFile)},
		{"file-system", []string{"FREE"}, "so many KB are free in the file system (AMQ6708 when they are used up); none: without a limit", onMulti(fileSystem)},
		{"backup", []string{"DIR"}, "somebody copies data and log of the queue manager, which has ended, to a new folder", onMulti(backUp)},
		{"restore", []string{"DIR", "[data|log]"}, "somebody puts such a copy back in place of what is there: all of it, or one part alone", onMulti(putBack)},
		{"clock-back", []string{"DURATION"}, "somebody puts the system's clock back", clockBack},
		{"clock-forward", []string{"DURATION"}, "somebody puts the system's clock forward", clockForward},
		{"open-unit", []string{"QUEUE", "[prepared]"}, "an application puts a message and leaves its unit of work open, or in doubt", openUnit},
		{"end-unit", []string{"NUMBER", "commit|backout"}, "it ends it", endUnit},
	}
}

// multiVictim is what a fault of Multiplatforms happens to.
type multiVictim struct {
	host    multiSystem
	disk    disk.FS // of the machine
	root    string  // the real folder that it stands for
	manager *qmgr.Manager
}

// onMulti makes a fault of what happens to a machine of Multiplatforms.
func onMulti(do func(context.Context, *multiVictim, []string) (string, error)) doing {
	return func(ctx context.Context, v *victim, args []string) (string, error) {
		m, ok := v.manager.(multiManager)
		if !ok {
			return "", fmt.Errorf("%w: %s is not on Multiplatforms", ErrUsage, v.manager.Name())
		}
		opts, _ := v.estate.multiOptions(systemState{Name: v.system.name})
		return do(ctx, &multiVictim{m.host, opts.Disk, opts.Root, m.Manager}, args)
	}
}

// queueManagerObject stands for the object of the queue manager itself.
const queueManagerObject = "*QMGR"

func damageObject(ctx context.Context, v *multiVictim, args []string) (string, error) {
	ref := engine.Ref{Kind: engine.Queue, Name: args[0]}
	if strings.EqualFold(args[0], queueManagerObject) {
		ref = engine.Ref{Kind: objects.QueueManager, Name: v.manager.Name()}
	}
	return args[0] + " is damaged", v.manager.Damage(ctx, ref)
}

// file gives the name on the disk of a file that a person names: an extent, a
// path in the folder of the machine, or a real one that leads there.
func (v *multiVictim) file(name string) (string, error) {
	if _, _, err := observe.ParseExtent(name); err == nil {
		return v.extent(name), nil
	}
	name = filepath.ToSlash(name)
	if !path.IsAbs(name) {
		return path.Clean(name), nil
	}
	below, ok := strings.CutPrefix(path.Clean(name), path.Clean(v.root)+"/")
	if !ok {
		return "", fmt.Errorf("%w: %s is not below %s, where the files of the machine are", ErrUsage, name, v.root)
	}
	return below, nil
}

func (v *multiVictim) extent(name string) string {
	return path.Join(v.manager.LogDir(), "active", strings.ToUpper(name))
}

func loseFile(_ context.Context, v *multiVictim, args []string) (string, error) {
	name, err := v.file(args[0])
	if err != nil {
		return "", err
	}
	return name + " is gone", v.disk.Remove(name)
}

func loseExtent(_ context.Context, v *multiVictim, args []string) (string, error) {
	if _, _, err := observe.ParseExtent(args[0]); err != nil {
		return "", fmt.Errorf("%w: %w", ErrUsage, err)
	}
	return args[0] + " is gone", v.disk.Remove(v.extent(args[0]))
}

func flipFile(_ context.Context, v *multiVictim, args []string) (string, error) {
	name, err := v.file(args[0])
	if err != nil {
		return "", err
	}
	offset, err := number("OFFSET", args[1])
	if err == nil {
		err = flipByte(v.disk, name, offset)
	}
	if err != nil {
		return "", fmt.Errorf("byte %d of %s: %w", offset, name, err)
	}
	return fmt.Sprintf("byte %d of %s is another", offset, name), nil
}

func fileSystem(_ context.Context, v *multiVictim, args []string) (string, error) {
	if args[0] == "none" {
		return "the file system has no limit", v.host.Limit(-1)
	}
	free, err := number("FREE", args[0])
	if err != nil {
		return "", err
	}
	if free > math.MaxInt64/2048 {
		return "", fmt.Errorf("%w: FREE %d KB is more than any file system has", ErrUsage, free)
	}
	return fmt.Sprintf("%d KB are free in the file system", free), v.host.Limit(int64(free) * 1024)
}

// ended makes sure that the queue manager does not run: its files can't be
// copied while they change (SEED 7.4.1).
func (v *multiVictim) ended() error {
	if state := v.manager.State(); state == qmgr.Running {
		return fmt.Errorf("%s is %s: end it first (endmqm -w)", v.manager.Name(), state)
	}
	return nil
}

// parts gives the folders that a backup has, by the name of the part.
func (v *multiVictim) parts() map[string]string {
	path := func(name string) string { return filepath.Join(filepath.FromSlash(v.root), filepath.FromSlash(name)) }
	return map[string]string{"data": path(v.manager.DataDir()), "log": path(v.manager.LogDir())}
}

func backUp(_ context.Context, v *multiVictim, args []string) (string, error) {
	if err := v.ended(); err != nil {
		return "", err
	}
	for part, folder := range v.parts() {
		if err := copyTree(folder, filepath.Join(args[0], part)); err != nil {
			return "", err
		}
	}
	return fmt.Sprintf("data and log of %s are copied to %s", v.manager.Name(), args[0]), nil
}

func putBack(_ context.Context, v *multiVictim, args []string) (string, error) {
	parts := v.parts()
	what := "data and log of " + v.manager.Name()
	if len(args) > 1 {
		folder, known := parts[args[1]]
		if !known {
			return "", fmt.Errorf("%w: %q is neither data nor log", ErrUsage, args[1])
		}
		parts, what = map[string]string{args[1]: folder}, args[1]+" of "+v.manager.Name()
	}
	if err := v.ended(); err != nil {
		return "", err
	}
	for part, folder := range parts {
		if err := replaceTree(filepath.Join(args[0], part), folder); err != nil {
			return "", err
		}
	}
	return fmt.Sprintf("%s are those of %s", what, args[0]), v.host.Reopen(v.manager.Name())
}
