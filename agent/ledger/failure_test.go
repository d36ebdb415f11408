package ledger

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Each thing that can be wrong with the file is an error of its own kind that
// says what to do.
func TestFailures(t *testing.T) {
	ctx := context.Background()
	made := func(t *testing.T) string {
		dir := folder(t)
		must(t, openAt(t, dir, Options{}).Close())
		return dir
	}
	statement := func(t *testing.T, dir, query string) {
		db, err := sql.Open(driverName, filepath.Join(dir, FileName))
		must(t, err)
		defer db.Close()
		_, err = db.Exec(query)
		must(t, err)
	}
	for _, test := range []struct {
		name string
		do   func(t *testing.T) error
		want error
		says string
	}{
		{"another process has it", func(t *testing.T) error {
			dir := made(t)
			other := openAt(t, dir, Options{})
			tx, err := other.db.Begin()
			must(t, err)
			defer tx.Rollback()
			l := openAt(t, dir, Options{Patience: time.Millisecond})
			_, err = l.Claim(ctx, firing("k"))
			return err
		}, ErrBusy, "try again when it has ended"},
		{"no space", func(t *testing.T) error {
			dir := made(t)
			l := openAt(t, dir, Options{pragmas: []string{"max_page_count(40)"}})
			for i := range 100 {
				h := Hold{Target: "ORDERS", Reason: strings.Repeat("x", maxLine)}
				if _, err := l.AddHold(ctx, h); err != nil {
					held, readErr := l.Holds(ctx, "ORDERS")
					must(t, readErr)
					if len(held) != i {
						t.Errorf("%d holds stand, %d were acknowledged", len(held), i)
					}
					if _, verifyErr := l.Verify(ctx); verifyErr != nil {
						t.Error(verifyErr)
					}
					return err
				}
			}
			return nil
		}, ErrFull, "make room"},
		{"opened to look at", func(t *testing.T) error {
			dir := made(t)
			l, err := OpenReadOnly(ctx, dir, Options{})
			must(t, err)
			defer l.Close()
			_, err = l.Claim(ctx, firing("k"))
			return err
		}, ErrReadOnly, "opened for reading"},
		{"may only be read", func(t *testing.T) error {
			dir := made(t)
			l := openAt(t, dir, Options{pragmas: []string{"query_only(1)"}}) // as root, modes forbid nothing
			_, err := l.Claim(ctx, firing("k"))
			return err
		}, ErrReadOnly, "rights"},
		{"text", func(t *testing.T) error {
			dir := folder(t)
			must(t, os.Mkdir(dir, 0o700))
			must(t, os.WriteFile(filepath.Join(dir, FileName), bytes.Repeat([]byte("not a database\n"), 100), 0o600))
			_, err := Open(ctx, dir, Options{})
			return err
		}, ErrForeign, "move it away"},
		{"database of another program", func(t *testing.T) error {
			dir := folder(t)
			must(t, os.Mkdir(dir, 0o700))
			statement(t, dir, "CREATE TABLE t (x)")
			_, err := Open(ctx, dir, Options{})
			return err
		}, ErrForeign, "move it away"},
		{"later version", func(t *testing.T) error {
			dir := made(t)
			statement(t, dir, "PRAGMA user_version = 99")
			_, err := OpenReadOnly(ctx, dir, Options{})
			newer := new(Newer)
			if !errors.As(err, &newer) || newer.Have != 99 || newer.Know != len(migrations) {
				t.Errorf("%v", err)
			}
			_, err = Open(ctx, dir, Options{})
			return err
		}, nil, "use the newer mqhk"},
		{"none to look at", func(t *testing.T) error {
			_, err := OpenReadOnly(ctx, folder(t), Options{})
			return err
		}, ErrNone, "there is no ledger"},
		{"others may write", func(t *testing.T) error {
			dir := folder(t)
			must(t, os.Mkdir(dir, 0o700))
			must(t, os.Chmod(dir, 0o770))
			_, err := Open(ctx, dir, Options{})
			return err
		}, nil, "chmod go-w"},
		{"a file in place of the folder", func(t *testing.T) error {
			dir := folder(t)
			must(t, os.WriteFile(dir, nil, 0o600))
			_, err := Open(ctx, dir, Options{})
			return err
		}, nil, "is no folder"},
		{"damaged", func(t *testing.T) error {
			dir := made(t)
			l := openAt(t, dir, Options{})
			for range 30 {
				_, err := l.AddHold(ctx, Hold{Target: "ORDERS", Reason: strings.Repeat("x", maxLine)})
				must(t, err)
			}
			must(t, l.Close())
			path := filepath.Join(dir, FileName)
			content, err := os.ReadFile(path)
			must(t, err)
			for at := 4096; at < len(content); at += 4096 {
				copy(content[at:], bytes.Repeat([]byte{0xff}, 100))
			}
			must(t, os.WriteFile(path, content, 0o600))
			l, err = Open(ctx, dir, Options{})
			if err != nil {
				return err
			}
			defer l.Close()
			_, err = l.Verify(ctx)
			return err
		}, ErrDamaged, "put back a saved one"},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := test.do(t)
			if err == nil || test.want != nil && !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.says) {
				t.Errorf("got error %v, want %v that says %q", err, test.want, test.says)
			}
		})
	}
}

// Somebody who waits for the ledger stops waiting when the context ends.
func TestWaitEnds(t *testing.T) {
	l := openAt(t, folder(t), Options{})
	inside, leave := make(chan struct{}), make(chan struct{})
	done := make(chan error)
	go func() {
		err := l.change(context.Background(), "waiting", func(*change) error {
			close(inside)
			<-leave
			return nil
		})
		done <- err
	}()
	<-inside
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := l.Claim(ctx, firing("k")); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	close(leave)
	must(t, <-done)
}

// A change whose function fails leaves nothing behind.
func TestChangeIsWhole(t *testing.T) {
	l := openAt(t, folder(t), Options{})
	boom := errors.New("boom")
	err := l.change(context.Background(), "failing", func(c *change) error {
		if _, err := c.note(row{Kind: kindHold, Target: "ORDERS", Body: fmt.Appendf(nil, "{}")}); err != nil {
			return err
		}
		return boom
	})
	if !errors.Is(err, boom) || !strings.HasPrefix(err.Error(), "failing: ") {
		t.Errorf("got %v", err)
	}
	if holds, err := l.Holds(context.Background(), "ORDERS"); err != nil || len(holds) != 0 {
		t.Errorf("%v, %v", holds, err)
	}
}
