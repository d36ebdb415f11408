package local

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// passed are the variables that a command gets from this process. Those that
// would lead it to another queue manager (MQSERVER, MQCHLLIB, MQCCDTURL,
// MQ_CONNECT_TYPE) are none of them.
var passed = []string{
	"PATH", "HOME", "USER", "LOGNAME", "TZ", "TMPDIR", "LD_LIBRARY_PATH", "LIBPATH",
	"MQ_INSTALLATION_PATH", "MQ_INSTALLATION_NAME", "MQ_DATA_PATH", "MQ_JRE_PATH", "MQ_JAVA_LIB_PATH",
	"SystemRoot", "SystemDrive", "ComSpec", "PATHEXT", "ProgramData", "ProgramFiles", "TEMP", "TMP",
}

// passedToPrefix are those that the program of a prefix needs beside them, to
// find its containers.
var passedToPrefix = []string{"DOCKER_HOST", "DOCKER_CONFIG", "DOCKER_CONTEXT", "DOCKER_CERT_PATH", "DOCKER_TLS_VERIFY", "CONTAINER_HOST", "CONTAINERS_CONF", "XDG_RUNTIME_DIR", "KUBECONFIG"}

// plain has commands speak English, in the C locale.
var plain = []string{"LC_ALL=C", "LANG=C", "LANGUAGE=C"}

// environment gives the environment of a command.
func (m *machine) environment() []string {
	names := passed
	if len(m.settings.Prefix) > 0 {
		names = slices.Concat(passed, passedToPrefix)
	}
	var env []string
	for _, name := range names {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return append(env, plain...)
}

// wrapped puts the prefix in front of a command. A signal to docker exec does
// not get to the command in the container, so there it has a time limit of its
// own, which ends before ours.
func (m *machine) wrapped(ctx context.Context, argv []string) []string {
	if len(m.settings.Prefix) == 0 {
		return argv
	}
	within := m.settings.Timeout
	if deadline, ok := ctx.Deadline(); ok {
		within = time.Until(deadline)
	}
	within -= min(time.Second, within/10)
	seconds := strconv.FormatFloat(max(within.Seconds(), 0.001), 'f', 3, 64)
	kill := strconv.FormatFloat(grace.Seconds(), 'f', -1, 64)
	return slices.Concat(m.settings.Prefix, []string{"timeout", "-k", kill, seconds, "env"}, plain, argv)
}

// installed are the folders in which the commands of MQ are where PATH does not
// name them.
var installed = map[string]string{"aix": "/usr/mqm/bin", "windows": `C:\Program Files\IBM\MQ\bin64`}

// find gives the path of a program of this machine.
func (m *machine) find(name string) (string, error) {
	found, err := exec.LookPath(name)
	if err == nil {
		return filepath.Abs(found)
	}
	folder, ok := installed[runtime.GOOS]
	if !ok {
		folder = "/opt/mqm/bin"
	}
	if mqCommand(name) && errors.Is(err, exec.ErrNotFound) {
		if found, again := exec.LookPath(filepath.Join(folder, name)); again == nil {
			return found, nil
		}
	}
	return "", fmt.Errorf("%s can't be run: %w", name, err)
}

// mqCommand tells whether a program is one of MQ's.
func mqCommand(name string) bool {
	return strings.HasPrefix(name, "dspmq") || name == "runmqsc" || name == "rcdmqimg"
}

// program gives a command of MQ by its name, in the configured folder.
func (m *machine) program(name string) string {
	switch {
	case m.settings.Bin == "":
		return name
	case len(m.settings.Prefix) > 0:
		return path.Join(m.settings.Bin, name)
	default:
		return filepath.Join(m.settings.Bin, name)
	}
}
