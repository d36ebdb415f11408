package ledger

import (
	"errors"

	"github.com/ncruces/go-sqlite3"
	_ "github.com/ncruces/go-sqlite3/driver" // registers itself with database/sql
)

// driverName is the name under which the SQLite of this platform stands with
// database/sql. The usual one does not build for AIX.
const driverName = "sqlite3"

// journalMode is a rollback journal here: this SQLite shares no memory between
// processes on AIX, without which its WAL would serve a single one. Readers
// wait for the writer, and the writer for them. Its lock is a file beside the
// ledger's (build tag sqlite3_dotlk); one that a process left which has ended
// is taken away by the next.
const journalMode = "DELETE"

// resultCode gives the extended result code of SQLite (sqlite.org/rescode.html)
// that lies under an error; 0: there is none.
func resultCode(err error) int {
	var failed *sqlite3.Error
	if errors.As(err, &failed) {
		return int(failed.ExtendedCode())
	}
	return 0
}
