package qmgr

import (
	"regexp"
	"strconv"
	"time"

	"github.com/mqhk/mqhk/core/sim/engine"
)

var zeroTime time.Time

var numbers = regexp.MustCompile(`\d+`)

// offsets gives the numbers in a text.
func offsets(text string) []int64 {
	var all []int64
	for _, digits := range numbers.FindAllString(text, -1) {
		if n, err := strconv.ParseInt(digits, 10, 64); err == nil {
			all = append(all, n)
		}
	}
	return all
}

// text makes a persistent message.
func text(body string) engine.Message { return engine.Message{Persistent: true, Body: []byte(body)} }
