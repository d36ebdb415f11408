package dlq

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"io"
	"math/big"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// The cookie of plugins/serve/handshake.go.
const cookie = "MQHK_PLUGIN=b1e6d1a0-mqhk-housekeeping-plugin"

func TestStartedByHand(t *testing.T) {
	needPython(t)
	out, err := exec.CommandContext(t.Context(), "./mqhk-plugin-dlq").CombinedOutput()
	if exit := new(exec.ExitError); !errors.As(err, &exit) || exit.ExitCode() != 1 || !strings.Contains(string(out), "not by hand") {
		t.Errorf("%v: %s", err, out)
	}
}

// It says in one line where it listens and by which certificate it is known, and
// ends with its host, which may have been killed (case 73).
func TestEndsWithItsHost(t *testing.T) {
	needPython(t)
	line, host, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer line.Close()
	command := exec.CommandContext(t.Context(), "./mqhk-plugin-dlq")
	command.ExtraFiles = []*os.File{line}
	command.Env = []string{cookie, "MQHK_PLUGIN_LIFELINE=3", "PLUGIN_UNIX_SOCKET_DIR=" + t.TempDir(), "PLUGIN_CLIENT_CERT=" + certificate(t)}
	command.Stderr = os.Stderr
	stdout, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	handshake, err := bufio.NewReader(stdout).ReadString('\n')
	words := strings.Split(strings.TrimSpace(handshake), "|")
	if err != nil || len(words) != 6 || strings.Join(words[:3], "|") != "1|1|unix" || words[4] != "grpc" {
		t.Errorf("it says %q, %v", handshake, err)
	} else if raw, err := base64.RawStdEncoding.DecodeString(words[5]); err != nil {
		t.Error(err)
	} else if made, err := x509.ParseCertificate(raw); err != nil || made.VerifyHostname("localhost") != nil {
		t.Errorf("its certificate is for %v, %v", made, err)
	}

	// However busy the machine is, it ends; a second is what is promised.
	hung := time.AfterFunc(5*time.Second, func() { _ = command.Process.Kill() })
	defer hung.Stop()
	began := time.Now()
	_ = host.Close()
	more, _ := io.ReadAll(stdout)
	if err := command.Wait(); err == nil || err.Error() != "exit status 1" || len(more) > 0 {
		t.Errorf("without its host it ended with %v, and said %q", err, more)
	}
	if took := time.Since(began); took > time.Second {
		t.Errorf("it outlived its host by %s", took)
	}
}

// certificate makes one as a host has it.
func certificate(t *testing.T) string {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P521(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true}
	made, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: made}))
}
