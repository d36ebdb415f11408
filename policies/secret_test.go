package policies

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// holder hides a secret in an unexported field, where fmt calls no methods.
type holder struct{ inner Secret }

// Nothing that prints a secret shows it.
func TestSecretNeverPrints(t *testing.T) {
	s := newSecret("env", "X", testSecret)
	var logged bytes.Buffer
	slog.New(slog.NewJSONHandler(&logged, nil)).Info("m", "secret", s, "any", slog.AnyValue(s))
	slog.New(slog.NewTextHandler(&logged, nil)).Info("m", "secret", s, "holder", holder{s})
	marshalled, err := json.Marshal(map[string]any{"a": s, "b": &s, "c": []Secret{s}})
	if err != nil {
		t.Fatal(err)
	}
	printed := []string{logged.String(), string(marshalled), s.String(), s.From(), fmt.Errorf("x: %w, %v", errors.New("y"), s).Error()}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		printed = append(printed, fmt.Sprintf(verb, s), fmt.Sprintf(verb, &s), fmt.Sprintf(verb, holder{s}), fmt.Sprintf(verb, []Secret{s}))
	}
	for _, text := range printed {
		if strings.Contains(text, testSecret) || strings.Contains(text, fmt.Sprintf("%x", testSecret)) {
			t.Errorf("the secret shows in %q", text)
		}
	}
	if s.Reveal() != testSecret || s.From() != `env("X")` || (Secret{}).Reveal() != "" {
		t.Error("the secret can't be had by the one who needs it")
	}
}

// A whole configuration with secrets shows none, however it is printed.
func TestConfigurationHidesSecrets(t *testing.T) {
	c := loadValid(t)
	var shown strings.Builder
	fmt.Fprintf(&shown, "%v %+v %#v", c, c, c)
	for _, p := range c.Policies {
		fmt.Fprintf(&shown, "%+v %s %s", p, Sentence(p), Diff(p, Bundled(testChecks())[0]))
	}
	marshalled, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	shown.Write(marshalled)
	for _, secret := range []string{testSecret, "hunter2-from-file"} {
		if strings.Contains(shown.String(), secret) {
			t.Errorf("%q shows", secret)
		}
	}
	orders, _ := c.Target("ORDERS")
	if secret := orders.Connection.Settings.Get("password").(Secret); secret.Reveal() != testSecret {
		t.Error("the password was not read")
	}
	manager, _ := c.Target("QMA1")
	if secret := manager.Connection.Settings.Get("key").(Secret); secret.Reveal() != "hunter2-from-file" {
		t.Error("the file was not read, or its newline kept")
	}
}

// A password in the file, where it should not be, is not repeated in a
// message about its line.
func TestDiagnosticHidesPassword(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.hcl")
	text := "queue_manager \"Q\" {\n  platform = \"ibmi\"\n  connection \"ssh\" {\n    host = \"h\"\n    password = \"hunter2\"\n    passwort = [\"hunter2\", 7]\n  }\n}\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Load(testChecks(), path)
	var ds Diagnostics
	if !errors.As(err, &ds) || len(ds) != 3 {
		t.Fatalf("Load: %v", err)
	}
	var b strings.Builder
	if err := ds.Write(&b, false); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String()+err.Error()+fmt.Sprintf("%+v", ds), "hunter2") {
		t.Errorf("the password shows:\n%s", b.String())
	}
	if !strings.Contains(b.String(), "password = (hidden)") {
		t.Errorf("the line does not show:\n%s", b.String())
	}
}

func TestReadSecretFileRefuses(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"empty": "\n", "large": strings.Repeat("x", longestSecret+1)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{
		"empty": "is empty", "large": "more than", "absent": "secret file", ".": "not a regular file",
	} {
		if _, _, err := readSecretFile(dir, name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
}
