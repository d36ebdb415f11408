package ibmi

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
	"github.com/mqhk/mqhk/core/sim/ibmi/qmgr"
)

// systemCommands make libraries, show files and start the system again.
func systemCommands() []command {
	return []command{
		{"CRTLIB", 1, append([]parameter{
			{keyword: "LIB", kind: simple, required: true}, choice("AUT", "*LIBCRTAUT", "*USE", "*CHANGE", "*ALL", "*EXCLUDE"),
		}, noEffect("TYPE", "TEXT", "ASP", "CRTAUT")...), createLibrary},
		{"DSPF", 1, []parameter{{keyword: "STMF", kind: character, high: 5000, required: true}}, showFile},
		// A system that is off takes no command any more, so only
		// RESTART(*YES) is here, and has to be said: CL's default is *NO.
		{"PWRDWNSYS", 1, append([]parameter{
			choice("OPTION", "*CNTRLD", "*IMMED"), {keyword: "RESTART", kind: special, specials: []string{"*YES"}, required: true},
		}, noEffect("DELAY", "CONFIRM", "IPLSRC", "ENDSBSOPT", "TIMOUTOPT")...), restartSystem},
	}
}

func createLibrary(_ context.Context, c *call) error {
	name := c.args.text("LIB")
	if err := c.sys.CreateLibrary(name); err != nil {
		return err
	}
	if word := c.args.text("AUT"); word != "*LIBCRTAUT" { // which is *CHANGE as the system is shipped
		everyone, err := os400.ParseAuthority(word)
		if err == nil {
			err = c.sys.Grant(libraryObject(name), everybody, everyone)
		}
		if err != nil {
			return err
		}
	}
	c.done("CPC2102", name)
	return c.own("LIB", os400.ID{Library: systemLib, Name: name})
}

// showFile prints a stream file, or a user space by its path (reference, IBM i
// 2.3).
func showFile(_ context.Context, c *call) error {
	path := c.args.text("STMF")
	content, err := c.machine.file(path)
	if errors.Is(err, fs.ErrNotExist) {
		return escape("CPFA0A9", os400.ID{Name: path}, path)
	}
	if err != nil {
		return err
	}
	c.result.Output += center("Browse : "+path) + "\n" + strings.TrimRight(string(content), "\n") + "\n"
	return nil
}

// file gives the content of a stream file, or the text of a user space that is
// named by its path. fs.ErrNotExist when it is not there.
func (m *Machine) file(path string) ([]byte, error) {
	id, isSpace := spaceAt(path)
	if !isSpace {
		return m.sys.ReadFile(path)
	}
	content, err := m.sys.Space(id)
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w", path, fs.ErrNotExist, err)
	}
	return []byte(fromEBCDIC(content)), nil
}

// spaceAt reads /QSYS.LIB/LIBRARY.LIB/NAME.USRSPC, in any case.
func spaceAt(path string) (os400.ID, bool) {
	parts := strings.Split(strings.ToUpper(strings.TrimPrefix(path, "/")), "/")
	if len(parts) != 3 || parts[0] != "QSYS.LIB" {
		return os400.ID{}, false
	}
	library, inLibrary := strings.CutSuffix(parts[1], ".LIB")
	name, isSpace := strings.CutSuffix(parts[2], ".USRSPC")
	return os400.ID{Library: library, Name: name}, inLibrary && isSpace && library != "" && name != ""
}

// restartSystem is PWRDWNSYS RESTART(*YES): queue managers end, as by a crash
// with OPTION(*IMMED), and the system comes up again without them.
func restartSystem(ctx context.Context, c *call) error {
	for _, manager := range c.machine.Managers() {
		if !running(manager) {
			continue
		}
		end := c.crash
		if c.args.has("OPTION", "*CNTRLD") {
			end = func(ctx context.Context, m *qmgr.Manager) error { return m.End(ctx, qmgr.EndOptions{Immediate: true}) }
		}
		if err := end(ctx, manager); err != nil {
			return mqEscape(err, manager.Name(), manager.Name())
		}
	}
	if err := c.sys.IPL(ctx); err != nil {
		return err
	}
	c.note(Info, "SIM0008", c.sys.Settings().Name)
	return nil
}

// crash ends a queue manager unexpectedly, and tells what nobody will know
// afterwards.
func (c *call) crash(ctx context.Context, manager *qmgr.Manager) error {
	lost := manager.MemoryOnly()
	if err := manager.Crash(ctx); err != nil {
		return err
	}
	if lost > 0 {
		c.note(Info, "SIM0017", manager.Name(), os400.Counted(lost, "message"))
	}
	return nil
}
