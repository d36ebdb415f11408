//go:build !unix

package ledger

import "io/fs"

// foreign can't be told here.
func foreign(fs.FileInfo) string { return "" }
