package qsg

import (
	"regexp"
	"strings"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/mqsc"
)

var (
	inGroup = regexp.MustCompile(`(?i)\bIN GROUP ([A-Z][A-Z0-9@#$]{0,3})`)
)

// readMembers asks who belongs to the group. Those that the target names are
// members whatever the answer says: of one that it lacks the state is not known.
func (r *reader) readMembers() {
	for _, name := range r.target.Members {
		r.members[name] = &Member{Name: name, Status: MemberUnknown}
	}
	answer, ok := r.grouped("members and their states", "DISPLAY GROUP", finding.NotAnswered)
	if ok {
		r.takeGroup(answer)
	}
	for name, m := range r.members {
		if m.Prefix == "" {
			continue
		}
		r.prefixes[m.Prefix] = name
	}
	for name := range r.members { // a prefix is nearly always the name, with a sign in front
		for _, sign := range []string{"", "!", "+", "-", "/", "%", "&", "$", "@", "#", "?", "*", "=", ".", "_", "|"} {
			if _, taken := r.prefixes[sign+name]; !taken {
				r.prefixes[sign+name] = name
			}
		}
	}
}

// takeGroup reads the report CSQ5102I.
func (r *reader) takeGroup(answer mqsc.Answer) {
	report, ok := answer.Message("CSQ5102")
	if !ok {
		r.open(finding.FactsUnreadable, "DISPLAY GROUP: the answer has no report of members (CSQ5102I)")
		return
	}
	if parts := inGroup.FindStringSubmatch(report.Text); len(parts) > 1 && strings.TrimRight(parts[1], "@") != strings.TrimRight(r.target.Name, "@") {
		r.open(finding.FactsUnreadable, "DISPLAY GROUP: the answer is of the group %s", parts[1])
		return
	}
	table, ok := report.ReadTable()
	if !ok {
		r.open(finding.FactsUnreadable, "DISPLAY GROUP: the table of members can't be read")
		return
	}
	for _, row := range table.Rows {
		name := table.Get(row, "NAME")
		if name == "" {
			continue
		}
		m := r.members[name]
		if m == nil {
			m = &Member{Name: name}
			r.members[name] = m
		}
		m.Number = numberOf(table.Get(row, "NUM"))
		m.Prefix = table.Get(row, "PREFIX")
		m.Status = memberStatus(table.Get(row, "STATUS"))
		m.Version = table.Get(row, "VER")
		m.DB2 = table.Get(row, "DB2")
		m.DB2Connection = strings.ToUpper(table.Get(row, "CONNECTION"))
	}
}

// memberStatus reads a state; what is none is MemberUnknown.
func memberStatus(text string) MemberStatus {
	switch s := MemberStatus(strings.ToUpper(text)); s {
	case MemberActive, MemberInactive, MemberFailed, MemberCreated:
		return s
	default:
		return MemberUnknown
	}
}

// readLogs reads DISPLAY LOG of every member.
func (r *reader) readLogs() {
	for name, answer := range r.each("state of the log", "DISPLAY LOG") {
		log := &r.members[name].Log
		log.Parameters = parametersOf(answer)
		message, ok := answer.Message("CSQJ370")
		if !ok {
			continue
		}
		status := message.LogStatus()
		log.Known = true
		log.ToOffload, log.Total = numberOf(status.ToOffload), numberOf(status.Total)
		log.Offload = status.Offload
		log.Latest, log.StartedRBA = positionOf(status.LatestRBA), positionOf(status.RestartRBA)
		if len(status.Restarted) == len("2026-01-10 09:58:41") {
			log.StartedAt = stampOf(status.Restarted[:10], status.Restarted[11:])
		}
		log.Suspended = No
		if status.Suspended {
			log.Suspended = Yes
		}
		for _, c := range status.Copies {
			log.Copies = append(log.Copies, LogCopy{int(numberOf(c.Copy).Value), numberOf(c.Full), c.DataSet})
		}
	}
}

// readArchives reads DISPLAY ARCHIVE of every member.
func (r *reader) readArchives() {
	for name, answer := range r.each("archive parameters", "DISPLAY ARCHIVE") {
		r.members[name].Archive = parametersOf(answer)
	}
}

// readSystems reads DISPLAY SYSTEM of every member.
func (r *reader) readSystems() {
	for name, answer := range r.each("system parameters", "DISPLAY SYSTEM") {
		r.members[name].System = parametersOf(answer)
	}
}

// parametersOf reads the report CSQJ322I.
func parametersOf(answer mqsc.Answer) Parameters {
	var parameters Parameters
	for _, message := range answer.Messages {
		if !message.Is("CSQJ322") {
			continue
		}
		if parameters == nil {
			parameters = Parameters{}
		}
		for _, setting := range message.Settings() {
			parameters[setting.Name] = setting.Value()
		}
	}
	return parameters
}

// readUsage reads DISPLAY USAGE TYPE(DATASET) of every member.
func (r *reader) readUsage() {
	for name, answer := range r.each("from where on logs are needed", "DISPLAY USAGE TYPE(DATASET)") {
		r.members[name].Usage = usageOf(answer)
	}
}

// usageOf reads CSQI070I, CSQI024I and CSQI025I.
func usageOf(answer mqsc.Answer) LogUsage {
	var u LogUsage
	if message, ok := answer.Message("CSQI024"); ok {
		u.Restart = positionOf(message.RestartRBA())
	}
	if message, ok := answer.Message("CSQI025"); ok {
		u.RestartOffline, u.HasOffline = positionOf(message.RestartRBA()), true
	}
	report, ok := answer.Message("CSQI070")
	if !ok {
		return u
	}
	u.Known = true
	for kind, use := range report.DataSetUses() {
		switch kind {
		case mqsc.OldestUnit:
			u.Unit = LogNeed{positionOf(use.From), use.DataSet, true}
		case mqsc.OldestPageSet:
			u.PageSets = LogNeed{positionOf(use.From), use.DataSet, true}
		case mqsc.OldestStructure:
			u.Structures = LRSNNeed{lrsnOf(use.From), use.DataSet, true}
		}
	}
	return u
}
