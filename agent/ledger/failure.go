package ledger

import (
	"errors"
	"fmt"
)

// What can be wrong with a ledger's file. Each is found by errors.Is in the
// errors of every function; their texts say what to do.
var (
	ErrNone     = errors.New("there is no ledger here")
	ErrBusy     = errors.New("another process keeps the ledger locked; see which mqhk is running, and try again when it has ended")
	ErrFull     = errors.New("the ledger can't grow: its file system is full or a quota is reached; make room, nothing was recorded and nothing may be done before it is")
	ErrReadOnly = errors.New("the ledger can't be written; check the owner and the rights of its folder and of all files in it, and that the file system is mounted for writing")
	ErrForeign  = errors.New("the file is not a ledger of mqhk; move it away or name another state folder")
	ErrDamaged  = errors.New("the ledger's file is damaged; keep a copy, put back a saved one or begin with an empty folder: the first run on each target is then a plan")
)

// Newer says that a later version of mqhk wrote the ledger.
type Newer struct {
	Have, Know int // schema version of the file, and the newest that this program knows
}

func (e *Newer) Error() string {
	return fmt.Sprintf("the ledger has schema version %d, this mqhk knows up to %d; use the newer mqhk, a ledger does not go back", e.Have, e.Know)
}

// The primary result codes of SQLite that a person can do something about
// (sqlite.org/rescode.html).
const (
	sqlitePerm     = 3
	sqliteBusy     = 5
	sqliteLocked   = 6
	sqliteReadOnly = 8
	sqliteCorrupt  = 11
	sqliteFull     = 13
	sqliteCantOpen = 14
	sqliteNotADB   = 26
)

// causes leads from a primary result code to what it means here.
var causes = map[int]error{
	sqlitePerm: ErrReadOnly, sqliteReadOnly: ErrReadOnly, sqliteCantOpen: ErrReadOnly,
	sqliteBusy: ErrBusy, sqliteLocked: ErrBusy,
	sqliteFull:    ErrFull,
	sqliteCorrupt: ErrDamaged,
	sqliteNotADB:  ErrForeign,
}

// explain adds to an error of the database what it means and what to do.
func explain(err error) error {
	if cause, ok := causes[resultCode(err)&0xff]; ok && !errors.Is(err, cause) {
		return fmt.Errorf("%w (%w)", cause, err)
	}
	return err
}
