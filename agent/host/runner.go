package host

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

// This file makes child a runner.Runner of go-plugin.

// Start launches the process.
func (c *child) Start(context.Context) error { return c.start() }

// Stdout is what go-plugin reads the handshake from.
func (c *child) Stdout() io.ReadCloser { return handshakeReader{c} }

// Stderr is empty: standard error is read elsewhere.
func (c *child) Stderr() io.ReadCloser { return io.NopCloser(strings.NewReader("")) }

func (c *child) Name() string { return c.name }

// Diagnose adds nothing to go-plugin's messages: the last lines of standard
// error say more.
func (c *child) Diagnose(context.Context) string { return "" }

// Wait returns when the process is gone.
func (c *child) Wait(context.Context) error {
	<-c.exited
	return nil
}

// Kill ends the process and its group.
func (c *child) Kill(context.Context) error {
	c.killGroup()
	return nil
}

// ID is the process number; empty before the start.
func (c *child) ID() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.pid == 0 {
		return ""
	}
	return strconv.Itoa(c.pid)
}

// errElsewhere says that a plugin wants to be spoken to in a place that it
// was not given.
var errElsewhere = errors.New("the plugin listens where it should not")

// PluginToHost checks the address that the plugin says it listens on.
func (c *child) PluginToHost(network, address string) (string, string, error) {
	switch network {
	case "unix":
		if filepath.Dir(filepath.Clean(address)) == filepath.Clean(c.dir) {
			return network, address, nil
		}
	case "tcp":
		host, _, err := net.SplitHostPort(address)
		if runtime.GOOS == "windows" && err == nil && net.ParseIP(host).IsLoopback() {
			return network, address, nil
		}
	}
	return "", "", fmt.Errorf("%w: %s %s", errElsewhere, clean(network, 20), clean(address, 200))
}

// HostToPlugin is part of the broker, which nobody uses.
func (c *child) HostToPlugin(network, address string) (string, string, error) {
	return network, address, nil
}

// handshakeReader reads standard output and notes its end. One goroutine
// reads.
type handshakeReader struct{ *child }

func (r handshakeReader) Read(buffer []byte) (int, error) {
	n, err := r.stdout.Read(buffer)
	r.hear(buffer[:n])
	if err != nil {
		r.heardAll.Do(func() { close(r.heard) })
	}
	return n, err
}

func (r handshakeReader) Close() error { return nil }

// hear takes what comes on standard output: behind the handshake's line
// nothing has a place there, and go-plugin drops it.
func (c *child) hear(data []byte) {
	if !c.shaken {
		_, rest, ends := bytes.Cut(data, []byte{'\n'})
		if !ends {
			return
		}
		c.shaken, data = true, rest
	}
	_, _ = c.printed.Write(data) // it never fails
}
