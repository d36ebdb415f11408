package ibmi

import (
	"context"
	"slices"
	"strings"

	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
)

// profileCommands make, change and show user profiles. Of a profile there are
// its special authorities and its group profile.
func profileCommands() []command {
	name := parameter{keyword: "USRPRF", kind: simple, required: true}
	special := func(first ...string) parameter {
		return parameter{keyword: "SPCAUT", kind: special, most: 8, specials: append(first, os400.SpecialWords()...), fallback: first[0]}
	}
	group := func(first ...string) parameter {
		return parameter{keyword: "GRPPRF", kind: simple, specials: first, fallback: first[0]}
	}
	ignored := noEffect("PASSWORD", "STATUS", "USRCLS", "INLPGM", "INLMNU", "LMTCPB", "TEXT", "CCSID", "HOMEDIR", "JOBD", "MSGQ")
	return []command{
		{"CRTUSRPRF", 1, append([]parameter{name, special("*NONE"), group("*NONE")}, ignored...), createProfile},
		{"CHGUSRPRF", 1, append([]parameter{name, special("*SAME", "*NONE"), group("*SAME", "*NONE")}, ignored...), changeProfile},
		{"DSPUSRPRF", 2, []parameter{
			{keyword: "USRPRF", kind: simple, required: true, specials: []string{"*CURRENT"}}, choice("TYPE", "*BASIC"), output,
		}, showProfile},
	}
}

func createProfile(_ context.Context, c *call) error {
	p := c.profile(os400.Profile{Name: c.args.text("USRPRF")})
	if err := c.sys.CreateProfile(p); err != nil {
		return err
	}
	c.done("CPC2204", p.Name)
	return nil
}

func changeProfile(_ context.Context, c *call) error {
	before, err := c.sys.Profile(c.args.text("USRPRF"))
	if err != nil {
		return err
	}
	p := c.profile(before)
	if err := c.sys.ChangeProfile(p); err != nil {
		return err
	}
	c.done("CPC2205", p.Name)
	return nil
}

// profile gives a profile with what the command says of it.
func (c *call) profile(p os400.Profile) os400.Profile {
	if words := c.args.texts("SPCAUT"); !slices.Contains(words, "*SAME") {
		p.Special = slices.DeleteFunc(words, func(word string) bool { return word == "*NONE" })
	}
	switch group := c.args.text("GRPPRF"); group {
	case "*SAME":
	case "*NONE":
		p.Group = ""
	default:
		p.Group = group
	}
	return p
}

// showProfile prints a profile: the user's own, or any for who may look at it
// (*READ, or *SECADM). CPF2217: it may not.
func showProfile(_ context.Context, c *call) error {
	name := c.args.text("USRPRF")
	if name == "*CURRENT" {
		name = c.job.User
	}
	p, err := c.sys.Profile(name)
	if err != nil {
		return err
	}
	object := os400.Object{ID: os400.ID{Library: systemLib, Name: name}, Type: "USRPRF"}
	if name != c.job.User && !c.sys.Special(c.job.User, "*SECADM") && !c.machine.access(c.job.User, object).Has(os400.Read) {
		return os400.Escape("CPF2217", os400.ID{Name: name})
	}
	c.print("Display User Profile - Basic",
		field{"User profile", p.Name},
		field{"Special authority", either(len(p.Special) == 0, "*NONE", strings.Join(p.Special, " "))},
		field{"Group profile", either(p.Group == "", "*NONE", p.Group)},
	)
	return nil
}
