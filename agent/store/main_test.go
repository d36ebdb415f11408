package store

import (
	"flag"
	"os"
	"testing"

	"go.uber.org/goleak"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestMain lets the test binary be the site's archive too, a second process
// that saves, and one that saves much: each starts it again with a word of its
// own.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case archiveWord:
			os.Exit(siteArchive(os.Args[2:]))
		case putterWord:
			os.Exit(putter(os.Args[2:]))
		case memoryWord:
			os.Exit(hoarder(os.Args[2:]))
		}
	}
	goleak.VerifyTestMain(m)
}
