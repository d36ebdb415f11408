package transcript

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Open reads the transcript in a file. Bodies that stand in files of their
// own are read from the same folder and from nowhere else: a link that leads
// out of it is refused. Errors in the text are a [SyntaxError].
func Open(path string) (*Transcript, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("opening transcript: %w", err)
	}
	defer file.Close()
	folder, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return nil, fmt.Errorf("opening the folder of transcript %s: %w", path, err)
	}
	defer folder.Close()
	return Parse(path, file, func(name string) ([]byte, error) { return readBeside(folder, name) })
}

// readBeside reads a regular file of the folder. A folder's root does not
// follow links out of it; the name itself may not be one at all, so that what
// is read is what was packed with the transcript.
func readBeside(folder *os.Root, name string) ([]byte, error) {
	info, err := folder.Lstat(name)
	if err != nil {
		return nil, err
	}
	if info.Mode()&fs.ModeType != 0 {
		return nil, errors.New("not a regular file")
	}
	file, err := folder.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	body, err := io.ReadAll(io.LimitReader(file, maxSize+1))
	if err != nil {
		return nil, err
	}
	if len(body) > maxSize {
		return nil, fmt.Errorf("more than %d MiB", maxSize>>20)
	}
	return body, nil
}
