package run

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// dieLeavingAChild starts a child in a session of its own, writes down which it
// is, and is killed.
func dieLeavingAChild() {
	child := exec.Command("sleep", "600")
	child.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	err := child.Start()
	if err == nil {
		err = os.WriteFile(os.Getenv(envMarker), []byte(strconv.Itoa(child.Process.Pid)), 0o600)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	select {}
}

// A plugin whose process is killed in the middle of a plan is started once more
// and plans; when the run is over, what the first one left is gone too.
func TestPluginIsKilled(t *testing.T) {
	marker := filepath.Join(t.TempDir(), "child")
	o := order(t, onePolicy, newKeepers())
	started := newProcesses("dies once", envMarker+"="+marker)
	o.Plugins = started
	record, err := Plan(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if target := record.Targets[0]; target.Error != "" || started.starts.Load() != 2 {
		t.Errorf("%d starts: %s", started.starts.Load(), target.Error)
	}
	text, err := os.ReadFile(marker)
	if err != nil {
		t.Fatal(err)
	}
	child, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(20 * time.Second); syscall.Kill(child, 0) == nil; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			_ = syscall.Kill(child, syscall.SIGKILL)
			t.Fatal("the child of the plugin that was killed is still there")
		}
	}
	if err := syscall.Kill(child, 0); !errors.Is(err, syscall.ESRCH) {
		t.Error(err)
	}
}
