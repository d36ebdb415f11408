package plugintest

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// Tree is what stood in a directory at one moment: for each path, relative
// and with slashes, its mode, size, time of change and content as one text.
type Tree map[string]string

// ReadTree reads a directory and all below it. Links are not followed.
func ReadTree(dir string) (Tree, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("reading the tree: %w", err)
	}
	defer root.Close()
	tree := Tree{}
	err = fs.WalkDir(root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		tree[name], err = seen(root, name, entry)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("reading the tree %s: %w", dir, err)
	}
	return tree, nil
}

func seen(root *os.Root, name string, entry fs.DirEntry) (string, error) {
	info, err := entry.Info()
	if err != nil {
		return "", err
	}
	text := info.Mode().String()
	switch {
	case info.Mode().IsRegular():
		sum, err := digest(root, name)
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("%s, %d bytes of %s, %s", text, info.Size(), info.ModTime().UTC().Format("2006-01-02T15:04:05.000000000Z"), sum), nil
	case info.Mode()&fs.ModeSymlink != 0:
		to, err := root.Readlink(filepath.FromSlash(name))
		return text + " to " + to, err
	default:
		return text, nil // a directory's time says no more than its entries
	}
}

func digest(root *os.Root, name string) (string, error) {
	file, err := root.Open(filepath.FromSlash(name))
	if err != nil {
		return "", err
	}
	defer file.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, file); err != nil {
		return "", err
	}
	return "sha256 " + hex.EncodeToString(hash.Sum(nil)), nil
}

// Diff says what is different in a later look at the directory, a line for
// each path; none: nothing.
func (t Tree) Diff(later Tree) []string {
	paths := slices.Collect(maps.Keys(t))
	for path := range later {
		if _, ok := t[path]; !ok {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	var lines []string
	for _, path := range paths {
		was, before := t[path]
		is, after := later[path]
		switch {
		case !after:
			lines = append(lines, path+": is gone")
		case !before:
			lines = append(lines, path+": is new")
		case was != is:
			lines = append(lines, fmt.Sprintf("%s: was %s; is %s", path, was, is))
		}
	}
	return lines
}
