// Command prog is the stand-in commands as a program of their own.
package main

import (
	"fmt"
	"os"

	"github.com/mqhk/mqhk/agent/connect/local/standin"
	"github.com/mqhk/mqhk/internal/leave"
)

func main() {
	standin.Main()
	fmt.Fprintln(os.Stderr, "this program stands in for a command of IBM MQ, under its name")
	leave.With(2)
}
