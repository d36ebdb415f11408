package main

import (
	"errors"

	"github.com/spf13/pflag"

	"github.com/mqhk/mqhk/core/sim"
	"github.com/mqhk/mqhk/core/sim/ibmi/os400"
	"github.com/mqhk/mqhk/core/sim/ibmi/qmgr"
	"github.com/mqhk/mqhk/policies"
)

// madeIBMi is what the flags for IBM i ask for.
type madeIBMi struct {
	sim.IBMi
	threshold, asp, letter, names string
}

func (m *madeIBMi) flags(flags *pflag.FlagSet) {
	flags.StringVar(&m.Library, "library", "", "`LIBRARY` of the queue manager (default QM and its name)")
	flags.StringVar(&m.letter, "letter", "A", "`LETTER` of the journal: AMQAJRN")
	flags.StringVar(&m.threshold, "threshold", "100000KiB", "`SIZE` at which a receiver is changed, from 64KiB")
	flags.StringVar(&m.FirstReceiver, "first-receiver", "", "`NAME` of the first receiver (default AMQA000000)")
	flags.StringVar(&m.SizeOption, "size-option", "", "`OPTION` that bounds sequence numbers: MAXOPT1, MAXOPT2 or MAXOPT3")
	flags.StringVar(&m.names, "names", "five", "digits of a receiver's name that count: `five` (9.x) or six (V6)")
	flags.StringVar(&m.asp, "asp", "", "`SIZE` of a new system's ASP (default without a limit)")
	flags.BoolVar(&m.OldMessages, "old-messages", false, "AMQ7460 and AMQ7462 name a time and no receiver, as V5.2 did")
}

func (m *madeIBMi) spec(name, system string) (sim.Spec, error) {
	m.Name, m.System = name, system
	size, err := policies.ParseSize(m.threshold)
	if err != nil {
		return nil, usage("--threshold: %v", err)
	}
	m.Threshold = size / 1024
	if m.asp != "" {
		if m.Settings.Capacity, err = policies.ParseSize(m.asp); err != nil {
			return nil, usage("--asp: %v", err)
		}
	}
	if len(m.letter) != 1 || m.letter[0] < 'A' || m.letter[0] > 'Z' {
		return nil, usage("--letter %q is no letter from A to Z", m.letter)
	}
	m.Letter = m.letter[0]
	switch m.names {
	case "five":
	case "six":
		m.Settings.SixDigits = true
	default:
		return nil, usage("--names %q is neither five nor six", m.names)
	}
	return m.IBMi, nil
}

func (m *madeIBMi) mistake(err error) bool {
	return errors.Is(err, qmgr.ErrName) || errors.As(err, new(*os400.Error))
}
