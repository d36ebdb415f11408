package observe

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/mqhk/mqhk/core/finding"
)

const rfc3339 = time.RFC3339

// doubt notes something that a plan can do without but a person should know was
// not looked at.
func (g *extentGatherer) doubt(format string, args ...any) {
	g.doubts = append(g.doubts, fmt.Sprintf(format, args...))
}

// noteUnlooked says what could not be checked, in one finding.
func (g *extentGatherer) noteUnlooked() {
	if g.observed.IsZero() {
		g.doubt("when the answers were given (CLOCK)")
	}
	if len(g.doubts) > 0 {
		g.open(finding.NotChecked, "not checked: %s", strings.Join(g.doubts, "; "))
	}
}

// readFileSystem notes how much room the file system of the log has: by the view
// SPACE, else by LOGFSSZ, in megabytes, and LOGFSUSE, in per cent.
func (g *extentGatherer) readFileSystem() {
	log := &g.facts.Log
	if space, err := ReadPathSpace(g.ctx, g.asker, g.target, log.Directory); err == nil {
		log.Size, log.Free = space.Size, space.Free
		return
	}
	total, _ := g.status.tells("LOGFSSZ")
	used, _ := g.status.tells("LOGFSUSE")
	size, errSize := strconv.ParseInt(total, 10, 40)
	percent, errUsed := strconv.ParseInt(used, 10, 8)
	if errSize == nil && errUsed == nil && size > 0 && percent >= 0 && percent <= 100 {
		log.Size = size << 20
		log.Free = log.Size / 100 * (100 - percent)
	}
}

// ReadPathSpace asks how much room the file system has in which a directory
// lies, by the view SPACE. An error says why that is not told.
func ReadPathSpace(ctx context.Context, asker Asker, target Target, path string) (PoolSpace, error) {
	view := Question{Language: Space, QueueManager: target.Name, Text: path}
	answer, err := asker.Ask(ctx, view)
	if err != nil {
		return PoolSpace{}, err
	}
	space, err := parseSpace(answer.Body)
	if err != nil {
		return PoolSpace{}, fmt.Errorf("%s: %w", view, err)
	}
	return space, nil
}

// counted writes a number with its noun: 1 extent, 2 extents, 2 copies.
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if stem, y := strings.CutSuffix(noun, "y"); y {
		return strconv.Itoa(n) + " " + stem + "ies"
	}
	return strconv.Itoa(n) + " " + noun + "s"
}
