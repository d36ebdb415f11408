package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/core/observe"
	"github.com/mqhk/mqhk/core/transcript"
	"github.com/mqhk/mqhk/policies"
)

func (a *app) targetCommand() *cobra.Command {
	cmd := group("target", "The queue managers that mqhk knows")
	cmd.AddCommand(a.targetListCommand(), a.targetCheckCommand(), a.targetRecordCommand())
	return cmd
}

func (a *app) targetListCommand() *cobra.Command {
	var s selection
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List targets as patterns name them",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			configuration, err := a.configuration()
			if err != nil {
				return err
			}
			found, err := a.targets(cmd.Context(), configuration, s.source, s.targets)
			if err != nil {
				return err
			}
			list := make([]string, len(found.targets))
			for i, t := range found.targets {
				list[i] = t.String()
			}
			return a.result(list, func() string { return strings.Join(list, "\n") + "\n" })
		},
	}
	cmd.Flags().StringArrayVar(&s.targets, "target", nil, "`PATTERN` platform/name or name; may be given several times (default all)")
	s.source.flags(cmd, "list the targets recorded in `FILE`")
	return cmd
}

// recording is what the flags of target record ask for.
type recording struct {
	selection
	output    string
	anonymise bool
}

func (a *app) targetRecordCommand() *cobra.Command {
	var r recording
	cmd := &cobra.Command{
		Use:   "record",
		Short: "Write all that is needed to make the same plan as a transcript",
		Long: `Record asks a target everything that a plan under the bundled policies asks,
and writes questions and answers as a transcript: a text to read, to mail and
to plan on. With --anonymise names of hosts, users, queue managers, libraries
and queues become pseudonyms; the plan on it is the same plan, renamed.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.record(cmd.Context(), r) },
	}
	r.flags(a, cmd)
	cmd.Flags().StringVarP(&r.output, "output", "o", "", "write to `FILE`, which must not exist yet (default standard output)")
	cmd.Flags().BoolVar(&r.anonymise, "anonymise", false, "replace names by pseudonyms")
	return cmd
}

func (a *app) record(ctx context.Context, r recording) error {
	w, err := a.workOn(ctx, r.selection)
	if err != nil {
		return err
	}
	defer w.close()
	if len(r.policies) == 0 {
		w.chosen = policies.Bundled(checks())
	}
	if len(w.found.targets) != 1 {
		return usage("one target is recorded at a time: name it with --target; there are %s", names(w.found.targets))
	}
	if err := w.look(ctx); err != nil {
		return err
	}
	recorded, err := w.transcript(ctx)
	if err != nil {
		return err
	}
	if r.anonymise {
		key := make([]byte, 32)
		_, _ = rand.Read(key) // never fails (crypto/rand)
		if recorded, err = transcript.Anonymise(recorded, key); err != nil {
			return &exitError{exitFailed, fmt.Errorf("anonymising: %w", err)}
		}
	}
	comment := ""
	if t := w.found.targets[0]; w.found.simulated[t.Name] && !r.anonymise {
		comment = "# " + t.Name + " is a queue manager of a simulated estate.\n"
	}
	return a.writeTranscript(commented{comment, recorded}, r.output)
}

// commented is a transcript with a comment before its first block.
type commented struct {
	comment string
	t       *transcript.Transcript
}

// WriteTo writes both.
func (c commented) WriteTo(w io.Writer) (int64, error) {
	n, err := io.WriteString(w, c.comment)
	if err != nil {
		return int64(n), err
	}
	more, err := c.t.WriteTo(w)
	return int64(n) + more, err
}

// transcript plans the one target and keeps what it was asked, the host included.
func (w *work) transcript(ctx context.Context) (*transcript.Transcript, error) {
	target := w.found.targets[0]
	kept := connect.Record(w.found.dial[target.Name], target)
	w.found.dial[target.Name] = noticing{kept, target}
	record, err := w.makePlan(ctx)
	if err != nil {
		return nil, err
	}
	for _, t := range record.Targets {
		if t.Error != "" {
			return nil, &exitError{exitPlugin, fmt.Errorf("target %s: %s", target, t.Error)}
		}
	}
	return kept.Transcript(), nil
}

// noticing asks for the notes at once, which no plan on this platform may ask
// for: the record holds all that the host knew.
type noticing struct {
	*connect.Recording
	target observe.Target
}

// Reader opens the connection and asks.
func (n noticing) Reader(ctx context.Context) (connect.Reader, error) {
	reader, err := n.Recording.Reader(ctx)
	if err != nil {
		return nil, err
	}
	q := observe.Question{Language: observe.Note, QueueManager: n.target.Name, Text: observe.NotesQuestion}
	_, _ = reader.Ask(ctx, q) // what came of it is in the record
	return reader, nil
}

// writeTranscript writes to a new file, or to standard output. What an
// administrator recorded before is never written over.
func (a *app) writeTranscript(t io.WriterTo, name string) error {
	if name == "" {
		return failedWriting(t.WriteTo(a.stdout))
	}
	file, err := os.OpenFile(filepath.Clean(name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return &exitError{exitFailed, fmt.Errorf("writing the transcript: %w", err)}
	}
	if err := writeAndClose(t, file); err != nil {
		_ = os.Remove(name) // half a transcript is none
		return err
	}
	return nil
}

func writeAndClose(t io.WriterTo, file *os.File) error {
	err := failedWriting(t.WriteTo(file))
	if closed := file.Close(); err == nil && closed != nil {
		err = failedWriting(0, closed)
	}
	return err
}

func failedWriting(_ int64, err error) error {
	if err == nil {
		return nil
	}
	return &exitError{exitFailed, fmt.Errorf("writing the transcript: %w", err)}
}
