package main

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"time"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/plugins"
)

// folderLinked says that a directory is a link, behind which nothing is
// removed.
const folderLinked finding.Code = "fdc-directory-is-a-link"

const (
	// perAction is how many files one action names: few enough that its
	// evidence can be read, many enough that the ledger is not full of them.
	perAction = 200
	// actionWithin is how long an action may take.
	actionWithin = 5 * time.Minute
)

// planner makes the plan of one target.
type planner struct {
	queueManager string
	may          rule
	host         plugins.Host
	made         plugins.Plan
	parents      map[string][]observe.ListedFile // that were listed already
}

func newPlanner(queueManager string, may rule, host plugins.Host) *planner {
	return &planner{queueManager: queueManager, may: may, host: host, parents: make(map[string][]observe.ListedFile)}
}

func (p *planner) plan(ctx context.Context) (plugins.Plan, error) {
	found, err := folders(ctx, p.host, p.queueManager)
	if unanswered := new(observe.NotAnswered); errors.As(err, &unanswered) {
		p.find(finding.New(finding.NotAnswered, "%s: %v", p.queueManager, unanswered))
		return p.made, nil
	}
	if err != nil {
		return plugins.Plan{}, err
	}
	for i, folder := range found {
		p.host.Progress(int64(i), int64(len(found)), folder)
		if err := p.look(ctx, folder); err != nil {
			return plugins.Plan{}, err
		}
	}
	return p.made, nil
}

func (p *planner) find(f finding.Finding) { p.made.Findings = append(p.made.Findings, f) }

// look plans one directory. That one can't be listed leaves it alone and is
// told; the error is that of the context.
func (p *planner) look(ctx context.Context, folder string) error {
	if p.linked(ctx, folder) {
		p.find(finding.Finding{Severity: finding.Warning, Code: folderLinked,
			Text: fmt.Sprintf("%s: %s is a link: nothing is removed behind it", p.queueManager, folder)})
		return ctx.Err()
	}
	files, at, err := p.list(ctx, folder)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		p.find(finding.New(finding.NotChecked, "%s: %v", p.queueManager, err))
		return nil
	}
	p.write(folder, files, p.may.judge(files, at))
	return nil
}

// list gives what lies in a directory, and the moment by the clock of its
// system.
func (p *planner) list(ctx context.Context, folder string) ([]observe.ListedFile, time.Time, error) {
	question := observe.Question{Language: observe.LogDir, QueueManager: p.queueManager, Text: folder}
	answer, err := p.host.Ask(ctx, question)
	if err != nil {
		return nil, time.Time{}, err
	}
	files, err := observe.ParseListing(answer.Body)
	if err != nil {
		return nil, time.Time{}, fmt.Errorf("%s: %w", question, err)
	}
	return files, answer.At, nil
}

// linked tells whether a directory is a link, as far as the one above it can be
// listed. [openFolder] looks itself before anything is removed.
func (p *planner) linked(ctx context.Context, folder string) bool {
	parent := path.Dir(folder)
	files, listed := p.parents[parent]
	if !listed {
		var err error
		if files, _, err = p.list(ctx, parent); err != nil {
			p.host.Log().Debug("directory above not listed", "directory", parent, "err", err)
		}
		p.parents[parent] = files
	}
	return slices.ContainsFunc(files, func(f observe.ListedFile) bool {
		return f.Name == path.Base(folder) && f.Mode != "" && f.Mode[0] == 'l'
	})
}

// write adds a directory to the plan: what becomes of each file and why, and
// the actions that remove those that go, the oldest first.
func (p *planner) write(folder string, files []observe.ListedFile, list []judged) {
	var going []judged
	var bytes int64
	for _, f := range list {
		verdict := "keep"
		if f.goes {
			verdict = "delete"
			going = append(going, f)
			bytes += f.Bytes
		}
		p.made.Objects = append(p.made.Objects, plugins.Object{
			Kind: "file", Name: path.Join(folder, f.Name), Owner: f.Owner, Verdict: verdict, Reason: f.why,
			Facts: map[string]string{"bytes": strconv.FormatInt(f.Bytes, 10), "kind": f.kind},
		})
	}
	p.host.Log().Info("directory listed", "directory", folder, "files", len(files), "of the kinds", len(list), "go", len(going), "bytes", bytes)
	slices.Reverse(going)
	for some := range slices.Chunk(going, perAction) {
		p.made.Actions = append(p.made.Actions, p.action(folder, some))
	}
}

// action removes some files of one directory.
func (p *planner) action(folder string, files []judged) plugins.Action {
	action := plugins.Action{
		ID:           fmt.Sprintf("remove-%d", len(p.made.Actions)+1),
		QueueManager: p.queueManager,
		Kind:         plugins.KindCustom,
		Object:       folder,
		Within:       actionWithin,
	}
	var bytes int64
	for _, f := range files {
		action.Items = append(action.Items, itemOf(folder, f.ListedFile).String())
		bytes += f.Bytes
	}
	action.Reason = fmt.Sprintf("%s, %s, not written for %s or longer; of each kind stay the newest: %d",
		counted(len(files), "file"), counted(bytes, "byte"), inWords(p.may.minAge), p.may.keepNewest)
	return action
}
