//go:build !aix

package ledger

import (
	"errors"

	"modernc.org/sqlite"
)

// driverName is the name under which the SQLite of this platform stands with
// database/sql.
const driverName = "sqlite"

// journalMode lets readers read while one process writes.
const journalMode = "WAL"

// resultCode gives the extended result code of SQLite (sqlite.org/rescode.html)
// that lies under an error; 0: there is none.
func resultCode(err error) int {
	var failed *sqlite.Error
	if errors.As(err, &failed) {
		return failed.Code()
	}
	return 0
}
