package cl

import (
	"errors"
	"fmt"
)

// DeleteOption is a check of DLTJRNRCV that is left out. Without one all are
// made: DLTOPT(*NONE).
type DeleteOption string

// The options of DLTJRNRCV. A misspelt one fails with CPF0006 and hides the
// true cause, so there are no others.
const (
	IgnoreInquiry      DeleteOption = "*IGNINQMSG"  // no CPA7025 (never saved) and no CPA705E (inactive remote journal)
	IgnoreTargets      DeleteOption = "*IGNTGTRCV"  // no check that remote journals have full copies
	IgnoreExitPrograms DeleteOption = "*IGNEXITPGM" // no exit programs; needs *ALLOBJ and *SECADM
)

// maxInOneSave is how many names OBJ() of SAVOBJ and RSTOBJ takes.
const maxInOneSave = 300

// DeleteReceiver gives DLTJRNRCV JRNRCV(library/name) DLTOPT(*NONE), or with
// the options given. The name is one receiver's: a generic one is an error.
// Receivers go oldest first, and the first failure is the last attempt (case 9).
func DeleteReceiver(library, name string, options ...DeleteOption) (Command, error) {
	receiver, err := object(library, name)
	if err != nil {
		return Command{}, fmt.Errorf("deleting a journal receiver: %w", err)
	}
	chosen := words("*NONE")
	if len(options) > 0 {
		chosen = nil
	}
	for _, option := range options {
		switch option {
		case IgnoreInquiry, IgnoreTargets, IgnoreExitPrograms:
			chosen = append(chosen, Value{Text: string(option)})
		default:
			return Command{}, fmt.Errorf("deleting a journal receiver: %q is no option of DLTJRNRCV", option)
		}
	}
	return Command{Name: "DLTJRNRCV", Params: []Param{
		{Keyword: "JRNRCV", Values: []Value{receiver}},
		{Keyword: "DLTOPT", Values: chosen},
	}}, nil
}

// CreateSaveFile gives CRTSAVF FILE(library/name) TEXT('text'): the empty save
// file that SaveReceivers fills. The text, for people, has up to 50 printable
// ASCII characters; without one there is no TEXT. The command fails where such a
// file is there already (CPF7010).
func CreateSaveFile(file Qualified, text string) (Command, error) {
	name, err := object(file.Library, file.Name)
	if err = errors.Join(err, checkText(text)); err != nil {
		return Command{}, fmt.Errorf("creating a save file: %w", err)
	}
	params := []Param{{Keyword: "FILE", Values: []Value{name}}}
	if text != "" {
		params = append(params, Param{Keyword: "TEXT", Values: []Value{{Kind: Text, Text: text}}})
	}
	return Command{Name: "CRTSAVF", Params: params}, nil
}

// checkText tells whether a text can be an object's description: at most 50
// characters (CL, parameter TEXT), those that every system shows.
func checkText(text string) error {
	if len(text) > 50 {
		return fmt.Errorf("text %q: a text has up to 50 characters", text)
	}
	for _, c := range text {
		if c < ' ' || c > '~' {
			return fmt.Errorf("text %q: %q cannot stand in it", text, c)
		}
	}
	return nil
}

// SaveReceivers gives SAVOBJ for 1 to 300 receivers of one library to a save
// file, their storage kept: STG(*FREE) would let them go. It leaves their
// status as it is: with UPDHST(*YES) they would count as saved by the site from
// then on, also when the save file gets nowhere.
func SaveReceivers(library string, names []string, file Qualified) (Command, error) {
	to, err := receivers(library, names, file)
	if err != nil {
		return Command{}, fmt.Errorf("saving journal receivers: SAVOBJ: %w", err)
	}
	return Command{Name: "SAVOBJ", Params: []Param{
		{Keyword: "OBJ", Values: words(names...)},
		{Keyword: "LIB", Values: words(library)},
		{Keyword: "DEV", Values: words("*SAVF")},
		{Keyword: "OBJTYPE", Values: words("*JRNRCV")},
		{Keyword: "SAVF", Values: []Value{to}},
		{Keyword: "STG", Values: words("*KEEP")},
		{Keyword: "UPDHST", Values: words("*NO")},
	}}, nil
}

