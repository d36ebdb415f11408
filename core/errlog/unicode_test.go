package errlog

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"
)

// What a Windows tool has copied as UTF-16 is read like any other log.
func TestScanUTF16(t *testing.T) {
	log := restart("QM1", "2026-05-01 10:00:00", "S0000128.LOG").asText(modern) + "日志 😀\n"
	for name, bytes := range map[string][2]int{"little": {0, 8}, "big": {8, 0}} {
		var wide strings.Builder
		for _, unit := range utf16.Encode([]rune("\ufeff" + log)) {
			wide.WriteByte(byte(unit >> bytes[0]))
			wide.WriteByte(byte(unit >> bytes[1]))
		}
		got := scan(t, wide.String())
		if len(got.records) != 1 || len(got.damage) != 1 || got.records[0].QueueManager != "QM1" {
			t.Errorf("%s: %+v", name, got)
		}
		plain, _ := plain(strings.NewReader(wide.String()))
		decoded, err := io.ReadAll(iotest.OneByteReader(plain))
		if err != nil || string(decoded) != log {
			t.Errorf("%s: %q, %v", name, decoded, err)
		}
	}
}
