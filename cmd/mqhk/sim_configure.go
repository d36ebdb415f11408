package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/mqhk/mqhk/core/mqini"
)

// blockFile gives the file of a queue manager's own block in the configuration
// directory. One that is there already is an error: it stays as it is.
func (a *app) blockFile(queueManager string) (string, error) {
	dir := a.config
	if dir == "" {
		dir = "mqhk.d"
	}
	path := filepath.Join(dir, mqini.MangledName(queueManager)+".hcl")
	if _, err := os.Lstat(path); err == nil {
		return "", usage("--configure: %s is there already", path)
	}
	return path, nil
}

// writeBlock writes the file of a queue manager's block, which is not there.
func writeBlock(path, block string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return &exitError{exitFailed, fmt.Errorf("writing the connection: %w", err)}
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		_, err = f.WriteString(block)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		return &exitError{exitFailed, fmt.Errorf("writing the connection: %w", err)}
	}
	return nil
}
