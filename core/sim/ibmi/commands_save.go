package ibmi

import (
	"context"
	"strings"

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
	types := parameter{keyword: "OBJTYPE", kind: special, specials: []string{"*ALL", "*JRNRCV", "*JRN"}, fallback: "*ALL", most: 2}
	ignored := []string{"VOL", "SEQNBR", "EXPDATE", "ENDOPT", "PRECHK", "SAVACT", "DTACPR", "COMPACT", "TGTRLS", "ASPDEV"}
	return []command{
		{"CRTSAVF", 1, append([]parameter{file}, noEffect("TEXT", "AUT", "MAXRCDS", "ASP")...), createSaveFile},
		{"DLTF", 1, []parameter{file}, deleteSaveFile},
		{"SAVOBJ", 3, append([]parameter{
			objects, {keyword: "LIB", kind: simple, required: true}, dev, types, savf,
			choice("STG", "*KEEP", "*FREE"), choice("CLEAR", "*NONE", "*ALL", "*AFTER", "*REPLACE"),
			choice("UPDHST", "*YES", "*NO"), choice("OUTPUT", "*NONE"),
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
	return c.own("FILE", id)
}

// deleteSaveFile is DLTF: there are no files but save files.
func deleteSaveFile(_ context.Context, c *call) error {
	id := c.args.object("FILE", general)
	if err := c.sys.DeleteSaveFile(id); err != nil {
		return err
	}
	c.done("CPC2191", id, "FILE")
	return c.sys.Forget(os400.Object{ID: id, Type: "FILE"})
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

// types gives OBJTYPE.
func (c *call) types() os400.ObjectTypes {
	all := c.args.has("OBJTYPE", "*ALL")
	return os400.ObjectTypes{Receivers: all || c.args.has("OBJTYPE", "*JRNRCV"), Journals: all || c.args.has("OBJTYPE", "*JRN")}
}

func saveObjects(_ context.Context, c *call) error {
	file, err := c.saveFile()
	if err != nil {
		return err
	}
	library := c.args.text("LIB")
	names, left, err := c.saveable(library, c.args.texts("OBJ"))
	if err != nil {
		return err
	}
	n, err := c.sys.SaveObjects(library, names, c.types(), file, os400.SaveOptions{
		Free: c.args.has("STG", "*FREE"), Clear: !c.args.has("CLEAR", "*NONE"), NoHistory: c.args.has("UPDHST", "*NO"),
	})
	if err == nil && len(left) > 0 {
		err = escape("CPF3771", os400.ID{}, os400.Counted(n, "object"), library, len(left), strings.Join(left, ", "))
	}
	return c.counted("CPC3722", n, err)
}

func restoreObjects(_ context.Context, c *call) error {
	file, err := c.saveFile()
	if err != nil {
		return err
	}
	from := c.args.text("SAVLIB")
	to := from
	if library := c.args.text("RSTLIB"); library != "*SAVLIB" {
		to = library
	}
	n, err := c.sys.RestoreObjects(c.args.texts("OBJ"), c.types(), from, file, to)
	return c.counted("CPC3703", n, err)
}

// counted tells how many objects were done. Where not all were the escape
// message says that itself.
func (c *call) counted(id string, n int, err error) error {
	if err == nil {
		c.done(id, os400.Counted(n, "object"))
	}
	return err
}
