package report

import (
	"fmt"
	"strings"
)

// sizesNote states the base of every size in a report for people. JSON has
// exact bytes.
const sizesNote = "Sizes: 1 KiB is 1024 bytes, 1 MiB is 1024 KiB, 1 GiB is 1024 MiB, 1 TiB is 1024 GiB."

// size writes bytes in the largest binary unit of which there is at least
// one, with one decimal: "800.0 MiB". The last digit is cut off, not rounded,
// so that no report promises more room than there will be.
func size(bytes int64) string {
	if bytes < 0 {
		return "-" + size(-max(bytes, -1<<62))
	}
	units := []string{"KiB", "MiB", "GiB", "TiB"}
	if bytes < 1<<10 {
		return fmt.Sprintf("%d B", bytes)
	}
	unit := 0
	for unit+1 < len(units) && bytes>>(10*(unit+2)) > 0 {
		unit++
	}
	base := int64(1) << (10 * (unit + 1))
	return fmt.Sprintf("%d.%d %s", bytes/base, bytes%base*10/base, units[unit])
}

// Size writes bytes for people as reports do, the last digit cut off: "800.0 MiB".
func Size(bytes int64) string { return size(bytes) }

// exactSize is [size] with the bytes behind it.
func exactSize(bytes int64) string {
	if bytes > -1<<10 && bytes < 1<<10 {
		return fmt.Sprintf("%d bytes", bytes)
	}
	return fmt.Sprintf("%s (%d bytes)", size(bytes), bytes)
}

// segmentSize is [size] of one log piece: it is never empty, so 0 means that
// its size is not known or that it is not on the system.
func segmentSize(bytes int64) string {
	if bytes == 0 {
		return "-"
	}
	return size(bytes)
}

// count writes "1 receiver", "3 receivers".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %s", n, plural(noun))
}

func plural(noun string) string {
	if base, ok := strings.CutSuffix(noun, "y"); ok && !strings.HasSuffix(base, "e") {
		return base + "ies"
	}
	return noun + "s"
}
