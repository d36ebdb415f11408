//go:build !linux

package host

import (
	"os"
	"strconv"
	"time"
)

// family is all that one plugin started. Here nothing tells of a process that
// left the plugin's group (docs/limits.md).
type family struct{}

func newFamily(mark) *family { return &family{} }

func (*family) release() {}

func (*family) launch(_ []*os.File, start func() (int, error)) error {
	_, err := start()
	return err
}

func (*family) over() {}

// memory is not known.
func (*family) memory() int64 { return 0 }

// look finds nobody.
func (*family) look() []struct{} { return nil }

func (*family) end(time.Duration) error { return nil }

// hostName says which process the host is.
func hostName() string { return strconv.Itoa(os.Getpid()) }

// endOrphans finds none.
func endOrphans(func(mark) bool) {}

// lives is not known.
func lives(string) bool { return true }
