package transcript

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// base64Width is the length of a written BASE64 line, that of MIME.
const base64Width = 76

// decode reads a BASE64 body, which may be broken into lines of any length.
// Nothing at all is no body: a file that was cut after the header looks so.
func decode(text []byte) ([]byte, error) {
	packed := strings.Join(strings.Fields(string(text)), "")
	if packed == "" {
		return nil, errors.New("there is none: was the file cut?")
	}
	body, err := base64.StdEncoding.Strict().DecodeString(packed)
	if err != nil {
		return nil, fmt.Errorf("was the file cut? %w", err)
	}
	return body, nil
}

// textual tells whether a body can be written as lines and read back the
// same: UTF-8, line ends of one byte, and one at the end.
func textual(body []byte) bool {
	return len(body) == 0 || utf8.Valid(body) && !bytes.ContainsRune(body, '\r') && bytes.HasSuffix(body, []byte("\n"))
}

// escape writes lines as a body, with a backslash before those that begin
// with the mark or a backslash.
func escape(body []byte) []byte {
	var out bytes.Buffer
	for line := range bytes.Lines(body) {
		if bytes.HasPrefix(line, []byte(mark)) || bytes.HasPrefix(line, []byte(`\`)) {
			out.WriteByte('\\')
		}
		out.Write(line)
	}
	return out.Bytes()
}

// encode writes bytes as lines of BASE64.
func encode(body []byte) []byte {
	packed := base64.StdEncoding.EncodeToString(body)
	var out bytes.Buffer
	for len(packed) > base64Width {
		out.WriteString(packed[:base64Width])
		out.WriteByte('\n')
		packed = packed[base64Width:]
	}
	out.WriteString(packed)
	out.WriteByte('\n')
	return out.Bytes()
}
