package host

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"time"

	"github.com/hashicorp/go-hclog"
	goplugin "github.com/hashicorp/go-plugin"
	"github.com/hashicorp/go-plugin/runner"
	"google.golang.org/grpc"

	"github.com/mqhk/mqhk/plugins"
	"github.com/mqhk/mqhk/plugins/serve"
	"github.com/mqhk/mqhk/plugins/serve/wire"
)

// windowSize is how many bytes of one stream may be under way before they are
// read: four parts of a plan.
const windowSize = 4 * wire.PartSize

// Start launches a plugin and asks it what it is. The caller stops the
// process when the run is over, and never uses it again.
//
// Its error is ErrInsidePlugin, the context's, or a *StartError that holds
// what the plugin wrote; nothing is left behind then.
func Start(ctx context.Context, source Source, settings Settings) (*Process, error) {
	settings = settings.withDefaults()
	if _, inside := os.LookupEnv(serve.Handshake().MagicCookieKey); inside {
		return nil, fmt.Errorf("starting plugin %s: %w", source.Name, ErrInsidePlugin)
	}
	p := &Process{source: source, settings: settings, log: newStderrLog(settings.Log, source.Name, settings.LogRate)}
	p.log.stdout = settings.Stdout
	p.life, p.end = context.WithCancelCause(context.Background())
	err := p.prepare()
	if err == nil {
		err = p.launch(ctx)
	}
	if err == nil && p.binary.sha256 == "" {
		p.binary.sha256, err = selfHash()
	}
	if err == nil {
		return p, nil
	}
	return nil, p.failedStart(ctx, err)
}

// prepare settles what is run and where it is spoken to.
func (p *Process) prepare() (err error) {
	if p.binary, err = find(p.source, cmp.Or(p.settings.SocketBase, os.TempDir())); err != nil {
		return err
	}
	if want := p.source.SHA256; want != "" && want != p.binary.sha256 {
		return &HashError{Path: p.binary.path, Got: p.binary.sha256, Want: want}
	}
	if p.binary.sha256 == "" {
		p.launching.Go(func() { _, _ = selfHash() }) // beside the start, which asks for it
	}
	if p.dir, err = socketDir(p.settings.SocketBase); err != nil {
		return err
	}
	if p.owner, err = own(p.dir); err != nil {
		return err
	}
	sweep(p.dir, time.Now())
	p.swept = firstSweep()
	p.mark = mark{dir: p.dir, host: hostName()}
	p.family = newFamily(p.mark)
	p.watching.Go(p.watch)
	trust, told, err := mutualTLS()
	if err != nil {
		return err
	}
	p.client = goplugin.NewClient(p.clientConfig(trust, told))
	return nil
}

func (p *Process) clientConfig(trust *tls.Config, told string) *goplugin.ClientConfig {
	return &goplugin.ClientConfig{
		HandshakeConfig:  serve.Handshake(),
		VersionedPlugins: serve.Versions(nil),
		RunnerFunc: func(_ hclog.Logger, cmd *exec.Cmd, _ string) (runner.Runner, error) {
			env := environment(p.settings.Env, slices.Concat(p.source.Env, cmd.Env, p.mark.environment(), []string{serve.EnvCertificate + "=" + told})...)
			c := newChild(p.source, p.binary, env, p.dir, p.log, p.family)
			p.child.Store(c)
			return c, context.Cause(p.life) // stop ends the life before it looks for the child
		},
		UnixSocketConfig: &goplugin.UnixSocketConfig{TempDir: p.dir},
		StartTimeout:     p.settings.StartLimit + time.Second, // launch has the limit
		SyncStdout:       &lineWriter{emit: p.log.printed},
		SyncStderr:       &lineWriter{emit: p.log.line},
		AllowedProtocols: []goplugin.Protocol{goplugin.ProtocolGRPC},
		// Its parser of log lines panics on what it does not expect, unless it
		// is switched off.
		Logger:      hclog.New(&hclog.LoggerOptions{Level: hclog.Off, Output: io.Discard}),
		TLSConfig:   trust,
		SkipHostEnv: true,
		GRPCDialOptions: []grpc.DialOption{
			grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(p.settings.MaxMessage), grpc.MaxCallSendMsgSize(serve.MaxMessage)),
			grpc.WithInitialWindowSize(windowSize),
			grpc.WithInitialConnWindowSize(4 * windowSize),
		},
	}
}

// launch starts the process, shakes hands and gets the description, all
// within the start limit. The library's own calls know no deadline, so they
// have a goroutine; killing the process ends it.
func (p *Process) launch(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, p.settings.StartLimit,
		fmt.Errorf("it did not say what it is within %s", p.settings.StartLimit))
	defer cancel()
	done := make(chan error, 1)
	p.launching.Go(func() { done <- p.connect(ctx) })
	select {
	case err := <-done:
		if err != nil && ctx.Err() != nil { // both at a time
			return context.Cause(ctx)
		}
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (p *Process) connect(ctx context.Context) error {
	protocol, err := p.client.Client()
	if err != nil {
		return errors.New(clean(err.Error(), maxLine))
	}
	service, err := protocol.Dispense(serve.ServiceName)
	if err != nil {
		return fmt.Errorf("connecting: %w", err)
	}
	client, ok := service.(wire.PluginClient)
	if !ok {
		return fmt.Errorf("connecting gave a %T", service)
	}
	reply, err := client.Describe(ctx, &wire.DescribeRequest{})
	if err != nil {
		return fmt.Errorf("asking what it is: %s", clean(err.Error(), maxLine))
	}
	description, err := wire.DecodeDescription(reply)
	if err != nil {
		return fmt.Errorf("reading what it is: %w", err)
	}
	if p.source.Name != "" && description.Name != p.source.Name {
		return fmt.Errorf("it says that its name is %q", clean(description.Name, 100))
	}
	p.ready(client, description, reply)
	return nil
}

// ready makes the process usable.
func (p *Process) ready(client wire.PluginClient, description plugins.Description, reply *wire.DescribeReply) {
	p.service, p.description = client, description
	p.checks, p.confirms, p.performs = reply.GetChecks(), reply.GetConfirms(), reply.GetPerforms()
}

// failedStart ends what was begun and says what it left.
func (p *Process) failedStart(ctx context.Context, err error) error {
	failure := &StartError{Plugin: p.source.Name, Err: err}
	if c := p.child.Load(); c != nil && p.life.Err() == nil {
		// Where it is about to end by itself, how it went is worth more.
		failure.Exit, _ = c.ended(lastWords)
	}
	p.stopping.Do(func() { p.stopErr = p.stop(0) }) //nolint:contextcheck // it ends whatever ctx says
	if over := p.over.Load(); over != nil {
		failure.Err = over
	}
	if p.stopErr != nil {
		failure.Err = errors.Join(failure.Err, p.stopErr)
	}
	failure.Stderr = p.log.tail()
	if ctx.Err() != nil {
		return fmt.Errorf("starting plugin %s: %w", p.source.Name, context.Cause(ctx))
	}
	return failure
}
