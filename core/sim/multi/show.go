package multi

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/mqhk/mqhk/core/sim/multi/amqerr"
	"github.com/mqhk/mqhk/core/sim/multi/objects"
	"github.com/mqhk/mqhk/core/sim/multi/qmgr"
)

var showCommands = map[string]command{
	"dspmq": {
		usage: "dspmq [-m QMgrName] [-o all | default | installation | standby | status] [-s] [-x] [-a] [-n]",
		takes: []string{"m=", "o=", "s", "x", "a"}, badUse: badArguments, run: dspmq,
		idle: []string{"n"}, refuses: []string{"c", "f", "w="},
	},
	"dspmqinf": {usage: "dspmqinf [-o stanza | command] [-s StanzaType] StanzaName", takes: []string{"o=", "s="}, badUse: badParameter, run: dspmqinf},
	"dspmqver": {
		usage: "dspmqver [-a] [-b] [-i] [-f Fields] [-v]", takes: []string{"f=", "b"}, badUse: badArguments, run: dspmqver,
		idle: []string{"a", "i", "v"}, refuses: []string{"p="},
	},
	"dspmqfls": {usage: "dspmqfls [-m QMgrName] [-t ObjType] GenericObjName", takes: []string{"m=", "t="}, badUse: badArguments, run: dspmqfls},
}

// shownState is what dspmq shows of a queue manager.
func (h *Host) shownState(m *qmgr.Manager) string {
	if m.State() == qmgr.Running && slices.Contains(h.state.Quiescing, m.Name()) {
		return "Quiescing"
	}
	return string(m.State())
}

// queueManagerFields are what dspmq -o shows, in its order.
var queueManagerFields = []struct {
	of   []string
	text func(c *call, m *qmgr.Manager, standard string) string
}{
	{[]string{"status", "all"}, func(c *call, m *qmgr.Manager, _ string) string { return "STATUS(" + c.shownState(m) + ")" }},
	{[]string{"default", "all"}, func(_ *call, m *qmgr.Manager, standard string) string {
		if m.Name() == standard {
			return "DEFAULT(yes)"
		}
		return "DEFAULT(no)"
	}},
	{[]string{"standby", "all"}, func(_ *call, m *qmgr.Manager, _ string) string {
		if m.State() == qmgr.Running {
			return "STANDBY(Not permitted)"
		}
		return "STANDBY(Not applicable)"
	}},
	{[]string{"installation", "all"}, func(c *call, _ *qmgr.Manager, _ string) string {
		return fmt.Sprintf("INSTNAME(%s) INSTPATH(%s) INSTVER(%s)", installation, c.installationPath(), c.level)
	}},
}

func (h *Host) installationPath() string { return h.real("opt/mqm") }

// dspmq shows queue managers and their states (reference, Multiplatforms 3.4
// item 73).
func dspmq(c *call) int {
	if len(c.words) > 0 {
		return c.wrong("dspmq takes no name but behind -m")
	}
	wanted := c.flags["o"]
	for _, w := range wanted {
		if !slices.Contains([]string{"all", "default", "installation", "standby", "status"}, strings.ToLower(w)) {
			return c.wrong("-o %s shows nothing", w)
		}
	}
	if len(wanted) == 0 || c.flags.has("s") {
		wanted = append(slices.Clone(wanted), "status")
	}
	if c.flags.has("m") && c.lostOf(c.flags.value("m")) != nil {
		c.unavailable(c.flags.value("m"))
		return done
	}
	shown := c.Managers()
	if c.flags.has("m") {
		m, code := c.queueManager(c.flags.value("m"), "AMQ7048", nameError)
		if m == nil {
			return code
		}
		shown = []*qmgr.Manager{m}
	}
	ini, err := c.readIni()
	if err != nil {
		fmt.Fprintln(&c.err, err)
		return unexpected
	}
	for _, m := range shown {
		if c.flags.has("a") && m.State() != qmgr.Running {
			continue // only those that are active
		}
		var fields []string
		for _, f := range queueManagerFields {
			if slices.ContainsFunc(wanted, func(w string) bool { return slices.Contains(f.of, strings.ToLower(w)) }) {
				fields = append(fields, f.text(c, m, ini.defaultManager()))
			}
		}
		c.print("%-58s%s", "QMNAME("+m.Name()+") ", strings.Join(fields, " "))
		if c.flags.has("x") && m.State() == qmgr.Running {
			c.print("    INSTANCE(%s) MODE(Active)", c.Name())
		}
	}
	if !c.flags.has("m") && !c.flags.has("a") {
		for _, l := range c.lost {
			c.unavailable(l.name)
		}
	}
	return done
}

