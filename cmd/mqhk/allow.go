package main

import (
	"github.com/mqhk/mqhk/plugins/archive"
	"github.com/mqhk/mqhk/plugins/cfbackup"
	"github.com/mqhk/mqhk/plugins/journal"
	"github.com/mqhk/mqhk/plugins/smdsexpand"
	"github.com/mqhk/mqhk/policies"
)

// builtinAllow is what the built-in plugins may do where a task does not say:
// what they plan, and nothing else.
func builtinAllow() map[string]policies.Capabilities {
	return map[string]policies.Capabilities{
		// A new receiver, then the images that are to lie in it.
		journal.Name: append(policies.Commands("CHGJRN", "RCDMQMIMG"), policies.Actions(policies.AllowArchive, policies.AllowDelete)...),
		archive.Name: append(policies.Commands("RCDMQIMG"),
			policies.Actions(policies.AllowArchive, policies.AllowMarkArchived, policies.AllowDelete)...),
		// The second only where the task makes a recovery set.
		cfbackup.Name: policies.Commands("BACKUP CFSTRUCT", "ARCHIVE LOG"),
		// DSBUFS and DSEXPAND, where its settings say so.
		smdsexpand.Name: policies.Commands("ALTER SMDS"),
	}
}
