package host

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/mqhk/mqhk/internal/group"
)

// beHost starts a plugin, says which process it is, and waits to be killed.
// Its words are the behaviour of a kit's plugin, or the path of a program and
// its arguments.
func beHost(words []string) {
	started := source(words[0])
	if filepath.IsAbs(words[0]) {
		started = Source{Name: filepath.Base(words[0]), Path: words[0], Args: words[1:]}
	}
	p, err := Start(context.Background(), started, Settings{StartLimit: time.Hour, SocketBase: os.Getenv(envBase)})
	if err == nil {
		_, err = p.Plan(context.Background(), request, echo, Events{})
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.PID())
	forever()
}

// beHostOfCommand has a command leave a process behind while a plugin runs,
// as a command that starts a queue manager does, and stops the plugin.
func beHostOfCommand() {
	p, err := Start(context.Background(), source("nothing"), Settings{SocketBase: os.Getenv(envBase)})
	if err != nil {
		fmt.Println(err)
		return
	}
	command := exec.CommandContext(context.Background(), "/bin/sh", "-c", os.Getenv(envCommand))
	group.Own(command)
	fmt.Println(command.Run(), p.Stop())
}
