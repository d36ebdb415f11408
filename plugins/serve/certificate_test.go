package serve

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"net"
	"testing"
)

func TestWithCertificate(t *testing.T) {
	der := []byte{1, 2, 3}
	told := base64.RawStdEncoding.EncodeToString(der)
	for _, test := range []struct {
		line, want string
		handshake  bool
	}{
		{"1|1|unix|/tmp/plugin1|grpc|\n", "1|1|unix|/tmp/plugin1|grpc|" + told + "\n", true},
		{"1|1|unix|/tmp/plugin1|grpc||true\n", "1|1|unix|/tmp/plugin1|grpc|" + told + "|true\n", true},
		{"1|1|unix|/tmp/plugin1|grpc|already\n", "1|1|unix|/tmp/plugin1|grpc|already\n", false},
		{"loading...\n", "loading...\n", false},
		{"", "", false},
	} {
		if got, handshake := withCertificate(test.line, der); got != test.want || handshake != test.handshake {
			t.Errorf("%q: %q, %t", test.line, got, handshake)
		}
	}
}

// Each end takes the other's certificate and no third one.
func TestMutualTLS(t *testing.T) {
	ends := make([]tls.Certificate, 2)
	for i := range ends {
		var err error
		if ends[i], err = KeyPair(); err != nil {
			t.Fatal(err)
		}
	}
	server := &tls.Config{Certificates: ends[:1], ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: pool(t, ends[1]), MinVersion: tls.VersionTLS12}
	stranger, err := KeyPair()
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		client tls.Certificate
		trusts tls.Certificate
		ok     bool
	}{
		"each other":            {ends[1], ends[0], true},
		"a stranger for a host": {stranger, ends[0], false},
		"no certificate":        {tls.Certificate{}, ends[0], false},
		"a stranger as plugin":  {ends[1], stranger, false},
	} {
		host, plugin := net.Pipe()
		client := tls.Client(host, &tls.Config{Certificates: []tls.Certificate{test.client}, RootCAs: pool(t, test.trusts), MinVersion: tls.VersionTLS12, ServerName: serverName})
		served := make(chan error, 1)
		go func() {
			err := tls.Server(plugin, server).Handshake()
			_ = plugin.Close()
			served <- err
		}()
		err := client.Handshake()
		if err == nil {
			_, _ = client.Read(make([]byte, 1)) // the server's refusal comes after
		}
		_ = host.Close()
		if serverErr := <-served; (err == nil && serverErr == nil) != test.ok {
			t.Errorf("%s: %v, %v", name, err, serverErr)
		}
	}
	if _, err := mutualTLS("no certificate"); err == nil {
		t.Error("what is no certificate is taken")
	}
}

func pool(t *testing.T, c tls.Certificate) *x509.CertPool {
	t.Helper()
	parsed, err := x509.ParseCertificate(c.Certificate[0])
	if err != nil {
		t.Fatal(err)
	}
	certificates := x509.NewCertPool()
	certificates.AddCert(parsed)
	return certificates
}
