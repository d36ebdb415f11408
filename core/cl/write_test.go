package cl

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestWriters(t *testing.T) {
	tests := map[string]struct {
		write func() (Command, error)
		want  string // the command, or "error: " and a part of the error
	}{
		"delete":          {func() (Command, error) { return DeleteReceiver("QMTEST", "AMQA000007") }, "DLTJRNRCV JRNRCV(QMTEST/AMQA000007) DLTOPT(*NONE)"},
		"delete, options": {func() (Command, error) { return DeleteReceiver("QMSATURN.Q", "A", IgnoreInquiry, IgnoreTargets) }, "DLTJRNRCV JRNRCV(QMSATURN.Q/A) DLTOPT(*IGNINQMSG *IGNTGTRCV)"},
		"misspelt option": {func() (Command, error) { return DeleteReceiver("QMTEST", "A", "*IGNINQSG") }, `error: "*IGNINQSG" is no option`},
		"generic":         {func() (Command, error) { return DeleteReceiver("QMTEST", "AMQA*") }, "error: '*' cannot stand in it"},
		"no library":      {func() (Command, error) { return DeleteReceiver("", "AMQA000007") }, "error: 1 to 10 characters"},
		"special library": {func() (Command, error) { return DeleteReceiver("*LIBL", "AMQA000007") }, "error: begins with a letter"},
		"injection":       {func() (Command, error) { return DeleteReceiver("A", "B) C(D") }, "error: ')' cannot stand in it"},
		"line end":        {func() (Command, error) { return DeleteReceiver("A", "B\nC") }, "error: cannot stand in it"},
		"lower case":      {func() (Command, error) { return DeleteReceiver("qmtest", "A") }, "error: begins with a letter"},
		"double quotes":   {func() (Command, error) { return DeleteReceiver(`"my/lib"`, "A") }, `DLTJRNRCV JRNRCV("my/lib"/A) DLTOPT(*NONE)`},
		"save": {func() (Command, error) {
			return SaveReceivers("QMTEST", []string{"AMQA000001", "AMQA000002"}, Qualified{"VAULT", "N0528"})
		}, "SAVOBJ OBJ(AMQA000001 AMQA000002) LIB(QMTEST) DEV(*SAVF) OBJTYPE(*JRNRCV) SAVF(VAULT/N0528) STG(*KEEP) UPDHST(*NO)"},
		"save file": {func() (Command, error) { return CreateSaveFile(Qualified{"VAULT", "N0528"}, "") }, "CRTSAVF FILE(VAULT/N0528)"},
		"save file, text": {func() (Command, error) {
			return CreateSaveFile(Qualified{"VAULT", "N0528"}, "it's O'Hara's: 50%")
		}, "CRTSAVF FILE(VAULT/N0528) TEXT('it''s O''Hara''s: 50%')"},
		"save file, longest text": {func() (Command, error) {
			return CreateSaveFile(Qualified{"VAULT", "N0528"}, strings.Repeat("x", 50))
		}, "CRTSAVF FILE(VAULT/N0528) TEXT('" + strings.Repeat("x", 50) + "')"},
		"save file, long text": {func() (Command, error) {
			return CreateSaveFile(Qualified{"VAULT", "N0528"}, strings.Repeat("x", 51))
		}, "error: up to 50 characters"},
		"save file, lines": {func() (Command, error) { return CreateSaveFile(Qualified{"VAULT", "N0528"}, "a\nb") }, "error: cannot stand in it"},
		"save file, bad":   {func() (Command, error) { return CreateSaveFile(Qualified{"VAULT", "*ALL"}, "x") }, "error: begins with a letter"},
		"save none":        {func() (Command, error) { return SaveReceivers("A", nil, Qualified{"A", "B"}) }, "error: not 0"},
		"save too many":    {func() (Command, error) { return SaveReceivers("A", make([]string, 301), Qualified{"A", "B"}) }, "error: not 301"},
		"save all":         {func() (Command, error) { return SaveReceivers("A", []string{"*ALL"}, Qualified{"A", "B"}) }, "error: begins with a letter"},
		"restore": {func() (Command, error) {
			return RestoreReceivers("QMTEST", []string{"AMQA000001"}, Qualified{"VAULT", "AMQA000001"})
		}, "RSTOBJ OBJ(AMQA000001) SAVLIB(QMTEST) DEV(*SAVF) OBJTYPE(*JRNRCV) SAVF(VAULT/AMQA000001)"},
		"restore none":    {func() (Command, error) { return RestoreReceivers("A", nil, Qualified{"A", "B"}) }, "error: not 0"},
		"restore generic": {func() (Command, error) { return RestoreReceivers("A", []string{"AMQA*"}, Qualified{"A", "B"}) }, "error: '*' cannot stand in it"},
		"restore, bad":    {func() (Command, error) { return RestoreReceivers("A", []string{"B"}, Qualified{"*LIBL", "B"}) }, "error: begins with a letter"},
		"delete file":     {func() (Command, error) { return DeleteFile(Qualified{"VAULT", "AMQA000001"}) }, "DLTF FILE(VAULT/AMQA000001)"},
		"delete files":    {func() (Command, error) { return DeleteFile(Qualified{"VAULT", "AMQA*"}) }, "error: '*' cannot stand in it"},
		"delete anywhere": {func() (Command, error) { return DeleteFile(Qualified{"*ALL", "AMQA000001"}) }, "error: begins with a letter"},
		"generate":        {func() (Command, error) { return GenerateReceiver("QMTEST", "AMQAJRN") }, "CHGJRN JRN(QMTEST/AMQAJRN) JRNRCV(*GEN)"},
		"images":          {func() (Command, error) { return RecordImages("ORDERS") }, "RCDMQMIMG OBJ(*ALL) OBJTYPE(*ALL) MQMNAME(ORDERS) DSPJRNDTA(*YES)"},
		"images, mixed":   {func() (Command, error) { return RecordImages("saturn.queue.manager") }, "RCDMQMIMG OBJ(*ALL) OBJTYPE(*ALL) MQMNAME('saturn.queue.manager') DSPJRNDTA(*YES)"},
		"images, slash":   {func() (Command, error) { return RecordImages("A/B") }, "RCDMQMIMG OBJ(*ALL) OBJTYPE(*ALL) MQMNAME('A/B') DSPJRNDTA(*YES)"},
		"images, default": {func() (Command, error) { return RecordImages("*DFT") }, "error: '*' cannot stand in it"},
		"images, none":    {func() (Command, error) { return RecordImages("") }, "error: 1 to 48 characters"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			command, err := test.write()
			if part, wrong := strings.CutPrefix(test.want, "error: "); wrong {
				if err == nil || !strings.Contains(err.Error(), part) {
					t.Errorf("%v, %v", command, err)
				}
				return
			}
			if err != nil || command.String() != test.want {
				t.Errorf("%v, %v; want %s", command, err, test.want)
			}
		})
	}
}

