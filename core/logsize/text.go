package logsize

import "fmt"

// bytesText writes a number of bytes for people: exactly, and in a unit that
// says how many that are. The last digit is cut off.
func bytesText(n int64) string {
	units := []string{"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}
	if n < 10<<10 {
		return fmt.Sprintf("%d bytes", n)
	}
	i, base := 0, int64(1<<10)
	for n/base >= 1<<10 {
		i, base = i+1, base<<10
	}
	return fmt.Sprintf("%d bytes (%d.%d %s)", n, n/base, n%base*10/base, units[i])
}

func floatText(f float64) string { return bytesText(clamp(f)) }

func rateText(f float64) string { return floatText(f) + " a second" }
