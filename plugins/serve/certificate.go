package serve

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"fmt"
	"math/big"
	"os"
	"strings"
	"time"
)

// EnvCertificate names the environment variable in which a plugin gets its
// host's certificate as PEM: that of go-plugin's AutoMTLS. A plugin answers
// with its own in the sixth field of its handshake.
const EnvCertificate = "PLUGIN_CLIENT_CERT"

// serverName is what both ends of a connection call themselves, as
// go-plugin's do.
const serverName = "localhost"

// KeyPair makes a key, and a certificate signed with it, for one end of one
// connection. go-plugin's AutoMTLS makes the same on the curve P-521, where
// making and checking take longer than all the rest of a start; P-256 is as
// good for a connection of minutes, and each end takes the other's.
func KeyPair() (tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("making a key: %w", err)
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 128))
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("making a certificate: %w", err)
	}
	now := time.Now()
	template := &x509.Certificate{
		SerialNumber:          serial,
		Subject:               pkix.Name{CommonName: serverName, Organization: []string{"mqhk"}},
		DNSNames:              []string{serverName},
		NotBefore:             now.AddDate(-1, 0, 0), // a clock may be set while a run lasts
		NotAfter:              now.AddDate(1, 0, 0),
		KeyUsage:              x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage:           []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth, x509.ExtKeyUsageServerAuth},
		BasicConstraintsValid: true,
		IsCA:                  true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("making a certificate: %w", err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, nil
}

// mutualTLS is the plugin's side: it takes the host's certificate and no
// other.
func mutualTLS(hosts string) (*tls.Config, error) {
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM([]byte(hosts)) {
		return nil, fmt.Errorf("%s holds no certificate", EnvCertificate)
	}
	own, err := KeyPair()
	if err != nil {
		return nil, err
	}
	return &tls.Config{
		Certificates: []tls.Certificate{own},
		ClientAuth:   tls.RequireAndVerifyClientCert,
		ClientCAs:    pool,
		MinVersion:   tls.VersionTLS12,
	}, nil
}

// secured gives what go-plugin asks for its TLS configuration, once a host has
// told its certificate; nil: it did not.
func secured(hosts string) func() (*tls.Config, error) {
	if hosts == "" {
		return nil
	}
	return func() (*tls.Config, error) {
		config, err := mutualTLS(hosts)
		if err != nil {
			return nil, err
		}
		return config, tellCertificate(config.Certificates[0].Certificate[0])
	}
}

// tellCertificate has the plugin's certificate put into the handshake, which
// go-plugin does only with those that it makes itself. It takes the place of
// os.Stdout until that line was written, when go-plugin takes it from there.
func tellCertificate(certificate []byte) error {
	stdout := os.Stdout
	reader, writer, err := os.Pipe()
	if err != nil {
		return fmt.Errorf("making a pipe for the handshake: %w", err)
	}
	os.Stdout = writer
	go func() {
		defer reader.Close()
		for lines, told := bufio.NewReader(reader), false; !told; {
			line, err := lines.ReadString('\n')
			if err != nil {
				return
			}
			line, told = withCertificate(line, certificate)
			if _, err := stdout.WriteString(line); err != nil {
				return // the host is gone, and the lifeline says so
			}
		}
	}()
	return nil
}

// withCertificate fills the sixth field of a handshake. Another line stays as
// it is: the host will show it.
func withCertificate(line string, certificate []byte) (filled string, handshake bool) {
	fields := strings.Split(strings.TrimSuffix(line, "\n"), "|")
	if len(fields) < 6 || fields[5] != "" {
		return line, false
	}
	fields[5] = base64.RawStdEncoding.EncodeToString(certificate)
	return strings.Join(fields, "|") + "\n", true
}
