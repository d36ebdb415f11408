package serve

import (
	"context"

	goplugin "github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"

	"github.com/mqhk/mqhk/plugins/serve/wire"
)

// ProtocolVersion is the version of package wire's protocol. It goes up only
// when an old reader would misread a new sender; fields are added within it.
const ProtocolVersion = 1

// ServiceName is the name by which go-plugin hands out the plugin's service.
const ServiceName = "mqhk"

// EnvLifeline names the environment variable that tells a plugin where its
// lifeline is: the number of a file descriptor, or "stdin". The lifeline is
// the read end of a pipe that nobody writes to; its end is the host's end.
const EnvLifeline = "MQHK_PLUGIN_LIFELINE"

// MaxMessage is the largest message in bytes that a plugin takes from its
// host. Answers and earlier results come in parts far below it.
const MaxMessage = 4 << 20

// Handshake tells a plugin that a host of mqhk started it. The cookie is no
// secret: it only keeps a person from starting a plugin by hand, and a host
// from starting itself for ever.
func Handshake() goplugin.HandshakeConfig {
	return goplugin.HandshakeConfig{
		ProtocolVersion:  ProtocolVersion,
		MagicCookieKey:   "MQHK_PLUGIN",
		MagicCookieValue: "b1e6d1a0-mqhk-housekeeping-plugin",
	}
}

// Versions gives, for each protocol version that this program speaks, the
// services of go-plugin. A host passes nil.
func Versions(server wire.PluginServer) map[int]goplugin.PluginSet {
	return map[int]goplugin.PluginSet{
		ProtocolVersion: {ServiceName: &service{server: server}},
	}
}

// service binds the generated code to go-plugin. The broker is not used: all
// that a call needs goes over its own stream.
type service struct {
	goplugin.NetRPCUnsupportedPlugin
	server wire.PluginServer
}

// GRPCServer is called in the plugin.
func (s *service) GRPCServer(_ *goplugin.GRPCBroker, registrar *grpc.Server) error {
	wire.RegisterPluginServer(registrar, s.server)
	return nil
}

// GRPCClient is called in the host; the result is a wire.PluginClient.
func (s *service) GRPCClient(_ context.Context, _ *goplugin.GRPCBroker, conn *grpc.ClientConn) (any, error) {
	return wire.NewPluginClient(conn), nil
}
