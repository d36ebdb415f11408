package ledger

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Another user's ledger is not written, by root neither: what root leaves
// there its owner can't write any more.
func TestFolderOfAnotherUser(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give a folder away")
	}
	folder := filepath.Join(t.TempDir(), "state")
	l, err := Open(t.Context(), folder, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(folder, 65534, 65534); err != nil {
		t.Skip(err)
	}
	if _, err := Open(t.Context(), folder, Options{}); err == nil || !strings.Contains(err.Error(), "belongs to user 65534") {
		t.Errorf("got %v", err)
	}
}
