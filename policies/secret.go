package policies

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// redacted stands for every secret, whoever prints it and how.
const redacted = "(secret)"

// Secret is a value that came from env("NAME") or file("path"). It can't
// print itself: every verb of fmt, JSON, text and slog give "(secret)".
type Secret struct {
	// A function, since a printer that reflects over unexported fields shows
	// no more of it than an address.
	reveal func() string
	from   string // the call that brought it in; the name is no secret
}

// Reveal gives the value, for the one place that sends it. The zero Secret is
// empty.
func (s Secret) Reveal() string {
	if s.reveal == nil {
		return ""
	}
	return s.reveal()
}

// From gives the call that brought the secret in, such as env("MQ_PASSWORD").
func (s Secret) From() string { return s.from }

// String gives "(secret)".
func (s Secret) String() string { return redacted }

// Format writes "(secret)" for every verb, %#v and %x included.
func (s Secret) Format(state fmt.State, _ rune) { io.WriteString(state, redacted) }

// MarshalText gives "(secret)"; encoding/json uses it too.
func (s Secret) MarshalText() ([]byte, error) { return []byte(redacted), nil }

// LogValue gives "(secret)".
func (s Secret) LogValue() slog.Value { return slog.StringValue(redacted) }

func newSecret(function, argument, value string) Secret {
	return Secret{func() string { return value }, fmt.Sprintf("%s(%q)", function, argument)}
}

// secretFunctions are the functions of the language.
var secretFunctions = []string{"env", "file"}

// longestSecret is how many bytes a secret file may have; a key is smaller.
const longestSecret = 64 << 10

// readEnv reads an environment variable. Set but empty is a mistake too: it
// is how a forgotten export looks.
func readEnv(name string) (Secret, error) {
	value := os.Getenv(name)
	if value == "" {
		return Secret{}, fmt.Errorf("environment variable %q is not set or empty", name)
	}
	return newSecret("env", name, value), nil
}

// readSecretFile reads a file; a relative path starts from dir. One newline
// at the end is not part of the secret. open tells that users beyond the
// owner and the group can read the file.
func readSecretFile(dir, path string) (secret Secret, open bool, err error) {
	full := path
	if !filepath.IsAbs(full) {
		full = filepath.Join(dir, full)
	}
	info, err := os.Stat(full)
	switch {
	case err != nil:
		return Secret{}, false, fmt.Errorf("secret file: %w", err)
	case !info.Mode().IsRegular():
		return Secret{}, false, fmt.Errorf("secret file %s is not a regular file", full)
	case info.Size() > longestSecret:
		return Secret{}, false, fmt.Errorf("secret file %s has more than %d bytes", full, longestSecret)
	}
	text, err := os.ReadFile(full)
	if err != nil {
		return Secret{}, false, fmt.Errorf("secret file: %w", err)
	}
	value := strings.TrimSuffix(strings.TrimSuffix(string(text), "\n"), "\r")
	if value == "" {
		return Secret{}, false, fmt.Errorf("secret file %s is empty", full)
	}
	// Windows has no such bits; Go shows them as set there.
	open = runtime.GOOS != "windows" && info.Mode().Perm()&0o004 != 0
	return newSecret("file", path, value), open, nil
}
