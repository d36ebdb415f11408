package connect

import (
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"fmt"
	"regexp"

	"github.com/mqhk/mqhk/core/cl"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
)

// mostText is how many characters the text of an object has (CL, parameter
// TEXT).
const mostText = 50

// ownSaveFile is the form of the names that only mqhk gives to save files.
var ownSaveFile = regexp.MustCompile(`^MQHK[A-Z2-7]{6}$`)

// saveFileName gives the name of a receiver's save file: MQHK and six
// characters of a hash over queue manager, library and name. It is the same
// each time, so that what a killed run has left is found and may go; it is not
// the receiver's own name, which a site may give to a save file of its own, and
// which the receivers of other queue managers have too.
func saveFileName(id recovery.SegmentID) string {
	sum := sha256.Sum256([]byte(id.QueueManager + "\x00" + id.Library + "\x00" + id.Name))
	return "MQHK" + base32.StdEncoding.EncodeToString(sum[:5])[:6]
}

// saveFileText says for people what a save file holds: "mqhk: LIBRARY/RECEIVER
// of QUEUEMANAGER". A long name of a queue manager is cut.
func saveFileText(id recovery.SegmentID) string {
	text := []rune(fmt.Sprintf("mqhk: %s/%s of %s", id.Library, id.Name, id.QueueManager))
	return string(text[:min(mostText, len(text))])
}

// saves is a receiver's save file with the commands that have to do with it.
type saves struct {
	file                          cl.Qualified
	create, save, restore, delete plugins.Command
}

// savesOf gives a receiver the save file that is its own, in the library of a
// store.
func savesOf(id recovery.SegmentID, store Store) (saves, error) {
	switch {
	case store.Kind == "external":
		return saves{}, ErrSiteSaves
	case store.Library == "":
		return saves{}, ErrNoLibrary
	}
	file := cl.Qualified{Library: store.Library, Name: saveFileName(id)}
	names := []string{id.Name}
	create, err1 := cl.CreateSaveFile(file, saveFileText(id))
	save, err2 := cl.SaveReceivers(id.Library, names, file)
	restore, err3 := cl.RestoreReceivers(id.Library, names, file)
	remove, err4 := cl.DeleteFile(file)
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		return saves{}, err
	}
	return saves{file, statement(id, create), statement(id, save), statement(id, restore), statement(id, remove)}, nil
}
