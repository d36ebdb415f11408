package roster

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// ports are the systems that mqhk is built for, and so those that a plugin of
// it can run on.
var ports = []string{"aix/ppc64", "darwin/arm64", "linux/amd64", "linux/arm64", "linux/ppc64le", "linux/s390x", "windows/amd64"}

// checkPort tells why a file can't be a plugin on a system that is not this
// one; empty: nothing speaks against it. A script may run anywhere.
func checkPort(path, platform string) string {
	if !slices.Contains(ports, platform) {
		return fmt.Sprintf("mqhk does not run on %q; it runs on %s", platform, strings.Join(ports, ", "))
	}
	file, err := os.Open(path)
	if err != nil {
		return "" // what keeps it from being read is said elsewhere
	}
	defer file.Close()
	head := make([]byte, 20)
	n, err := io.ReadFull(file, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return ""
	}
	if made := formatOf(head[:n]); made != "script" && made != platform {
		return fmt.Sprintf("%s is %s, and no program for %s", path, made, platform)
	}
	return ""
}

// formatOf tells by the first bytes of a file for which of the ports it is.
func formatOf(head []byte) string {
	switch {
	case bytes.HasPrefix(head, []byte("#!")):
		return "script"
	case bytes.HasPrefix(head, []byte(elf.ELFMAG)) && len(head) >= 20:
		return elfOf(head)
	case bytes.HasPrefix(head, []byte("MZ")):
		return "windows/amd64"
	case bytes.HasPrefix(head, []byte{0xcf, 0xfa, 0xed, 0xfe}): // 64 bits, little-endian
		return "darwin/arm64"
	case bytes.HasPrefix(head, []byte{0x01, 0xf7}): // XCOFF of 64 bits
		return "aix/ppc64"
	}
	return "of no format that is known"
}

// elfOf reads the machine of an ELF file: two bytes at 18, in its own order.
func elfOf(head []byte) string {
	var order binary.ByteOrder = binary.LittleEndian
	if elf.Data(head[elf.EI_DATA]) == elf.ELFDATA2MSB {
		order = binary.BigEndian
	}
	switch machine := elf.Machine(order.Uint16(head[18:])); machine {
	case elf.EM_X86_64:
		return "linux/amd64"
	case elf.EM_AARCH64:
		return "linux/arm64"
	case elf.EM_PPC64:
		return "linux/ppc64le"
	case elf.EM_S390:
		return "linux/s390x"
	default:
		return "for " + machine.String()
	}
}
