package host

import "io/fs"

// notAstray is nothing here: the temporary directory is a user's own.
const notAstray = 0

// oursAlone can't be told from a mode here.
func oursAlone(fs.FileInfo, fs.FileMode) bool { return true }
