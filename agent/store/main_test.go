package store

import (
	"flag"
	"os"
	"testing"

	"go.uber.org/goleak"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestMain lets the test binary be the site's archive too, and a second
// process that saves: both start it again with a word of their own.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case archiveWord:
			os.Exit(siteArchive(os.Args[2:]))
		case putterWord:
			os.Exit(putter(os.Args[2:]))
		}
	}
	goleak.VerifyTestMain(m)
}
