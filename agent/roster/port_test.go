package roster

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCheckPort(t *testing.T) {
	elf := func(order, machine string) string {
		return "\x7fELF\x02" + order + strings.Repeat("\x00", 12) + machine
	}
	for _, test := range []struct{ content, platform, want string }{
		{elf("\x01", "\x3e\x00"), "linux/amd64", ""},
		{elf("\x01", "\xb7\x00"), "linux/arm64", ""},
		{elf("\x01", "\x15\x00"), "linux/ppc64le", ""},
		{elf("\x02", "\x00\x16"), "linux/s390x", ""},
		{elf("\x01", "\x3e\x00"), "aix/ppc64", "is linux/amd64, and no program for aix/ppc64"},
		{elf("\x01", "\xf3\x00"), "linux/amd64", "is for EM_RISCV"},
		{"\x01\xf7 and so on, for twenty bytes", "aix/ppc64", ""},
		{"\xcf\xfa\xed\xfe and so on, for twenty bytes", "darwin/arm64", ""},
		{"MZ", "windows/amd64", ""},
		{"#!/bin/sh\n", "aix/ppc64", ""},
		{"hello", "aix/ppc64", "of no format that is known"},
		{"#!/bin/sh\n", "aix/ppc65", `does not run on "aix/ppc65"`},
	} {
		path := filepath.Join(t.TempDir(), "mqhk-plugin-fdc")
		if err := os.WriteFile(path, []byte(test.content), 0o600); err != nil {
			t.Fatal(err)
		}
		got := checkPort(path, test.platform)
		if (got == "") != (test.want == "") || !strings.Contains(got, test.want) {
			t.Errorf("%q on %s: %q, want %q", test.content, test.platform, got, test.want)
		}
	}
}
