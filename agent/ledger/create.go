package ledger

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"github.com/mqhk/mqhk/core/wal/disk"
	"github.com/mqhk/mqhk/internal/shell"
)

// othersWrite are the mode bits with which somebody else could change the
// ledger, and so what mqhk may delete.
const othersWrite = 0o022

// prepareFolder makes the ledger's folder durably, or looks at the one that is
// there.
func prepareFolder(folder string) error {
	info, err := os.Stat(folder)
	if errors.Is(err, os.ErrNotExist) {
		absolute, err := filepath.Abs(folder)
		if err != nil {
			return err
		}
		return disk.At(filepath.Dir(absolute)).MkdirAll(filepath.Base(absolute))
	}
	switch {
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s is no folder", folder)
	case runtime.GOOS != "windows" && info.Mode().Perm()&othersWrite != 0:
		remedy, ok := shell.Line("chmod", "go-w", folder)
		if !ok { // nobody is told to type a name that can't be shown
			remedy = "take that from them"
		}
		return fmt.Errorf("others may write in the folder (mode %04o), and so could change what mqhk deletes; %s", info.Mode().Perm(), remedy)
	}
	if why := foreign(info); why != "" {
		return fmt.Errorf("%s: %s", folder, why)
	}
	return nil
}

// create makes an empty ledger whole under another name and then gives it its
// own: nobody sees one that is half made, and of several who do it at once one
// is first.
func create(ctx context.Context, folder string, options Options) error {
	name := "new-" + rand.Text() + ".db"
	path := filepath.Join(folder, name)
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600) // SQLite gives the files beside it the same mode
	switch {
	case errors.Is(err, os.ErrPermission):
		return fmt.Errorf("%w: %w", ErrReadOnly, err)
	case err != nil:
		return err
	}
	defer os.Remove(path)
	if err := file.Close(); err != nil {
		return err
	}
	if err := fill(ctx, path, options); err != nil {
		return fmt.Errorf("making an empty ledger: %w", err)
	}
	if err := os.Link(path, filepath.Join(folder, FileName)); err != nil && !errors.Is(err, os.ErrExist) {
		return err
	}
	return disk.At(folder).SyncDir(".")
}

// fill gives an empty file the schema, the ledger's mark, and the first row of
// the trail, with something in it that no other ledger has.
func fill(ctx context.Context, path string, options Options) error {
	l, err := connect(path, "rw", options)
	if err != nil {
		return err
	}
	for _, pragma := range []string{"journal_mode = " + journalMode, fmt.Sprintf("application_id = %d", applicationID)} {
		if _, err := l.db.ExecContext(ctx, "PRAGMA "+pragma); err != nil {
			return errors.Join(explain(err), l.Close())
		}
	}
	if err := l.migrate(ctx); err != nil {
		return errors.Join(err, l.Close())
	}
	err = l.change(ctx, "beginning the trail", func(c *change) error {
		_, err := c.note(row{Kind: kindCreated, Body: []byte(rand.Text())})
		return err
	})
	return errors.Join(err, l.Close())
}
