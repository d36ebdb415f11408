//go:build !linux

package host

import "os"

// fixed gives the file itself: no call is used here that would run what was
// read (docs/limits.md).
func fixed(file *os.File, _ string) (*os.File, error) { return file, nil }
