package roster

import (
	"errors"
	"io/fs"
	"os"
)

// look tells what keeps a file from being run, beside its hash. A link is
// followed: what it leads to is what is opened, hashed and run.
func look(path string) (State, string) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, err := os.Lstat(path); err == nil {
			return Broken, path + " is a link that leads nowhere"
		}
		return Missing, "there is no file " + path
	case err != nil:
		return Broken, err.Error()
	case !info.Mode().IsRegular():
		return Broken, path + " is not a regular file"
	}
	if state, why := exposed(path); state != "" {
		return state, why
	}
	if !executable(path) {
		return NotExecutable, path + " can't be executed by this user: chmod +x"
	}
	return "", ""
}
