package qmgr

import (
	"github.com/mqhk/mqhk/core/mqini"
	"github.com/mqhk/mqhk/core/sim/engine"
	"github.com/mqhk/mqhk/core/sim/multi/objects"
)

// files says where a queue manager's objects are below its data folder
// ("Directory structure on AIX and Linux systems"; the checkpoint file:
// reference, Multiplatforms 4.6 item 103).
type files struct{}

var _ engine.Files = files{}

// checkpointFile tells a start where to begin in the log. It belongs to the
// data: restored with them, newer logs can be applied (SEED 7.5.1).
const checkpointFile = "amqalchk.fil"

// foldersOf are those of the kinds of objects. What is not among them has the
// kind's own name.
var foldersOf = map[engine.Kind]string{
	engine.Queue:          "queues",
	objects.RemoteQueue:   "queues",
	objects.AliasQueue:    "queues",
	objects.ModelQueue:    "queues",
	objects.Process:       "procdef",
	objects.Namelist:      "namelist",
	objects.Channel:       "channel",
	objects.ClientChannel: "clntconn",
	objects.Listener:      "listener",
	objects.Service:       "services",
	objects.Topic:         "topic",
	objects.AuthInfo:      "authinfo",
	objects.CommInfo:      "comminfo",
	objects.QueueManager:  "qmanager",
	objects.Catalogue:     "qmanager",
	objects.SyncFile:      "channel",

	objects.ClientChannelTable: "@ipcc",
	objects.Subscription:       "subscription",
}

// theOnly are the files of objects that a queue manager has once.
var theOnly = map[engine.Kind]string{
	objects.QueueManager: "QMANAGER",
	objects.Catalogue:    "QMQMOBJCAT",
	objects.SyncFile:     "AMQRSYNA.DAT",

	objects.ClientChannelTable: "AMQCLCHL.TAB",
}

// otherFolders are those without objects. A start misses them too: a backup
// that left empty folders out is no backup (SEED 7.4.1).
var otherFolders = []string{"errors", "ssl", "startprm", "plugcomp", "@ipcc", "@qmpersist", "shmem"}

// Object gives the file of an object: queues/QL!A/q, procdef/P, and so on. A
// queue of any kind has a folder; its kinds are told apart by the file, since
// a remote queue and a local one may not have the same name, but one may be
// defined while a backup has the other.
func (files) Object(ref engine.Ref) string {
	if name, ok := theOnly[ref.Kind]; ok {
		return foldersOf[ref.Kind] + "/" + name
	}
	name := mqini.MangledName(ref.Name)
	folder, ok := foldersOf[ref.Kind]
	switch {
	case !ok:
		return string(ref.Kind) + "/" + name
	case folder != "queues":
		return folder + "/" + name
	case ref.Kind == engine.Queue:
		return "queues/" + name + "/q"
	}
	return "queues/" + name + "/" + string(ref.Kind)
}

// Control gives the checkpoint file.
func (files) Control() string { return checkpointFile }

// Folders gives those that have to be there.
func (files) Folders() []string {
	all := append([]string{}, otherFolders...)
	seen := map[string]bool{}
	for _, kind := range kindsWithFolders {
		if f := foldersOf[kind]; !seen[f] {
			seen[f] = true
			all = append(all, f)
		}
	}
	return all
}

// kindsWithFolders are in the order in which crtmqm makes their folders.
var kindsWithFolders = []engine.Kind{
	objects.AuthInfo, objects.Channel, objects.ClientChannel, objects.CommInfo, objects.Listener, objects.Namelist, objects.Process,
	objects.QueueManager, engine.Queue, objects.Service, objects.Topic, objects.Subscription,
}
