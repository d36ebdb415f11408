package main

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// house is a configuration, a state folder, a store and an estate in which
// much has happened: an apply saved and deleted, then time went on, a segment
// was restored, and something is held and noted.
func house(t *testing.T) (args []string, folders map[string]string) {
	t.Helper()
	dir := t.TempDir()
	folders = map[string]string{}
	for _, name := range []string{"config", "state", "vault", "estate"} {
		folders[name] = filepath.Join(dir, name)
	}
	site := `queue_manager "ORDERS" {
  platform = "ibmi"
  connection "sim" {
    estate = "../estate"
  }
}
store "vault" {
  kind            = "directory"
  path            = "../vault"
  library         = "QGPL"
  compress        = true
  same_filesystem = true
}
`
	err := os.Mkdir(folders["config"], 0o700)
	if err = errors.Join(err, os.WriteFile(filepath.Join(folders["config"], "site.hcl"), []byte(site), 0o600)); err != nil {
		t.Fatal(err)
	}
	args = []string{"--config", folders["config"], "--state", folders["state"]}
	do := func(command ...string) { mqhk(t, append(args, command...)...) }
	estate := func(command ...string) {
		mqhk(t, append([]string{"sim", "--estate", folders["estate"]}, command...)...)
	}
	estate("init", "ORDERS", "--zone", "Europe/Berlin", "--threshold", "512KiB", "--no-sync")
	estate("workload", "ORDERS", "office", "--seed", "5")
	estate("advance", "10h")
	do("run", "--policy", "fast-startup")
	do("run", "--policy", "fast-startup", "--apply")
	estate("advance", "10h")
	do("note", "saved", "ORDERS", "--segment", "QMORDERS/AMQA000000", "BRMS")
	do("archive", "restore", "ORDERS", "AMQA000002")
	do("hold", "ORDERS", "--segment", "QMORDERS/AMQA000020", "--until", "3d", "--reason", "case 4711")
	return args, folders
}

// Whatever only looks changes nothing: not the configuration, the state folder,
// the store or the estate, and of the state folder not even what SQLite keeps
// beside the ledger.
func TestLookingChangesNothing(t *testing.T) {
	endToEnd(t)
	args, folders := house(t)
	digest := func() map[string]string {
		all := map[string]string{}
		for _, dir := range folders {
			maps.Copy(all, contents(t, dir))
		}
		return all
	}
	before := digest()
	for _, looks := range [][]string{
		{"plan", "--policy", "aggressive"}, {"plan", "--policy", "conservative", "--policy", "fast-startup"},
		{"eligible", "ORDERS", "AMQA000003"}, {"target", "record"}, {"target", "list"}, {"policy", "list"},
		{"hold", "list"}, {"note", "list"}, {"history"}, {"history", "verify"}, {"status"},
		{"archive", "list"}, {"archive", "verify"}, {"archive", "restore", "ORDERS", "--needed", "--dry-run"},
		{"run", "--apply", "--transcript", "nonesuch.mqt"}, {"run", "--plan", "nonesuch.plan", "--apply"},
	} {
		var stdout, stderr bytes.Buffer
		execute(append(args, looks...), &stdout, &stderr) // whatever it says
		if diff := cmp.Diff(before, digest()); diff != "" {
			t.Fatalf("mqhk %s changed:\n%s", strings.Join(looks, " "), diff)
		}
	}
	none := filepath.Join(t.TempDir(), "none")
	mqhk(t, "--config", folders["config"], "--state", none, "plan", "--fail-on", "never")
	if _, err := os.Stat(none); !errors.Is(err, os.ErrNotExist) {
		t.Error("a plan made a state folder")
	}
}

// What the host knows is in the record too: the plan on it is the plan.
func TestPlanOnARecordOfHoldsAndManifests(t *testing.T) {
	endToEnd(t)
	args, folders := house(t)
	file := filepath.Join(t.TempDir(), "recorded.mqt")
	mqhk(t, append(args, "target", "record", "-o", file)...)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		">>> STORE ORDERS: manifests", "vault,ORDERS,QMORDERS,AMQA000001,", ">>> HOLD ORDERS: holds", "case 4711",
		">>> NOTE ORDERS: notes", "BRMS", ">>> HISTORY ORDERS: segments", "restored",
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the record lacks %q", want)
		}
	}
	all := []string{"--policy", "conservative", "--policy", "fast-startup", "--policy", "aggressive"}
	direct := planWith(t, args, all...)
	// Elsewhere nothing is known but what the record says.
	again := planWith(t, []string{"--config", folders["config"], "--state", filepath.Join(t.TempDir(), "none")}, append(all, "--transcript", file)...)
	if diff := cmp.Diff(direct, again); diff != "" {
		t.Errorf("on the simulator (-), on the record (+):\n%s", diff)
	}
}

// planWith is planOf with arguments before the command.
func planWith(t *testing.T, before []string, args ...string) map[string]any {
	t.Helper()
	return planRun(t, append(before, append([]string{"plan", "--format", "json", "--fail-on", "never"}, args...)...))
}
