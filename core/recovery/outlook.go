package recovery

// outlook says what each recovery would meet after the plan was carried out.
// Where only the older of both points is known each is taken to begin there.
func (d *decider) outlook() Outlook {
	restart, media := d.start(Restart), d.start(Media)
	both := min(restart, media)
	return Outlook{
		Restart:       d.recovery(restart),
		Rebuild:       d.recovery(media),
		StartUpDamage: d.recovery(both),
	}
}

const notKnown = -2

// start gives the index from which on a recovery of the kind reads: -1 when
// that is before everything known, notKnown when nothing tells it.
func (d *decider) start(kind NeedKind) int {
	at, published := notKnown, notKnown
	for _, need := range d.Needs {
		switch i := d.index(need.From); {
		case need.Kind == kind || kind == Restart && need.Kind == UnitOfWork:
			if at == notKnown || i < at {
				at = i
			}
		case need.Kind == Published && (published == notKnown || i < published):
			published = i
		}
	}
	if at == notKnown {
		return published
	}
	return at
}

func (d *decider) recovery(from int) Recovery {
	var r Recovery
	if from == notKnown {
		return r
	}
	if from < 0 {
		r.Missing, r.Needs = 1, 1 // something before all that is known, of which nothing else is known
	}
	for i := max(from, 0); i < len(d.Segments); i++ {
		if s := &d.Segments[i]; s.holdsEntries() {
			r.Needs++
			d.find(i, &r)
		}
	}
	switch {
	case r.Missing > 0:
		r.Ready = Impossible
	case r.InStore > 0:
		r.Ready = RestoreFirst
	default:
		r.Ready = AtOnce
	}
	return r
}

// find counts where segment i will be.
func (d *decider) find(i int, r *Recovery) {
	s := &d.Segments[i]
	_, copied := d.copies[s.ID]
	stays := !d.verdicts[i].Kind.Goes()
	switch {
	case stays && s.State.Readable():
		r.OnSystem++
	case copied || d.verdicts[i].Kind == ArchiveDelete && s.State.Readable():
		if r.InStore == 0 {
			r.First = s.ID.Name
		}
		r.Last = s.ID.Name
		r.InStore++
	default:
		r.Missing++
	}
}
