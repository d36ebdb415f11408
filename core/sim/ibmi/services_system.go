package ibmi

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
)

// queuedMessage is a message with the queue that it is on.
type queuedMessage struct {
	os400.Message
	queue os400.ID
}

func messageInfo() service {
	type row = queuedMessage
	return viewOf(
		func(m viewer) (rows []row, _ error) {
			for _, queue := range m.sys.Queues("") {
				if !m.sees(on("MSGQ", queue, os400.AutUse)) {
					continue
				}
				messages, err := m.sys.Messages(queue)
				if err != nil {
					return nil, fmt.Errorf("reading message queue %s: %w", queue, err)
				}
				for _, message := range messages {
					rows = append(rows, row{message, queue})
				}
			}
			return rows, nil
		},
		column[row]{"MESSAGE_QUEUE_LIBRARY", func(r row) string { return r.queue.Library }},
		column[row]{"MESSAGE_QUEUE_NAME", func(r row) string { return r.queue.Name }},
		column[row]{"MESSAGE_ID", func(r row) string { return r.ID }},
		column[row]{"MESSAGE_TYPE", func(r row) string { return string(r.Kind) }},
		column[row]{"MESSAGE_TEXT", func(r row) string { return r.Text }},
		column[row]{"SEVERITY", func(r row) string { return strconv.Itoa(r.Severity) }},
		column[row]{"MESSAGE_TIMESTAMP", func(r row) string { return stamp(r.Sent) }},
		column[row]{"MESSAGE_KEY", func(r row) string { return fmt.Sprintf("%08X", r.Key) }},
		column[row]{"ASSOCIATED_MESSAGE_KEY", func(r row) string {
			if r.Of == 0 {
				return ""
			}
			return fmt.Sprintf("%08X", r.Of)
		}},
		column[row]{"FROM_USER", func(r row) string { return r.User }},
		column[row]{"FROM_JOB", func(r row) string { return r.Job }},
		column[row]{"FROM_PROGRAM", func(r row) string { return r.Program }},
		column[row]{"MESSAGE_TOKENS", func(r row) string { return r.Tokens }},
		column[row]{"MESSAGE_SECOND_LEVEL_TEXT", func(r row) string { return r.Help }},
	)
}

// replyInfo shows the system reply list. The name of the reply's column is
// from memory.
func replyInfo() service {
	type row = os400.ReplyEntry
	return viewOf(
		func(m viewer) ([]row, error) { return m.sys.ReplyEntries(), nil },
		column[row]{"SEQUENCE_NUMBER", func(r row) string { return strconv.Itoa(r.Sequence) }},
		column[row]{"MESSAGE_ID", func(r row) string { return r.Message }},
		column[row]{"MESSAGE_REPLY", func(r row) string { return r.Reply }},
	)
}

// jobInfo shows the jobs that wait for a reply: there are no others between
// two commands.
func jobInfo() service {
	type row = os400.WaitingJob
	return viewOf(
		func(m viewer) ([]row, error) { return m.sys.Waiting(), nil },
		column[row]{"JOB_NAME", func(r row) string { return r.Job.Name }},
		column[row]{"AUTHORIZATION_NAME", func(r row) string { return r.Job.User }},
		column[row]{"JOB_STATUS", func(row) string { return "MSGW" }},
		column[row]{"FUNCTION_TYPE", func(row) string { return "CMD" }},
		column[row]{"FUNCTION", func(row) string { return "DLTJRNRCV" }},
		column[row]{"MESSAGE_KEY", func(r row) string { return fmt.Sprintf("%08X", r.Key) }},
	)
}

// aspInfo shows the system ASP. Capacities are in millions of bytes (from
// memory, unverified) and null where there is no limit; SPACE gives bytes.
func aspInfo() service {
	type row = os400.Storage
	millions := func(s row, n int64) string {
		if s.Total == 0 {
			return ""
		}
		return strconv.FormatInt(n/1_000_000, 10)
	}
	return viewOf(
		func(m viewer) ([]row, error) { return []row{m.sys.Storage()}, nil },
		column[row]{"ASP_NUMBER", func(row) string { return "1" }},
		column[row]{"DEVICE_DESCRIPTION_NAME", func(row) string { return "" }},
		column[row]{"ASP_STATE", func(row) string { return "NONE" }},
		column[row]{"ASP_TYPE", func(row) string { return "SYSTEM" }},
		column[row]{"TOTAL_CAPACITY", func(s row) string { return millions(s, s.Total) }},
		column[row]{"TOTAL_CAPACITY_AVAILABLE", func(s row) string { return millions(s, s.Free) }},
	)
}

// userSpace is a user space and what is in it.
type userSpace struct {
	id      os400.ID
	content []byte
}

// spaceInfo shows the user spaces of the queue managers, DATA_BINARY in
// hexadecimal.
func spaceInfo() service {
	return viewOf(
		func(m viewer) (rows []userSpace, _ error) {
			for _, manager := range m.Managers() {
				if !m.sees(on("USRSPC", manager.Space(), os400.AutUse)) {
					continue
				}
				content, err := m.sys.Space(manager.Space())
				if errors.As(err, new(*os400.Error)) {
					continue // not there before the first start
				}
				if err != nil {
					return nil, fmt.Errorf("reading user space %s: %w", manager.Space(), err)
				}
				rows = append(rows, userSpace{manager.Space(), content})
			}
			return rows, nil
		},
		column[userSpace]{"USER_SPACE_LIBRARY", func(s userSpace) string { return s.id.Library }},
		column[userSpace]{"USER_SPACE", func(s userSpace) string { return s.id.Name }},
		column[userSpace]{"DATA", func(s userSpace) string { return fromEBCDIC(s.content) }},
		column[userSpace]{"DATA_BINARY", func(s userSpace) string { return strings.ToUpper(hex.EncodeToString(s.content)) }},
	)
}