// Whatever a name holds, a writer makes one command of its own or none.
func TestWritersHoldOneCommand(t *testing.T) {
	texts := rapid.OneOf(rapid.String(), rapid.StringMatching(`[A-Za-z0-9$#@_.*/'"() +;\n-]{0,12}`))
	rapid.Check(t, func(t *rapid.T) {
		library, name := texts.Draw(t, "library"), texts.Draw(t, "name")
		commands := map[string][]string{"DLTJRNRCV": {"JRNRCV", "DLTOPT"}, "CHGJRN": {"JRN", "JRNRCV"}, "RCDMQMIMG": {"OBJ", "OBJTYPE", "MQMNAME", "DSPJRNDTA"},
			"DLTF": {"FILE"}, "CRTSAVF": {"FILE", "TEXT"}, "RSTOBJ": {"OBJ", "SAVLIB", "DEV", "OBJTYPE", "SAVF"}}
		for want, write := range map[string]func() (Command, error){
			"DLTJRNRCV": func() (Command, error) { return DeleteReceiver(library, name) },
			"CHGJRN":    func() (Command, error) { return GenerateReceiver(library, name) },
			"RCDMQMIMG": func() (Command, error) { return RecordImages(name) },
			"CRTSAVF":   func() (Command, error) { return CreateSaveFile(Qualified{"VAULT", "N0528"}, "of "+name) },
			"DLTF":      func() (Command, error) { return DeleteFile(Qualified{library, name}) },
			"RSTOBJ":    func() (Command, error) { return RestoreReceivers(library, []string{name}, Qualified{library, name}) },
		} {
			written, err := write()
			if err != nil {
				continue
			}
			read, err := Parse(written.String())
			if err != nil || read.Name != want {
				t.Fatalf("%q: %v", written, err)
			}
			var keywords []string
			for _, param := range read.Params {
				keywords = append(keywords, param.Keyword)
			}
			if !slices.Equal(keywords, commands[want]) {
				t.Fatalf("%q has %v", written, keywords)
			}
		}
	})
}