// unavailable shows a queue manager whose files can't be read.
func (c *call) unavailable(name string) {
	c.print("%-58sSTATUS(Status not available)", "QMNAME("+name+") ")
}

// dspmqinf shows the definition of a queue manager in mqs.ini, as its stanza
// or as the command that adds it on another machine.
func dspmqinf(c *call) int {
	name, ok := c.single()
	form := c.flags.value("o")
	kind := c.flags.value("s")
	if !ok || name == "" || form != "" && form != "stanza" && form != "command" || kind != "" && !strings.EqualFold(kind, "QueueManager") {
		return c.wrong("dspmqinf takes the name of a queue manager, and -o stanza or -o command")
	}
	m, code := c.queueManager(name, "AMQ7048", nameError)
	if m == nil {
		return code
	}
	stanza := c.stanza(m)
	if form != "command" {
		fmt.Fprint(&c.out, stanza)
		return done
	}
	words := "addmqinf -s QueueManager"
	for line := range strings.Lines(stanza) {
		line = strings.TrimSpace(line)
		if strings.Contains(line, "=") && !strings.HasPrefix(line, "InstallationName=") {
			words += " -v " + line
		}
	}
	c.print("%s", words)
	return done
}

// versionFields are what dspmqver shows; -f takes the sum of their numbers, one
// twice the one before. The order and which of them are there is from memory.
var versionFields = []struct {
	name  string
	value func(*call) string
}{
	{"Name", func(c *call) string { return c.product() }},
	{"Version", func(c *call) string { return c.level.String() }},
	{"Level", func(c *call) string {
		return fmt.Sprintf("p%d%02d-000-SIM", c.level.Version, c.level.Release*10+c.level.Modification)
	}},
	{"BuildType", func(*call) string { return "SIM - (Simulation)" }},
	{"Platform", func(c *call) string { return c.product() + " for Linux (x86-64 platform)" }},
	{"Mode", func(*call) string { return "64-bit" }},
	{"O/S", func(*call) string { return "Linux (simulated)" }},
	{"InstName", func(*call) string { return installation }},
	{"InstDesc", func(*call) string { return "" }},
	{"Primary", func(*call) string { return "Yes" }},
	{"InstPath", func(c *call) string { return c.installationPath() }},
	{"DataPath", func(c *call) string { return c.DataRoot() }},
	{"MaxCmdLevel", func(c *call) string { return strconv.Itoa(c.level.Command()) }},
}

// dspmqver shows the installation.
func dspmqver(c *call) int {
	wanted := 1<<len(versionFields) - 1
	if text := c.flags.value("f"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > wanted {
			return c.wrong("-f %s is no sum of fields", text)
		}
		wanted = n
	}
	for i, f := range versionFields {
		switch {
		case wanted&(1<<i) == 0:
		case c.flags.has("b"):
			c.print("%s", f.value(c))
		default:
			c.print("%-13s%s", f.name+":", f.value(c))
		}
	}
	return done
}

// dspmqfls shows the files of objects, also those of a queue manager that has
// ended: that of a damaged object is removed by hand (SEED 7.5.2).
func dspmqfls(c *call) int {
	name, ok := c.single()
	if !ok || name == "" {
		return c.wrong("dspmqfls takes one name of objects")
	}
	m, code := c.queueManager(c.flags.value("m"), "AMQ7048", nameError)
	if m == nil {
		return code
	}
	kind := c.flags.value("t")
	if kind == "" {
		kind = "all"
	}
	found, err := m.ObjectFiles(qmgr.Selection{Type: kind, Name: name})
	if err != nil {
		return c.wrong("%v", err)
	}
	if len(found) == 0 {
		return c.refuse(nothingProcessed, "AMQ7085", amqerr.Inserts{C1: name, C2: kind})
	}
	c.print("\n%s Display MQ Files\n", c.product())
	for _, f := range found {
		c.print("%-11s%s", strings.ToUpper(objects.WordOf(f.Ref.Kind)), f.Ref.Name)
		c.print("           %s\n", c.real(path.Join(m.DataDir(), f.Name)))
	}
	return done
}
