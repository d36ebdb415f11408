package main

import (
	"context"
	"fmt"
	"path"
	"slices"

	"github.com/mqhk/mqhk/core/mqini"
	"github.com/mqhk/mqhk/core/observe"
)

// machineFile is asked for under its usual path; the connection knows where it
// is on this machine.
const machineFile = "/var/mqm/mqs.ini"

// folders gives the directories that are looked into, as mqs.ini tells them:
// errors and trace of the machine, where all its queue managers write reports,
// and errors of the queue manager itself. No path is made of a queue manager's
// name.
func folders(ctx context.Context, asker observe.Asker, queueManager string) ([]string, error) {
	question := observe.Question{Language: observe.File, QueueManager: queueManager, Text: machineFile}
	answer, err := asker.Ask(ctx, question)
	if err != nil {
		return nil, err
	}
	file := mqini.Parse(answer.Body)
	manager, err := mqini.FindManager(file, queueManager)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", machineFile, err)
	}
	var found []string
	if root := machineFolder(file); path.IsAbs(root) {
		found = append(found, path.Join(root, "errors"), path.Join(root, "trace"))
	}
	if data, ok := manager.DataDir(); ok && path.IsAbs(data) {
		found = append(found, path.Join(data, "errors"))
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("%s does not say where reports are written", machineFile)
	}
	slices.Sort(found)
	return slices.Compact(found), nil
}

// machineFolder gives the folder of the machine's data, in which errors and
// trace are; empty where mqs.ini does not say it, or says two things.
func machineFolder(file mqini.File) string {
	var found []mqini.Attribute
	for _, stanza := range file.All("AllQueueManagers") {
		found = append(found, stanza.All("DefaultPrefix")...)
	}
	if len(found) != 1 {
		return ""
	}
	return found[0].Value
}
