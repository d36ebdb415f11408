package store

import (
	"path/filepath"
	"strings"
)

// sameDevice tells whether two paths that exist lie on one volume. Links and
// mounted folders are followed first.
func sameDevice(a, b string) (bool, error) {
	var volumes [2]string
	for i, path := range []string{a, b} {
		real, err := filepath.EvalSymlinks(path)
		if err == nil {
			real, err = filepath.Abs(real)
		}
		if err != nil {
			return false, err
		}
		volumes[i] = filepath.VolumeName(real)
	}
	return strings.EqualFold(volumes[0], volumes[1]), nil
}
