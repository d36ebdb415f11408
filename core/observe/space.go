package observe

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// systemPool is the number of the system ASP, mostPools the highest that an
// ASP has.
const (
	systemPool = 1
	mostPools  = 255
)

// PoolSpace is the room in a file system or auxiliary storage pool, in bytes.
type PoolSpace struct {
	Size, Free int64
	Unlimited  bool // it has no limit; Size and Free are 0
}

// ReadSpace asks how much room an ASP of the target's system has: by the view
// SPACE, else by QSYS2.ASP_INFO. An error says why neither tells; the number
// must be known (1 to 255).
func ReadSpace(ctx context.Context, asker Asker, target Target, asp int) (PoolSpace, error) {
	if asp < systemPool || asp > mostPools {
		return PoolSpace{}, errors.New("the receivers' auxiliary storage pool is not known (JOURNAL_RECEIVER_ASP_NUMBER)")
	}
	name := strconv.Itoa(asp)
	if asp == systemPool {
		name = "*SYSTEM"
	}
	view := Question{Language: Space, QueueManager: target.Name, Text: name}
	answer, err := asker.Ask(ctx, view)
	if err == nil {
		space, err := parseSpace(answer.Body)
		if err != nil {
			return PoolSpace{}, fmt.Errorf("%s: %w", view, err)
		}
		return space, nil
	}
	service := Question{Language: SQL, QueueManager: target.Name, Text: fmt.Sprintf("QSYS2.ASP_INFO ASP_NUMBER='%d'", asp)}
	answer, serviceErr := asker.Ask(ctx, service)
	if serviceErr != nil {
		return PoolSpace{}, fmt.Errorf("%w; %w", err, serviceErr)
	}
	space, err := readPool(answer.Body, asp)
	if err != nil {
		return PoolSpace{}, fmt.Errorf("%s: %w", service, err)
	}
	return space, nil
}

// parseSpace reads an answer to SPACE: a line "size BYTES" and a line "free
// BYTES", or *NOMAX where there is no limit. Other lines are passed over; a
// number that stands twice, or more free than there is, is an error.
func parseSpace(body []byte) (PoolSpace, error) {
	values := make(map[string]string)
	for line := range strings.Lines(string(body)) {
		words := strings.Fields(strings.ToLower(line))
		if len(words) < 2 || words[0] != "size" && words[0] != "free" {
			continue
		}
		if _, twice := values[words[0]]; twice {
			return PoolSpace{}, fmt.Errorf("it gives %s twice", words[0])
		}
		if len(words) > 2 && (len(words) > 3 || words[2] != "bytes") {
			return PoolSpace{}, fmt.Errorf("%q is no number of bytes", strings.TrimSpace(line))
		}
		values[words[0]] = words[1]
	}
	if values["size"] == "*nomax" && values["free"] == "*nomax" {
		return PoolSpace{Unlimited: true}, nil
	}
	size, errSize := strconv.ParseUint(values["size"], 10, 63)
	free, errFree := strconv.ParseUint(values["free"], 10, 63)
	if errSize != nil || errFree != nil || free > size {
		return PoolSpace{}, fmt.Errorf("size %q and free %q are not those of a pool", values["size"], values["free"])
	}
	return PoolSpace{Size: int64(size), Free: int64(free)}, nil
}

// million is the unit of the capacities in ASP_INFO (Db2 for i services); the
// smaller reading of "megabytes", since more room than there is must not be
// believed in.
const million = 1_000_000

// readPool reads the row of one pool in an answer to ASP_INFO.
func readPool(body []byte, asp int) (PoolSpace, error) {
	t, err := ReadTable(body)
	if err != nil {
		return PoolSpace{}, err
	}
	if missing := t.Missing("ASP_NUMBER", "TOTAL_CAPACITY", "TOTAL_CAPACITY_AVAILABLE"); len(missing) > 0 {
		return PoolSpace{}, &columnsMissing{missing}
	}
	for _, row := range t.Rows() {
		if number, err := readNumber(row, "ASP_NUMBER"); err != nil || number != uint64(asp) {
			continue
		}
		size, errSize := readNumber(row, "TOTAL_CAPACITY")
		free, errFree := readNumber(row, "TOTAL_CAPACITY_AVAILABLE")
		if err := errors.Join(errSize, errFree); err != nil {
			return PoolSpace{}, fmt.Errorf("line %d: %w", row.Line, err)
		}
		if size == 0 || free > size || size > 1<<40 {
			return PoolSpace{}, fmt.Errorf("line %d: %d of %d million bytes free is no room of a pool", row.Line, free, size)
		}
		return PoolSpace{Size: int64(size) * million, Free: int64(free) * million}, nil
	}
	return PoolSpace{}, fmt.Errorf("it has no row for ASP %d", asp)
}
