//go:build !unix

package multi

import (
	"io/fs"
	"os"
)

func sameAccess(name string, info fs.FileInfo) error { return os.Chmod(name, info.Mode().Perm()) }
