package wire

import (
	"fmt"
	"time"

	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/schema"
)

// EncodeRequest writes a request without its earlier results, which travel
// beside it ([EncodeResults]): there may be many. It fails when a setting has
// a type that no kind of setting has.
func EncodeRequest(r plugins.Request) (*Request, error) {
	config, err := encodeSettings(r.Config)
	if err != nil {
		return nil, fmt.Errorf("request for %s: %w", r.Target, err)
	}
	return &Request{
		Run:   r.Run,
		Task:  r.Task,
		Round: int64(r.Round),
		Target: &Target{
			Name: r.Target.Name, Platform: string(r.Target.Platform), Group: r.Target.Group,
			Members: r.Target.Members, Library: r.Target.Library, Zone: r.Target.Zone,
			Backup: r.Target.Backup,
		},
		Config:  config,
		Promise: encodePromise(r.Promise),
		Store:   r.Store,
	}, nil
}

// DecodeRequest reads what [EncodeRequest] wrote. The configuration is
// checked against the plugin's schema.
func DecodeRequest(s schema.Schema, r *Request) (plugins.Request, error) {
	config, err := decodeSettings(s, r.GetConfig())
	if err != nil {
		return plugins.Request{}, err
	}
	promise, err := decodePromise(r.GetPromise())
	if err != nil {
		return plugins.Request{}, err
	}
	round, err := whole("round", r.GetRound())
	if err != nil {
		return plugins.Request{}, err
	}
	t := r.GetTarget()
	return plugins.Request{
		Run:   r.GetRun(),
		Task:  r.GetTask(),
		Round: round,
		Target: observe.Target{
			Name: t.GetName(), Platform: observe.Platform(t.GetPlatform()), Group: t.GetGroup(),
			Members: t.GetMembers(), Library: t.GetLibrary(), Zone: t.GetZone(),
			Backup: t.GetBackup(),
		},
		Config:  config,
		Promise: promise,
		Store:   r.GetStore(),
	}, nil
}

func encodePromise(p recovery.Promise) *Promise {
	return &Promise{
		Strategy:    Promise_Strategy(p.Strategy),
		Margin:      int64(p.Margin),
		KeepNewest:  int64(p.KeepNewest),
		MinAgeNanos: int64(p.MinAge),
		Unsaved:     Promise_Unsaved(p.Unsaved),
		MaxDeletes:  int64(p.MaxDeletes),
		MaxPercent:  int64(p.MaxPercent),

		TrustErrorLog: p.TrustErrorLog,
	}
}

func decodePromise(p *Promise) (read recovery.Promise, err error) {
	read.Strategy = small[recovery.Strategy](p.GetStrategy())
	read.MinAge = time.Duration(p.GetMinAgeNanos())
	read.Unsaved = small[recovery.Unsaved](p.GetUnsaved())
	read.TrustErrorLog = p.GetTrustErrorLog()
	for _, count := range []struct {
		to   *int
		name string
		from int64
	}{
		{&read.Margin, "margin", p.GetMargin()},
		{&read.KeepNewest, "keep_newest", p.GetKeepNewest()},
		{&read.MaxDeletes, "max_deletes", p.GetMaxDeletes()},
		{&read.MaxPercent, "max_percent", p.GetMaxPercent()},
	} {
		if *count.to, err = whole(count.name, count.from); err != nil {
			return recovery.Promise{}, err
		}
	}
	return read, nil
}

// EncodeResult writes what became of one action.
func EncodeResult(r plugins.Result) *Result {
	return &Result{Action: r.Action, State: string(r.State), AfterNanos: int64(r.After), Evidence: r.Evidence}
}

// DecodeResult reads what [EncodeResult] wrote.
func DecodeResult(r *Result) plugins.Result {
	return plugins.Result{
		Action: r.GetAction(), State: plugins.State(r.GetState()),
		After: time.Duration(r.GetAfterNanos()), Evidence: r.GetEvidence(),
	}
}

// EncodeResults writes results in messages of about [PartSize] bytes.
func EncodeResults(results []plugins.Result) []*Earlier {
	var parts []*Earlier
	size := PartSize
	for _, r := range results {
		row := rowSize + len(r.Action) + len(r.State) + len(r.Evidence)
		if size+row > PartSize {
			parts = append(parts, &Earlier{})
			size = 0
		}
		last := parts[len(parts)-1]
		last.Results = append(last.Results, EncodeResult(r))
		size += row
	}
	return parts
}

// EncodeComplaints writes a checker's complaints.
func EncodeComplaints(complaints []plugins.Complaint) *CheckReply {
	reply := &CheckReply{}
	for _, c := range complaints {
		reply.Complaints = append(reply.Complaints, &Complaint{Path: c.Path, Text: c.Text})
	}
	return reply
}

// DecodeComplaints reads what [EncodeComplaints] wrote.
func DecodeComplaints(reply *CheckReply) []plugins.Complaint {
	var complaints []plugins.Complaint
	for _, c := range reply.GetComplaints() {
		complaints = append(complaints, plugins.Complaint{Path: c.GetPath(), Text: c.GetText()})
	}
	return complaints
}
