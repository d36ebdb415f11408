package host

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
)

// binary is an executable that was opened and hashed. On Linux the very file
// that was hashed is run; elsewhere it is run by its path after a look that
// the path still leads to it.
type binary struct {
	path   string
	file   *os.File
	sha256 string
	shared bool // with later starts: stays open
}

// self is the running file. It is opened and hashed once: it can't change
// under the process, and a replaced one on disk is another program.
var self = sync.OnceValues(func() (binary, error) {
	path, err := os.Executable()
	if err != nil {
		return binary{}, fmt.Errorf("finding the running file: %w", err)
	}
	opened, err := openBinary(runningFile(path), path)
	opened.shared = true
	return opened, err
})

// find opens and hashes what the source names.
func find(source Source) (binary, error) {
	if source.Path == "" {
		return self()
	}
	path, err := filepath.Abs(source.Path)
	if err != nil {
		return binary{}, fmt.Errorf("finding %s: %w", source.Path, err)
	}
	return openBinary(path, path)
}

func openBinary(from, path string) (binary, error) {
	file, err := os.Open(from)
	if err != nil {
		return binary{}, fmt.Errorf("opening the plugin's file: %w", err)
	}
	hash := sha256.New()
	if _, err := io.Copy(hash, file); err != nil {
		_ = file.Close()
		return binary{}, fmt.Errorf("reading the plugin's file %s: %w", path, err)
	}
	return binary{path: path, file: file, sha256: hex.EncodeToString(hash.Sum(nil))}, nil
}

// close lets the file go, unless later starts use it.
func (b binary) close() {
	if !b.shared && b.file != nil {
		_ = b.file.Close()
	}
}

// unchanged fails when the path no longer leads to the file that was hashed.
func (b binary) unchanged() error {
	opened, err := b.file.Stat()
	if err != nil {
		return fmt.Errorf("looking at the plugin's file %s: %w", b.path, err)
	}
	now, err := os.Stat(b.path)
	if err != nil {
		return fmt.Errorf("looking at the plugin's file again: %w", err)
	}
	if !os.SameFile(opened, now) {
		return fmt.Errorf("the plugin's file %s was replaced after it was checked", b.path)
	}
	return nil
}
