package host

import (
	"fmt"

	"github.com/mqhk/mqhk/plugins/serve"
)

// Protocol is the version of the protocol that this host speaks.
const Protocol = serve.ProtocolVersion

// Hash gives the SHA-256 of a file in lower-case hex, as a start would hold it
// against the lock. What is no regular file is refused and not waited for.
func Hash(path string) (string, error) {
	file, err := openFile(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	sum, err := hashOf(file)
	if err != nil {
		return "", fmt.Errorf("reading the plugin's file %s: %w", path, err)
	}
	return sum, nil
}

// HashError says that a file is not the one that was meant.
type HashError struct {
	Path string
	Got  string // the file's SHA-256
	Want string // what the source says
}

func (e *HashError) Error() string {
	return fmt.Sprintf("the file %s is not the one that was locked: its SHA-256 is %s, the lock says %s", e.Path, e.Got, e.Want)
}
