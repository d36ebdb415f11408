package smdsexpand

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/mqhk/mqhk/core/observe/qsg"
)

// notKnown stands for what nobody answered.
const notKnown = "not known"

// plural counts things for people.
func plural(n int64, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// printed writes a number, or that it is not known.
func printed(n qsg.Number) string {
	if !n.Known {
		return notKnown
	}
	return strconv.FormatInt(n.Value, 10)
}

// listed names the first of many.
func listed(names []string) string {
	const most = 4
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}
