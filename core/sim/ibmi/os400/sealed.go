package os400

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"strconv"
)

// A file that grows by lines can be torn by a crash. Each line has the CRC-32C
// of its text in eight hexadecimal digits, a blank, and the text. Where lines
// are good only one behind the other, the checksum goes on from that of the
// line before.

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// seal gives a text as a line with its end, and its checksum. Before is the
// checksum that it goes on from; zero: none.
func seal(before uint32, text []byte) (line []byte, sum uint32) {
	sum = crc32.Update(before, castagnoli, text)
	return fmt.Appendf(make([]byte, 0, len(text)+10), "%08x %s\n", sum, text), sum
}

// unseal gives the text of a line without its end; false: it is not what was
// sealed.
func unseal(before uint32, line []byte) (text []byte, sum uint32, ok bool) {
	digits, text, ok := bytes.Cut(line, []byte(" "))
	if !ok || len(digits) != 8 {
		return nil, 0, false
	}
	want, err := strconv.ParseUint(string(digits), 16, 32)
	sum = crc32.Update(before, castagnoli, text)
	return text, sum, err == nil && want == uint64(sum)
}
