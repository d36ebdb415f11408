//go:build unix

package store

import (
	"fmt"
	"os"
	"syscall"
)

// sameDevice tells whether two paths that exist lie on one file system, by
// the device that each is on.
func sameDevice(a, b string) (bool, error) {
	var devices [2]uint64
	for i, path := range []string{a, b} {
		info, err := os.Stat(path)
		if err != nil {
			return false, err
		}
		stat, ok := info.Sys().(*syscall.Stat_t)
		if !ok {
			return false, fmt.Errorf("the device of %s is not known", path)
		}
		devices[i] = uint64(stat.Dev) //nolint:unconvert // its type differs between systems
	}
	return devices[0] == devices[1], nil
}
