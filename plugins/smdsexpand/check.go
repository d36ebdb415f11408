package smdsexpand

import (
	"context"
	"fmt"
	"strings"

	"github.com/mqhk/mqhk/plugins"
)

// Check looks at what the schema can't: the names of data sets, and limits that
// contradict each other.
func (p Plugin) Check(_ context.Context, request plugins.Request) []plugins.Complaint {
	var complaints []plugins.Complaint
	complain := func(path, format string, args ...any) {
		complaints = append(complaints, plugins.Complaint{Path: path, Text: fmt.Sprintf(format, args...)})
	}
	c := configOf(request.Config)
	for _, name := range c.again {
		structure, owner, ok := strings.Cut(name, "/")
		if !ok || !mqName.MatchString(structure) || !mqName.MatchString(owner) {
			complain("expand_again", "%q is not STRUCTURE/OWNER, such as APPSTR1/QMA1", name)
		}
	}
	if c.limits.extended < c.limits.plain {
		complain("largest_extended", "less than largest")
	}
	if c.volumes > c.limits.volumes {
		complain("volumes", "more than volumes_at_most")
	}
	return complaints
}
