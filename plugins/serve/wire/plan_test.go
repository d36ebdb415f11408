package wire

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/mqhk/mqhk/core/finding"
	"github.com/mqhk/mqhk/core/recovery"
	"github.com/mqhk/mqhk/plugins"
)

// inventory makes a plan over a chain of receivers as a large journal has it.
func inventory(segments int) plugins.Plan {
	m := recovery.ManagerDecision{Inventory: recovery.Inventory{QueueManager: "ORDERS"}}
	at := time.Date(2026, 5, 28, 2, 0, 0, 0, time.UTC)
	for i := range segments {
		id := recovery.SegmentID{QueueManager: "ORDERS", Library: "QMORDERS", Name: fmt.Sprintf("AMQA%06d", i)}
		m.Inventory.Segments = append(m.Inventory.Segments, recovery.Segment{
			ID: id, From: recovery.Position(i * 1000), To: recovery.Position(i*1000 + 999), Bytes: 100412,
			State: recovery.Saved, Opened: at.Add(time.Duration(i) * time.Minute).Format("2006-01-02-15.04.05.000000"),
			Fingerprint: fmt.Sprintf("attached %d size 100412", i), Unneeded: at,
		})
		m.Verdicts = append(m.Verdicts, recovery.Verdict{
			Kind: recovery.Delete, Reason: "behind", Why: "lies before AMQA000008, from where a recovery reads",
		})
	}
	return plugins.Plan{Decision: recovery.Decision{Managers: []recovery.ManagerDecision{m}}}
}

func TestDecoderRefuses(t *testing.T) {
	head := &Head{}
	rows := []*Segment{{}}
	tests := []struct {
		name  string
		parts []*PlanPart
	}{
		{"nothing", nil},
		{"no end", []*PlanPart{{Head: head}}},
		{"rows without a head", []*PlanPart{{Segments: rows, Last: true}}},
		{"the second queue manager first", []*PlanPart{{Manager: 1, Head: head, Last: true}}},
		{"one queue manager twice", []*PlanPart{{Head: head}, {Head: head, Last: true}}},
		{"back to an earlier one", []*PlanPart{{Head: head}, {Manager: 1, Head: head}, {Segments: rows, Last: true}}},
		{"ahead of a head", []*PlanPart{{Head: head}, {Manager: 1, Segments: rows, Last: true}}},
		{"a text that is not there", []*PlanPart{{Strings: []string{"a"}, Findings: []*Finding{{Code: 2}}, Last: true}}},
		{"more after the end", []*PlanPart{{Last: true}, {Last: true}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if plan, err := decodeParts(test.parts); err == nil {
				t.Errorf("got a plan: %v", plan)
			}
		})
	}
}

func TestUnknownNumbersReadAsTheCarefulValue(t *testing.T) {
	plan, err := decodeParts([]*PlanPart{{
		Head: &Head{}, Segments: []*Segment{{State: 300}}, Verdicts: []*Verdict{{Kind: 1000}, {Kind: -1}},
		Findings: []*Finding{{Severity: 256}}, Last: true,
	}})
	if err != nil {
		t.Fatal(err)
	}
	m := plan.Decision.Managers[0]
	if m.Inventory.Segments[0].State != recovery.StateUnknown || m.Verdicts[0].Kind != recovery.Keep || m.Verdicts[1].Kind != recovery.Keep {
		t.Errorf("got %v", m)
	}
	if plan.Findings[0].Severity != finding.Critical {
		t.Errorf("severity %s", plan.Findings[0].Severity)
	}
}

func TestEncodeStopsWithSend(t *testing.T) {
	stop := errors.New("stream is gone")
	calls := 0
	err := EncodePlan(inventory(20000), func(*PlanPart) error {
		calls++
		if calls == 2 {
			return stop
		}
		return nil
	})
	if !errors.Is(err, stop) || calls != 2 {
		t.Errorf("%v after %d parts", err, calls)
	}
}

func FuzzPlanDecoder(f *testing.F) {
	for _, plan := range []plugins.Plan{{}, inventory(3), {Actions: []plugins.Action{{ID: "1", Items: []string{"a"}}}}} {
		for _, part := range encodeParts(f, plan) {
			bytes, err := proto.Marshal(part)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(bytes, bytes)
		}
	}
	f.Fuzz(func(t *testing.T, first, second []byte) {
		var decoder PlanDecoder
		for _, bytes := range [][]byte{first, second} {
			var part PlanPart
			if proto.Unmarshal(bytes, &part) != nil || decoder.Add(&part) != nil {
				return
			}
		}
		plan, err := decoder.Plan()
		if err != nil {
			return
		}
		if again, err := decodeParts(encodeParts(t, plan)); err != nil || len(again.Actions) != len(plan.Actions) {
			t.Fatalf("what was read can't be written: %v", err)
		}
	})
}

func FuzzDescription(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte("\x0a\x07journal\x3a\x06\x12\x04\x0a\x02ab"))
	f.Fuzz(func(t *testing.T, bytes []byte) {
		var reply DescribeReply
		if proto.Unmarshal(bytes, &reply) != nil {
			return
		}
		description, err := DecodeDescription(&reply)
		if err != nil {
			return
		}
		if _, err := EncodeDescription(description); err != nil {
			t.Fatal(err)
		}
	})
}

func BenchmarkPlan(b *testing.B) {
	plan := inventory(100_000)
	for b.Loop() {
		bytes := 0
		var decoder PlanDecoder
		err := EncodePlan(plan, func(part *PlanPart) error {
			data, err := proto.Marshal(part)
			if err != nil {
				return err
			}
			bytes += len(data)
			var read PlanPart
			if err := proto.Unmarshal(data, &read); err != nil {
				return err
			}
			return decoder.Add(&read)
		})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(bytes), "wire-bytes")
	}
}
