package store

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"strconv"

	"github.com/mqhk/mqhk/core/recovery"
)

// columns are those of the answer to the question STORE: manifests
// (docs/transcript.md).
var columns = []string{"STORE", "QUEUE_MANAGER", "LIBRARY", "SEGMENT", "OPENED", "CLOSED", "FIRST", "LAST", "BYTES", "SHA256", "VERIFIED", "INCARNATION"}

// Manifests answers the question STORE: manifests of one queue manager over
// several stores, as CSV. A copy that lost its content stands in it with
// VERIFIED NO and counts as none.
//
// What can't be read is an error, beside the rows of what can: who asked must
// then be told that the question failed, or a copy that is there would pass
// for one that is not.
func Manifests(ctx context.Context, stores []Store, queueManager string) ([]byte, error) {
	if queueManager == "" {
		return nil, errors.New("manifests: of no queue manager")
	}
	var body bytes.Buffer
	w := csv.NewWriter(&body)
	problems := []error{w.Write(columns)}
	for _, s := range stores {
		for c, err := range s.List(ctx, queueManager) {
			if err == nil {
				err = w.Write(row(c))
			}
			problems = append(problems, err)
		}
	}
	w.Flush()
	if err := errors.Join(append(problems, w.Error())...); err != nil {
		return body.Bytes(), fmt.Errorf("manifests of %s: %w", queueManager, err)
	}
	return body.Bytes(), nil
}

func row(c recovery.Copy) []string {
	verified := "NO"
	if c.Verified {
		verified = "YES"
	}
	return []string{
		c.Store, c.Segment.QueueManager, c.Segment.Library, c.Segment.Name, c.Opened, c.Closed, c.From, c.To,
		strconv.FormatInt(c.Bytes, 10), c.SHA256, verified, c.Incarnation,
	}
}
