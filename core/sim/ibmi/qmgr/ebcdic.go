package qmgr

import "golang.org/x/text/encoding/charmap"

// ebcdic encodes the characters of object names, digits and blanks in CCSID
// 37, the job's coded character set that AMQJRNINF is written with. What the
// set does not have becomes its substitute character.
func ebcdic(text string) []byte {
	const substitute = 0x3F
	encoded := make([]byte, 0, len(text))
	for _, r := range text {
		b, ok := charmap.CodePage037.EncodeRune(r)
		if !ok {
			b = substitute
		}
		encoded = append(encoded, b)
	}
	return encoded
}
