package connect

// As has a simulated system take what comes over a connection for that of a
// user profile, with the authority of that user. Without it QMQM asks, who may
// do everything there. A connection of another kind stays what it is: its user
// is who signed on.
func As(d Dialer, user string) Dialer {
	if estate, ok := d.(dialer); ok {
		estate.user = user
		return estate
	}
	return d
}
