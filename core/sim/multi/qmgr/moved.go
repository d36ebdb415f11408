package qmgr

import (
	"bytes"
	"fmt"
	"path"

	"github.com/mqhk/mqhk/core/wal/disk"
)

// Moved writes the real paths in the qm.ini of a data folder anew: an estate
// that was below one folder is below another now. Nothing else of the file
// changes.
func Moved(site Site, dataDir, from string) error {
	name := path.Join(dataDir, configFile)
	content, err := disk.ReadAll(site.Disk, name)
	if err != nil {
		return fmt.Errorf("reading %s: %w", site.Path(name), err)
	}
	moved := bytes.ReplaceAll(content, []byte("="+from+"/"), []byte("="+site.Root+"/"))
	if bytes.Equal(moved, content) {
		return nil
	}
	if site.NoSync {
		return disk.ReplaceNoSync(site.Disk, name, moved)
	}
	return disk.Replace(site.Disk, name, moved)
}
