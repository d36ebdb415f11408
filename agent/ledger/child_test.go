package ledger

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/mqhk/mqhk/plugins"
)

// childRole in the environment makes the test binary a process of its own that
// uses the ledger in the folder childFolder.
const (
	childRole   = "MQHK_LEDGER_CHILD"
	childFolder = "MQHK_LEDGER_FOLDER"
)

func TestMain(m *testing.M) {
	roles := map[string]func(*Ledger) error{"work": childWork, "claim": childClaim}
	do, ok := roles[os.Getenv(childRole)]
	if !ok {
		os.Exit(m.Run())
	}
	l, err := Open(context.Background(), os.Getenv(childFolder), Options{})
	if err == nil {
		err = do(l)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// childWork intends and sees batches without end, and says on standard output
// what was acknowledged.
func childWork(l *Ledger) error {
	ctx := context.Background()
	f := firing("")
	f.For, f.Task = time.Hour, fmt.Sprintf("receivers-%d", os.Getpid())
	lease, err := l.Claim(ctx, f)
	if err != nil {
		return err
	}
	for n := 0; ; n++ {
		var actions []plugins.Action
		var results []plugins.Result
		for i := range 20 {
			id := fmt.Sprintf("%d.%d", n, i)
			actions = append(actions, deletion(id))
			results = append(results, plugins.Result{Action: id, State: plugins.Done})
		}
		if err := l.Intend(ctx, lease, actions); err != nil {
			return err
		}
		fmt.Printf("intended %s %d\n", f.Task, n)
		if err := l.Seen(ctx, lease, results); err != nil {
			return err
		}
		fmt.Printf("seen %s %d\n", f.Task, n)
	}
}

// childClaim claims each key that it reads and says what came of it; at an
// empty line it releases what it has.
func childClaim(l *Ledger) error {
	ctx := context.Background()
	input := bufio.NewScanner(os.Stdin)
	var lease *Lease
	for input.Scan() {
		key, outcome := input.Text(), "won"
		switch key {
		case "":
			if lease != nil {
				if err := lease.Release(ctx, "done"); err != nil {
					return err
				}
			}
			lease, outcome = nil, "released"
		default:
			var err error
			lease, err = l.Claim(ctx, firing(key))
			switch {
			case errors.As(err, new(*Held)):
				outcome = "held"
			case errors.Is(err, ErrFired):
				outcome = "fired"
			case err != nil:
				return err
			}
		}
		fmt.Println(outcome)
	}
	return input.Err()
}

// child is such a process.
type child struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Scanner
}

func start(t *testing.T, role, dir string) *child {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childRole+"="+role, childFolder+"="+dir)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	must(t, err)
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return &child{cmd, in, bufio.NewScanner(out)}
}

// line gives the next line of what the process says.
func (c *child) line(t *testing.T) string {
	t.Helper()
	if !c.out.Scan() {
		t.Fatalf("the child ended: %v", c.out.Err())
	}
	return strings.TrimSpace(c.out.Text())
}

func (c *child) say(t *testing.T, line string) {
	t.Helper()
	_, err := fmt.Fprintln(c.in, line)
	must(t, err)
}
