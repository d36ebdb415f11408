//go:build !unix

package disk

import "os"

// syncFolder only looks whether the folder is there: Windows has no sync of a
// folder, NTFS logs its names itself.
func syncFolder(path string) error {
	_, err := os.Stat(path)
	return err
}
