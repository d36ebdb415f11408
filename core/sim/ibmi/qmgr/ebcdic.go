package qmgr

// ebcdic encodes the characters of object names, digits and blanks in CCSID
// 37, the job's coded character set that AMQJRNINF is written with. What is
// none of them becomes the substitute character of that set.
func ebcdic(text string) []byte {
	encoded := make([]byte, len(text))
	for i := range len(text) {
		encoded[i] = ebcdicOf(text[i])
	}
	return encoded
}

func ebcdicOf(c byte) byte {
	switch {
	case c >= '0' && c <= '9':
		return 0xF0 + c - '0'
	case c >= 'A' && c <= 'I':
		return 0xC1 + c - 'A'
	case c >= 'J' && c <= 'R':
		return 0xD1 + c - 'J'
	case c >= 'S' && c <= 'Z':
		return 0xE2 + c - 'S'
	}
	if b, ok := ebcdicSigns[c]; ok {
		return b
	}
	return 0x3F // SUB
}

var ebcdicSigns = map[byte]byte{' ': 0x40, '*': 0x5C, '.': 0x4B, '_': 0x6D, '$': 0x5B, '#': 0x7B, '@': 0x7C}
