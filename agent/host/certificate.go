package host

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"

	"github.com/mqhk/mqhk/plugins/serve"
)

// mutualTLS makes a key for the connection to one plugin alone, and what the
// plugin is told of it: AutoMTLS as plugins know it, with a quicker curve (see
// serve.KeyPair). The plugin's certificate comes with its handshake, and
// go-plugin puts it among the roots; until then nobody is trusted.
func mutualTLS() (config *tls.Config, told string, err error) {
	own, err := serve.KeyPair()
	if err != nil {
		return nil, "", err
	}
	return &tls.Config{
		Certificates: []tls.Certificate{own},
		RootCAs:      x509.NewCertPool(),
		MinVersion:   tls.VersionTLS12,
		ServerName:   "localhost", // so go-plugin's servers call themselves
	}, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: own.Certificate[0]})), nil
}
