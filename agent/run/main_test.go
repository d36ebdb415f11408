package run

import (
	"os"
	"testing"

	"github.com/mqhk/mqhk/agent/connect/local/standin"
)

// TestMain lets the test binary be the commands of IBM MQ, for the stations of
// Multiplatforms, and a plugin.
func TestMain(m *testing.M) {
	beStranger()
	standin.Main()
	remove := standin.Prepare()
	code := m.Run()
	remove()
	os.Exit(code)
}
