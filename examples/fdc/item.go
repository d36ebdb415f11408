package main

import (
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/plugins"
)

// item is a file as the plan saw it. Its text is what an action names it by,
// and all that Perform goes by.
type item struct {
	folder, name string
	bytes        int64
	modified     time.Time // in UTC
}

func itemOf(folder string, f observe.ListedFile) item {
	return item{folder, f.Name, f.Bytes, f.Modified.UTC()}
}

// String gives the path, size and time.
func (i item) String() string {
	return path.Join(i.folder, i.name) + " " + i.look()
}

// look is what must be the same when the file is looked at once more.
func (i item) look() string {
	return fmt.Sprintf("bytes=%d modified=%s", i.bytes, i.modified.Format(time.RFC3339Nano))
}

// itemText is the form of String.
var itemText = regexp.MustCompile(`^(/.*) bytes=([0-9]+) modified=(\S+)$`)

// parseItem reads what String wrote, and nothing that only resembles it.
func parseItem(text string) (item, error) {
	found := itemText.FindStringSubmatch(text)
	if found == nil {
		return item{}, fmt.Errorf("%q is no path with size and time", text)
	}
	bytes, err := strconv.ParseInt(found[2], 10, 64)
	modified, unread := time.Parse(time.RFC3339Nano, found[3])
	if err := errors.Join(err, unread); err != nil {
		return item{}, fmt.Errorf("%q is no path with size and time: %w", text, err)
	}
	i := item{path.Dir(found[1]), path.Base(found[1]), bytes, modified.UTC()}
	if i.String() != text {
		return item{}, fmt.Errorf("%q is not written as this plugin writes it", text)
	}
	return i, nil
}

// itemsOf reads the items of an action, and refuses all of them where one is
// not a file that may go: the plan has been in other hands since.
func itemsOf(action plugins.Action, folders []string) ([]item, error) {
	if !slices.Contains(folders, action.Object) {
		return nil, fmt.Errorf("%q is no directory of reports of queue manager %s", action.Object, action.QueueManager)
	}
	items := make([]item, 0, len(action.Items))
	for _, text := range action.Items {
		i, err := parseItem(text)
		switch {
		case err != nil:
			return nil, err
		case i.folder != action.Object:
			return nil, fmt.Errorf("%s is not in %s", i, action.Object)
		case kindOf(i.name) == "":
			return nil, fmt.Errorf("%s is of no kind that may go", i)
		}
		items = append(items, i)
	}
	return items, nil
}
