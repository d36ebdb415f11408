package mqini

// LogType is the kind of a queue manager's log.
type LogType string

// The kinds of log ("Types of logging"). REPLICATED is the linear one of Native
// HA.
const (
	Circular   LogType = "CIRCULAR"
	Linear     LogType = "LINEAR"
	Replicated LogType = "REPLICATED"
)

// LogManagement says who lets go of a linear log's extents.
type LogManagement string

// The managements, since 9.0.2. Under Manual, which is what an older level
// does, the administrator removes extents; under the other two only the queue
// manager.
const (
	Manual    LogManagement = "Manual"
	Automatic LogManagement = "Automatic"
	Archive   LogManagement = "Archive"
)

// WriteIntegrity is how the logger writes a page.
type WriteIntegrity string

// The ways of writing a page.
const (
	SingleWrite WriteIntegrity = "SingleWrite"
	DoubleWrite WriteIntegrity = "DoubleWrite"
	TripleWrite WriteIntegrity = "TripleWrite"
)

// The bounds of the documentation ("Log stanza of the qm.ini file"), those of
// AIX and Linux, which are the wider ones. The lowest LogFilePages is not
// verified; any above zero is taken.
const (
	lowPrimary, highPrimary     = 2, 510
	lowSecondary, highSecondary = 1, 509
	highFiles                   = 511
	highPages                   = 65535 // 256 MiB
)

// LogSettings is what qm.ini says of a queue manager's log. To change LogType
// there changes nothing about the log, only migmqlog does: the queue manager's
// own LOGTYPE, where its level has one, comes first (case 24).
//
// Management that is not given is Manual by default; the other attributes have
// no default once the log is made.
type LogSettings struct {
	Type           Setting[LogType]
	Management     Setting[LogManagement]
	PrimaryFiles   Setting[int64]
	SecondaryFiles Setting[int64]
	FilePages      Setting[int64]  // of 4 KiB
	Path           Setting[string] // as written: without the folder active, with or without a separator at its end
	WriteIntegrity Setting[WriteIntegrity]
	Problems       []Problem
}

// Log reads the Log stanza of qm.ini.
//
// LogDefaults of mqs.ini says nothing of a queue manager: crtmqm copied it when
// it made one.
func Log(f File) LogSettings {
	s := sourceOf(f, "Log")
	settings := LogSettings{
		Type:           settingOf(s, "LogType", word(Circular, Linear, Replicated)),
		Management:     settingOf(s, "LogManagement", word(Manual, Automatic, Archive)),
		PrimaryFiles:   settingOf(s, "LogPrimaryFiles", number(lowPrimary, highPrimary)),
		SecondaryFiles: settingOf(s, "LogSecondaryFiles", number(lowSecondary, highSecondary)),
		FilePages:      settingOf(s, "LogFilePages", number(1, highPages)),
		Path:           settingOf(s, "LogPath", filled),
		WriteIntegrity: settingOf(s, "LogWriteIntegrity", word(SingleWrite, DoubleWrite, TripleWrite)),
	}
	primary, secondary := settings.PrimaryFiles, settings.SecondaryFiles
	if sum := primary.Value + secondary.Value; primary.Known() && secondary.Known() && sum > highFiles {
		s.tell(secondary.Line, "LogPrimaryFiles and LogSecondaryFiles are %d, more than %d", sum, highFiles)
	}
	settings.Problems = s.problems
	return settings
}
