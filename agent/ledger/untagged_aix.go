//go:build !sqlite3_dotlk

package ledger

// Without this tag the SQLite of AIX takes no locks on files, and two processes
// would write the ledger at once. So there is no such build.
var _ = build_for_AIX_with_the_tag_sqlite3_dotlk
