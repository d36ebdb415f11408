package ibmi

import (
	"context"

	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
)

// mostNames is how many objects SAVOBJ and RSTOBJ take by name.
const mostNames = 300

// saveCommands save receivers and journals to save files and restore them
// (reference, IBM i 3.3, 5).
func saveCommands() []command {
	file := parameter{keyword: "FILE", kind: object, required: true}
	savf := parameter{keyword: "SAVF", kind: object}
	dev := parameter{keyword: "DEV", kind: simple, most: 4, required: true, specials: []string{"*SAVF"}}
	objects := parameter{keyword: "OBJ", kind: generic, most: mostNames, required: true, specials: []string{"*ALL"}}
	types := parameter{keyword: "OBJTYPE", kind: special, specials: []string{"*JRNRCV", "*JRN"}, required: true}
	ignored := []string{"VOL", "SEQNBR", "EXPDATE", "ENDOPT", "PRECHK", "SAVACT", "DTACPR", "COMPACT", "TGTRLS", "ASPDEV"}
	return []command{
		{"CRTSAVF", 1, append([]parameter{file}, noEffect("TEXT", "AUT", "MAXRCDS", "ASP")...), createSaveFile},
		{"DLTF", 1, []parameter{file}, deleteSaveFile},
		{"SAVOBJ", 3, append([]parameter{
			objects, {keyword: "LIB", kind: simple, required: true}, dev, types, savf,
			choice("STG", "*KEEP", "*FREE"), choice("CLEAR", "*NONE", "*ALL", "*AFTER", "*REPLACE"),
			choice("UPDHST", "*YES"), choice("OUTPUT", "*NONE"),
		}, noEffect(ignored...)...), saveObjects},
		{"RSTOBJ", 3, append([]parameter{
			objects, {keyword: "SAVLIB", kind: simple, required: true}, dev, types, savf,
			{keyword: "RSTLIB", kind: simple, specials: []string{"*SAVLIB"}, fallback: "*SAVLIB"}, choice("OUTPUT", "*NONE"),
		}, noEffect("VOL", "SEQNBR", "ENDOPT", "OPTION", "MBROPT", "ALWOBJDIF", "RSTASP", "RSTASPDEV")...), restoreObjects},
	}
}

func createSaveFile(_ context.Context, c *call) error {
	id := c.args.object("FILE", general)
	if err := c.sys.CreateSaveFile(id); err != nil {
		return err
	}
	c.done("CPC7301", id)
	return nil
}

// deleteSaveFile is DLTF: there are no files but save files.
func deleteSaveFile(_ context.Context, c *call) error {
	id := c.args.object("FILE", general)
	if err := c.sys.DeleteSaveFile(id); err != nil {
		return err
	}
	c.done("CPC2191", id, "FILE")
	return nil
}

// saveFile gives the save file of SAVOBJ and RSTOBJ. A tape or any other
// device is not there.
func (c *call) saveFile() (os400.ID, error) {
	for _, device := range c.args.texts("DEV") {
		if device != "*SAVF" {
			return os400.ID{}, escape("CPF9814", os400.ID{Name: device}, device)
		}
	}
	if !c.args.given("SAVF") {
		return os400.ID{}, escape("CPF3812", os400.ID{})
	}
	return c.args.object("SAVF", general), nil
}

func saveObjects(_ context.Context, c *call) error {
	file, err := c.saveFile()
	if err != nil {
		return err
	}
	library := c.args.text("LIB")
	if c.args.has("OBJTYPE", "*JRN") {
		var journals []string
		for _, j := range c.sys.Journals(library) {
			journals = append(journals, j.Name)
		}
		return c.eachJournal(journals, "CPC3722", func(name string) error {
			return c.sys.SaveJournal(os400.ID{Library: library, Name: name}, file)
		})
	}
	var receivers []string
	for _, r := range c.sys.ReceiversIn(library) {
		receivers = append(receivers, r.Name)
	}
	options := os400.SaveOptions{Free: c.args.has("STG", "*FREE"), Clear: !c.args.has("CLEAR", "*NONE")}
	n, err := c.sys.SaveReceivers(library, c.names(receivers), file, options)
	return c.counted("CPC3722", n, err)
}

func restoreObjects(_ context.Context, c *call) error {
	id, err := c.saveFile()
	if err != nil {
		return err
	}
	file, err := c.sys.SaveFile(id)
	if err != nil {
		return err
	}
	from := c.args.text("SAVLIB")
	to := from
	if library := c.args.text("RSTLIB"); library != "*SAVLIB" {
		to = library
	}
	var saved []string
	for _, o := range file.Objects {
		if o.Type == c.args.text("OBJTYPE") {
			saved = append(saved, o.Name)
		}
	}
	if c.args.has("OBJTYPE", "*JRNRCV") {
		n, err := c.sys.RestoreReceivers(c.names(saved), from, id, to)
		return c.counted("CPC3703", n, err)
	}
	if to != from {
		return os400.Escape("CPF707F", os400.ID{Library: to, Name: c.args.text("OBJ")}, from)
	}
	return c.eachJournal(saved, "CPC3703", func(name string) error { return c.sys.RestoreJournal(name, from, id) })
}

// names gives the names of OBJ, with those of all objects there are for *ALL.
func (c *call) names(all []string) []string {
	if c.args.has("OBJ", "*ALL") {
		return all
	}
	return c.args.texts("OBJ")
}

// counted tells how many objects were done, also when not all were.
func (c *call) counted(id string, n int, err error) error {
	if n > 0 || err == nil {
		c.done(id, n)
	}
	return err
}

// eachJournal does something with each journal that OBJ names, and stops at
// the first failure. Generic names are found among all there are.
func (c *call) eachJournal(all []string, done string, do func(name string) error) error {
	var wanted []string
	for _, name := range c.names(all) {
		if name[len(name)-1] != '*' {
			wanted = append(wanted, name)
			continue
		}
		for _, journal := range all {
			if fits(name, journal) {
				wanted = append(wanted, journal)
			}
		}
	}
	for n, name := range wanted {
		if err := do(name); err != nil {
			return c.counted(done, n, err)
		}
	}
	if len(wanted) == 0 {
		return escape("CPF3781", os400.ID{})
	}
	return c.counted(done, len(wanted), nil)
}
