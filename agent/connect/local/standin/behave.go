package standin

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"time"
)

// behave runs a command in the way that it is told to.
func (c *call) behave(how Behaviour, command func(*call) int) int {
	answer := new(bytes.Buffer)
	out := c.out
	switch how {
	case "":
		return command(c)
	case Garbage:
		_, _ = out.Write([]byte("\x00\xff\xfe QMNAME(\x1b[31m AMQ S0000000.LOG ((("))
		return 0
	case Failing:
		fmt.Fprintln(out, "AMQ8146E: IBM MQ queue manager not available.")
		return 20
	case Refusing:
		fmt.Fprintf(out, "Starting MQSC for queue manager %s.\n     1 : X\nAMQ8135E: Not authorized.\nOne MQSC command read.\n", c.manager())
		return 10
	case Hanging, Stubborn, Dripping, Flooding:
		endless(out, how)
	}
	c.out = answer
	code := command(c)
	text := answer.String()
	switch how {
	case German:
		text = german.Replace(text)
	case Another:
		text = strings.ReplaceAll(text, c.manager(), "OTHER")
	case Half, Killed:
		text = text[:len(text)/2]
	}
	_, _ = io.WriteString(out, text)
	switch how {
	case Forking:
		child := exec.CommandContext(context.Background(), "sleep", "30")
		child.Stdout = os.Stdout
		if err := child.Start(); err != nil {
			return 98
		}
	case Killed:
		_ = self().Kill()
		time.Sleep(time.Minute)
	}
	return code
}

// endless does not come back.
func endless(out io.Writer, how Behaviour) {
	if how == Stubborn {
		signal.Ignore()
	}
	block := bytes.Repeat([]byte("QMNAME(QM1)\n"), 1<<16)
	for {
		switch how {
		case Dripping:
			_, _ = out.Write([]byte("A"))
			time.Sleep(10 * time.Millisecond)
		case Flooding:
			_, _ = out.Write(block)
		default:
			time.Sleep(time.Hour)
		}
	}
}

func self() *os.Process {
	p, err := os.FindProcess(os.Getpid())
	if err != nil {
		panic(err)
	}
	return p
}

// german turns what runmqsc prints around its answers into German. Attributes
// and ids are the same in every language.
var german = strings.NewReplacer(
	"Starting MQSC for queue manager ", "MQSC für Warteschlangenmanager starten: ",
	"Display Queue Manager Status Details.", "Details zum Warteschlangenmanagerstatus anzeigen.",
	"One MQSC command read.", "Ein MQSC-Befehl gelesen.",
	"No commands have a syntax error.", "Keine Befehle mit Syntaxfehlern.",
	"All valid MQSC commands were processed.", "Alle gültigen MQSC-Befehle wurden verarbeitet.",
)
