package qmgr

import (
	"errors"
	"fmt"
	"strings"

	"github.com/mqhk/mqhk/core/mqini"
	"github.com/mqhk/mqhk/core/sim/multi/extents"
)

// configFile is the queue manager's configuration.
const configFile = "qm.ini"

// stanza is one of qm.ini: its name and its attributes in their order.
type stanza struct {
	name       string
	attributes []attribute
}

type attribute struct{ name, value string }

// writeIni writes stanzas as crtmqm does: attributes indented by three blanks
// (reference, Multiplatforms 1.2 item 9).
func writeIni(all []stanza) []byte {
	var b strings.Builder
	for _, s := range all {
		fmt.Fprintf(&b, "%s:\n", s.name)
		for _, a := range s.attributes {
			fmt.Fprintf(&b, "   %s=%s\n", a.name, a.value)
		}
	}
	return []byte(b.String())
}

// configuration gives qm.ini as crtmqm writes it.
func (m *Manager) configuration(spec Spec) []byte {
	log := []attribute{
		{"LogPrimaryFiles", fmt.Sprint(spec.Log.Primary)},
		{"LogSecondaryFiles", fmt.Sprint(spec.Log.Secondary)},
		{"LogFilePages", fmt.Sprint(spec.Log.FilePages)},
		{"LogType", string(spec.Log.Kind)},
		{"LogBufferPages", "0"},
		{"LogPath", m.site.Path(m.conf().logDir) + "/"},
		{"LogWriteIntegrity", string(mqini.TripleWrite)},
	}
	if spec.Log.Kind == extents.Linear && hasManagement(m.level) {
		log = append(log, attribute{"LogManagement", string(spec.Log.Management)})
	}
	all := []stanza{
		{"ExitPath", []attribute{
			{"ExitsDefaultPath", m.site.Path(m.site.Data) + "/exits/"},
			{"ExitsDefaultPath64", m.site.Path(m.site.Data) + "/exits64/"},
		}},
		{"Log", log},
		{"Service", []attribute{{"Name", "AuthorizationService"}, {"EntryPoints", "14"}}},
		{"ServiceComponent", []attribute{
			{"Service", "AuthorizationService"}, {"Name", "MQSeries.UNIX.auth.service"},
			{"Module", "amqzfu"}, {"ComponentDataSize", "0"},
		}},
	}
	if spec.ErrorLogSize > 0 {
		all = append(all, stanza{"QMErrorLog", []attribute{{"ErrorLogSize", fmt.Sprint(spec.ErrorLogSize)}}})
	}
	if spec.JSON {
		all = append(all, stanza{"DiagnosticMessages", []attribute{
			{"Name", "JSONLogs"}, {"Service", "File"}, {"Format", "json"}, {"FilePrefix", "AMQERR"},
		}})
	}
	for _, r := range spec.Resources {
		all = append(all, stanza{"XAResourceManager", []attribute{
			{"Name", r.Name}, {"SwitchFile", r.SwitchFile},
			{"XAOpenString", r.OpenString}, {"XACloseString", r.CloseString},
		}})
	}
	return writeIni(all)
}

// config is what a queue manager reads in its qm.ini.
type config struct {
	log       extents.Settings
	logDir    string // on the disk
	services  []mqini.MessageService
	resources []Resource
}

// readConfig reads qm.ini. What the log can't be used without has to be there,
// and of what is there nothing is guessed.
func (s Site) readConfig(content []byte) (config, error) {
	f := mqini.Parse(content)
	log := mqini.Log(f)
	if !log.Type.Known() || !log.PrimaryFiles.Known() || !log.SecondaryFiles.Known() ||
		!log.FilePages.Known() || !log.Path.Known() || len(log.Problems) > 0 {
		return config{}, fmt.Errorf("its Log stanza does not say what the log is: %v", log.Problems)
	}
	dir, ok := s.name(log.Path.Value)
	if !ok {
		return config{}, fmt.Errorf("LogPath %s is not on this system's disk", log.Path.Value)
	}
	c := config{logDir: dir, services: mqini.MessageServices(f), log: extents.Settings{
		Kind:      kindOf(log.Type.Value),
		Primary:   int(log.PrimaryFiles.Value),
		Secondary: int(log.SecondaryFiles.Value),
		FilePages: int(log.FilePages.Value),
	}}
	if log.Management.Known() {
		c.log.Management = extents.Management(log.Management.Value)
	}
	for _, service := range c.services {
		if len(service.Problems) > 0 {
			return config{}, fmt.Errorf("its %s stanza can't be read: %v", service.Stanza, service.Problems)
		}
	}
	for _, x := range f.All("XAResourceManager") {
		var r Resource
		for name, to := range map[string]*string{
			"Name": &r.Name, "SwitchFile": &r.SwitchFile, "XAOpenString": &r.OpenString, "XACloseString": &r.CloseString,
		} {
			*to, _ = x.Get(name)
		}
		if r.Name == "" {
			return config{}, errors.New("an XAResourceManager stanza has no Name")
		}
		c.resources = append(c.resources, r)
	}
	return c, nil
}

// kindOf gives the kind of a log: a replicated one is linear (reference,
// Multiplatforms 1.1).
func kindOf(t mqini.LogType) extents.Kind {
	if t == mqini.Circular {
		return extents.Circular
	}
	return extents.Linear
}
