package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/mqhk/mqhk/agent/connect/local/standin"
	"github.com/mqhk/mqhk/core/observe"
)

// machineIn gives the machine of stand-ins that was laid out in a folder.
func machineIn(folder string) *standin.Host {
	return &standin.Host{Root: filepath.Join(folder, "var mqm"), Bin: filepath.Join(folder, "opt mqm", "bin")}
}

// connectionTo writes how a queue manager of such a machine is reached.
func connectionTo(h *standin.Host, name string) string {
	return fmt.Sprintf("queue_manager %q {\n  platform = \"multiplatforms\"\n  connection \"local\" {\n    bin  = %q\n    data = %q\n  }\n}\n", name, h.Bin, h.Root)
}

// machine lays out a queue manager whose commands are stand-ins, in the folder
// machine, with its connection in mqhk.d, and has something happen to it:
//
//	machine create NAME MANAGEMENT FIRST CURRENT RESTART MEDIA
//	machine advance NAME EXTENTS
//	machine points NAME RESTART MEDIA
//	machine behave COMMAND [HOW]
//	machine end|start NAME
//	machine elsewhere NAME STATUS: what dspmq says while another host runs it
//	machine swap NAME NAME: the copies of two extents in vault
func machine(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: machine WHAT NAME [ARG]...")
	}
	folder := ts.MkAbs("machine")
	h := machineIn(folder)
	number := func(i int) int {
		if i >= len(args) {
			ts.Fatalf("machine %s: an argument is missing", args[0])
		}
		n, err := strconv.Atoi(args[i])
		ts.Check(err)
		return n
	}
	change := func(f func(*standin.Manager)) { ts.Check(h.Change(args[1], f)) }
	switch args[0] {
	case "create":
		if _, err := os.Stat(folder); err != nil {
			_, err = standin.New(folder)
			ts.Check(err)
		}
		_, err := h.Create(standin.Manager{Name: args[1], Management: args[2], First: number(3), Current: number(4), Restart: number(5), Media: number(6), Bytes: 16384})
		ts.Check(err)
		ts.Check(os.MkdirAll(ts.MkAbs("mqhk.d"), 0o700))
		ts.Check(os.WriteFile(ts.MkAbs(filepath.Join("mqhk.d", args[1]+".hcl")), []byte(connectionTo(h, args[1])), 0o600))
		ts.Setenv("ACTIVE", filepath.Join(h.Root, "log", args[1], "active"))
	case "advance":
		ts.Check(h.Advance(args[1], number(2)))
	case "points":
		change(func(m *standin.Manager) { m.Restart, m.Media = number(2), number(3) })
	case "end":
		change(func(m *standin.Manager) { m.Ended = true })
	case "start":
		change(func(m *standin.Manager) { m.Ended, m.Status = false, "" })
	case "elsewhere":
		change(func(m *standin.Manager) { m.Ended, m.Status = true, args[2] })
	case "behave":
		ts.Check(h.Behave(args[1], standin.Behaviour(append(args, "")[2])))
	case "swap":
		a, b := copyIn(ts, args[1]), copyIn(ts, args[2])
		ts.Check(os.Rename(a, a+".x"))
		ts.Check(os.Rename(b, a))
		ts.Check(os.Rename(a+".x", b))
	default:
		ts.Fatalf("machine %s: nobody knows how", args[0])
	}
}

// copyIn gives the file of the copy of an extent of QM1 in the folder vault.
func copyIn(ts *testscript.TestScript, extent string) string {
	files, err := filepath.Glob(ts.MkAbs(filepath.Join("vault", "QM1.qm", "*"+extent[:len(observe.ExtentName(0))-4]+"*")))
	ts.Check(err)
	for _, name := range files {
		if filepath.Ext(name) != ".json" {
			return name
		}
	}
	ts.Fatalf("there is no copy of %s among %v", extent, files)
	return ""
}
