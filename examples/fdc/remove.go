package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/mqhk/mqhk/plugins"
)

// errChanged says that something is not what the plan saw.
var errChanged = errors.New("it is not what was planned")

// remove removes the items of one directory and tells what became of each. An
// item that is left alone makes the action failed: not all was done that was
// named. One that is gone already is done.
func remove(ctx context.Context, folder string, items []item) plugins.Result {
	root, err := openFolder(folder)
	if err != nil {
		return plugins.Result{State: plugins.Failed, Evidence: "nothing was removed: " + err.Error()}
	}
	defer func() { _ = root.Close() }() // nothing is written through it
	var told outcomes
	for _, i := range items {
		err := ctx.Err()
		if err == nil {
			err = removeItem(root, i)
		}
		told.add(i, err)
	}
	return told.result()
}

// openFolder opens a directory, and no link of that name: whatever is renamed
// above it afterwards, no other is touched. The path to it may lead through
// links, as where /var/mqm is one.
func openFolder(folder string) (*os.Root, error) {
	named, err := os.Lstat(folder)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	opened, err := root.Stat(".")
	if err == nil && (!named.IsDir() || !os.SameFile(named, opened)) {
		err = fmt.Errorf("%s is a link, or was replaced: %w", folder, errChanged)
	}
	if err != nil {
		return nil, errors.Join(err, root.Close())
	}
	return root, nil
}

// removeItem looks at a file once more and unlinks it. Size and time tell in
// nanoseconds that it is the file of the plan, also where the plan was made
// through a container whose paths are not those of this machine.
func removeItem(root *os.Root, i item) error {
	info, err := root.Lstat(i.name)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%w: it is no regular file but %s", errChanged, info.Mode())
	}
	now := item{i.folder, i.name, info.Size(), info.ModTime().UTC()}
	if now.look() != i.look() {
		return fmt.Errorf("%w: it is %s", errChanged, now.look())
	}
	links, err := linksOf(info)
	switch {
	case err != nil:
		return err
	case links != 1:
		return fmt.Errorf("%w: it has %d names (hard links)", errChanged, links)
	}
	return root.Remove(i.name)
}

// outcomes are what became of the items of one action.
type outcomes struct{ removed, gone, left []string }

// add notes one: removed, gone before, or left alone and why.
func (o *outcomes) add(i item, err error) {
	switch {
	case err == nil:
		o.removed = append(o.removed, i.name)
	case errors.Is(err, fs.ErrNotExist):
		o.gone = append(o.gone, i.name)
	default:
		o.left = append(o.left, fmt.Sprintf("%s (%v)", i.name, err))
	}
}

// result says it in one sentence.
func (o *outcomes) result() plugins.Result {
	var parts []string
	for _, some := range []struct {
		what  string
		names []string
	}{{"left alone", o.left}, {"removed", o.removed}, {"gone before", o.gone}} {
		if len(some.names) > 0 {
			parts = append(parts, fmt.Sprintf("%d %s: %s", len(some.names), some.what, strings.Join(some.names, ", ")))
		}
	}
	state := plugins.Done
	if len(o.left) > 0 {
		state = plugins.Failed
	}
	return plugins.Result{State: state, Evidence: strings.Join(parts, "; ")}
}