// DeleteFile gives DLTF FILE(library/name): a save file goes with all that is
// in it. Only a file that mqhk has made may be named.
func DeleteFile(file Qualified) (Command, error) {
	name, err := object(file.Library, file.Name)
	if err != nil {
		return Command{}, fmt.Errorf("deleting a save file: %w", err)
	}
	return Command{Name: "DLTF", Params: []Param{{Keyword: "FILE", Values: []Value{name}}}}, nil
}

// RestoreReceivers gives RSTOBJ for 1 to 300 receivers out of a save file, into
// the library that they were saved from: into another it fails (CPF707F).
func RestoreReceivers(library string, names []string, file Qualified) (Command, error) {
	from, err := receivers(library, names, file)
	if err != nil {
		return Command{}, fmt.Errorf("restoring journal receivers: RSTOBJ: %w", err)
	}
	return Command{Name: "RSTOBJ", Params: []Param{
		{Keyword: "OBJ", Values: words(names...)},
		{Keyword: "SAVLIB", Values: words(library)},
		{Keyword: "DEV", Values: words("*SAVF")},
		{Keyword: "OBJTYPE", Values: words("*JRNRCV")},
		{Keyword: "SAVF", Values: []Value{from}},
	}}, nil
}

// receivers checks the names that SAVOBJ and RSTOBJ take, and gives the save
// file as a value.
func receivers(library string, names []string, file Qualified) (Value, error) {
	if len(names) == 0 || len(names) > maxInOneSave {
		return Value{}, fmt.Errorf("it takes 1 to %d names, not %d", maxInOneSave, len(names))
	}
	value, err := object(file.Library, file.Name)
	errs := []error{err, CheckName(library)}
	for _, name := range names {
		errs = append(errs, CheckName(name))
	}
	return value, errors.Join(errs...)
}

// GenerateReceiver gives CHGJRN JRN(library/journal) JRNRCV(*GEN): a new
// receiver is attached. Before the images, so that they land in it.
func GenerateReceiver(library, journal string) (Command, error) {
	name, err := object(library, journal)
	if err != nil {
		return Command{}, fmt.Errorf("attaching a new journal receiver: %w", err)
	}
	return Command{Name: "CHGJRN", Params: []Param{
		{Keyword: "JRN", Values: []Value{name}},
		{Keyword: "JRNRCV", Values: words("*GEN")},
	}}, nil
}

// RecordImages gives RCDMQMIMG for all objects of a queue manager, with
// DSPJRNDTA(*YES): only then a checkpoint is taken too and AMQ7460 and AMQ7462
// are written. The name is quoted where CL would fold or misread it.
func RecordImages(queueManager string) (Command, error) {
	if err := checkQueueManager(queueManager); err != nil {
		return Command{}, fmt.Errorf("recording media images: %w", err)
	}
	return Command{Name: "RCDMQMIMG", Params: []Param{
		{Keyword: "OBJ", Values: words("*ALL")},
		{Keyword: "OBJTYPE", Values: words("*ALL")},
		{Keyword: "MQMNAME", Values: []Value{character(queueManager)}},
		{Keyword: "DSPJRNDTA", Values: words("*YES")},
	}}, nil
}

// object gives library/name, both plain names of objects.
func object(library, name string) (Value, error) {
	if err := errors.Join(CheckName(library), CheckName(name)); err != nil {
		return Value{}, err
	}
	return Value{Text: Qualified{library, name}.String()}, nil
}

// character gives a character value: a word where CL reads it as one that
// means the same, else quoted text.
func character(text string) Value {
	for i, c := range text {
		if !('A' <= c && c <= 'Z' || i > 0 && ('0' <= c && c <= '9' || c == '.' || c == '_')) {
			return Value{Kind: Text, Text: text}
		}
	}
	return Value{Text: text}
}

func words(texts ...string) []Value {
	values := make([]Value, len(texts))
	for i, text := range texts {
		values[i] = Value{Text: text}
	}
	return values
}
