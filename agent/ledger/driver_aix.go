package ledger

import (
	"errors"

	"github.com/ncruces/go-sqlite3"
	_ "github.com/ncruces/go-sqlite3/driver" // registers itself with database/sql
	"github.com/ncruces/go-sqlite3/vfs"
)

// driverName is the name under which the SQLite of this platform stands with
// database/sql. The usual one does not build for AIX.
const driverName = "sqlite3"

// journalMode is a rollback journal here: this SQLite shares no memory between
// processes on AIX, without which its WAL would serve a single one. Readers
// wait for the writer, and the writer for them.
const journalMode = "DELETE"

// driverReady says why this build can't hold a ledger: without the tag two
// processes could write at once.
func driverReady() error {
	if !vfs.SupportsFileLocking {
		return errors.New("this program was built without locks for files on AIX; build it with -tags sqlite3_dotlk")
	}
	return nil
}

// resultCode gives the extended result code of SQLite (sqlite.org/rescode.html)
// that lies under an error; 0: there is none.
func resultCode(err error) int {
	var failed *sqlite3.Error
	if errors.As(err, &failed) {
		return int(failed.ExtendedCode())
	}
	return 0
}
