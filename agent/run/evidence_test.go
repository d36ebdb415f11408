package run

import (
	"errors"
	"fmt"
	"testing"

	"github.com/mqhk/mqhk/agent/connect"
	"github.com/mqhk/mqhk/core/observe"
)

// Of what runmqsc prints only the messages are evidence, in whatever language it
// prints the rest, and each once. What another command prints is all of it.
func TestEvidence(t *testing.T) {
	const refused = "5724-H72 (C) Copyright IBM Corp. 1994, 2024.\nStarting MQSC for queue manager QM1.\n\n\n     1 : SET LOG ARCHIVED(S0000103.LOG)\nAMQ8135E: Not authorized.\nOne MQSC command read.\nNo commands have a syntax error.\nOne valid MQSC command could not be processed.\n"
	for name, test := range map[string]struct {
		body string
		err  error
		want string
	}{
		"accepted":        {"5724-H72 (C) Copyright\nStarting MQSC for queue manager QM1.\n\n     1 : ALTER QMGR\r\nAMQ8005I: IBM MQ queue manager changed.\r\nOne MQSC command read.\r\n", nil, "AMQ8005I: IBM MQ queue manager changed."},
		"refused":         {refused, fmt.Errorf("sending: %w", &connect.MessageError{ID: "AMQ8135E", Text: "Not authorized. (exit code 10)", What: "SET LOG"}), "sending: SET LOG: AMQ8135E: Not authorized. (exit code 10)"},
		"another refusal": {refused, &connect.MessageError{ID: "AMQ8118E", Text: "Gone.", What: "SET LOG"}, "SET LOG: AMQ8118E: Gone. AMQ8135E: Not authorized."},
		"said beside it":  {refused, errors.New("exit code 10"), "exit code 10 AMQ8135E: Not authorized."},
		"German":          {"MQSC für Warteschlangenmanager starten: QM1.\n\n     1 : SET LOG\nAMQ8135E: Nicht berechtigt.\nEin MQSC-Befehl gelesen.\n", nil, "AMQ8135E: Nicht berechtigt."},
		"no message":      {"Starting MQSC for queue manager QM1.\n     1 : X\n", nil, "Starting MQSC for queue manager QM1. 1 : X"},
		"another command": {"Media image for object A, type queue recorded.\nAMQ7084: Object B, type queue damaged.\n", nil, "Media image for object A, type queue recorded. AMQ7084: Object B, type queue damaged."},
		"CL":              {"CPF7022: Entries not complete.", errors.New("CPF7022"), "CPF7022 CPF7022: Entries not complete."},
		"nothing":         {"", nil, ""},
	} {
		if got := evidence(observe.Answer{Body: []byte(test.body)}, test.err); got != test.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}
