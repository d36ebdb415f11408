package wire

import (
	"fmt"
	"math"
)

// small reads an enum whose Go type is a byte. A number that does not fit is
// from a newer sender; it becomes the zero value.
func small[T ~uint8, E ~int32](number E) T {
	if number < 0 || number > math.MaxUint8 {
		return 0
	}
	return T(number)
}

// whole reads a count. On a platform with an int of 32 bits it refuses what
// does not fit rather than let a large limit become a small one.
func whole(name string, number int64) (int, error) {
	if int64(int(number)) != number {
		return 0, fmt.Errorf("%s %d does not fit", name, number)
	}
	return int(number), nil
}
