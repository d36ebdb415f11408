package observe

// generated is a name that MQ gave to a receiver: AMQ, the letter of the
// journal, a digit that a restore raises and five that the system does (case 5;
// reference, IBM i 1.1).
type generated struct {
	letter        byte
	digit, number int
}

const (
	numbers = 100_000 // that the five digits count; what comes after 99999 keeps the digit before them or carries into it
	raises  = 10      // that the digit counts
)

// readName reads such a name; false where it is none.
func readName(name string) (generated, bool) {
	if len(name) != len("AMQA000000") || name[:3] != "AMQ" || name[3] < 'A' || name[3] > 'Z' {
		return generated{}, false
	}
	number := 0
	for _, c := range []byte(name[4:]) {
		if c < '0' || c > '9' {
			return generated{}, false
		}
		number = number*10 + int(c-'0')
	}
	return generated{name[3], number / numbers, number % numbers}, true
}

// isNeighbour tells whether the system may give one name step receivers after
// the other, step being 1 or -1: a restore or a carry may have raised the digit
// between them.
func isNeighbour(name, other string, step int) bool {
	a, okA := readName(name)
	b, okB := readName(other)
	if !okA || !okB || a.letter != b.letter || (a.number+step+numbers)%numbers != b.number {
		return false
	}
	raised := (step*(b.digit-a.digit) + raises) % raises
	return raised == 0 || raised == 1
}

// areAlike tells whether both are names that the system gives in one journal,
// so that one can be the neighbour of the other.
func areAlike(name, other string) bool {
	a, okA := readName(name)
	b, okB := readName(other)
	return okA && okB && a.letter == b.letter
}

// isAhead tells whether a receiver of one name comes after one of another:
// by the digit, and where that is the same by the number, each counted
// the shorter way round since both wrap. It is false, false where the names
// can't be compared.
func isAhead(name, other string) (ahead, known bool) {
	if !areAlike(name, other) {
		return false, false
	}
	a, _ := readName(name)
	b, _ := readName(other)
	if raised := (a.digit - b.digit + raises) % raises; raised != 0 {
		return raised < raises/2, true
	}
	by := (a.number - b.number + numbers) % numbers
	return by > 0 && by < numbers/2, true
}
