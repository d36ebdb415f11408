package transcript

import (
	"net/netip"
	"regexp"
	"strings"
)

var (
	// ipv4 is an address; its numbers have no leading zeros, as those of times
	// have.
	ipv4 = regexp.MustCompile(`^(0|[1-9][0-9]{0,2})(\.(0|[1-9][0-9]{0,2})){3}$`)
	// numberRun is where an IPv4 address may stand.
	numberRun = regexp.MustCompile(`[0-9][0-9.]*`)
	// stamp is a date, perhaps with a time: no address, whatever it looks like.
	stamp = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}([-T ][0-9:.,]+)?$`)
	// timeOfDay is a time without a date.
	timeOfDay = regexp.MustCompile(`^[0-9]{1,2}[.:][0-9]{2}([.:][0-9]{2}([.,][0-9]+)?)?$`)
	// dotted is a word with a dot in it: the name of a host, a queue, a file.
	dotted = regexp.MustCompile(`[\pL\pN_-]\.[\pL\pN_-]`)
	// undotted are such words that name nothing: versions, amounts, abbreviations.
	undotted = regexp.MustCompile(`^(?i:[vmqr]{0,3}[0-9]+(\.[0-9]+)*[a-z]?|[0-9]+\.[0-9]+([kmgt]i?b|[mun]?s|h|d)|i\.e|e\.g|a\.m|p\.m)$`)
	// mail is an address of somebody, or a name that begins with one.
	mail = regexp.MustCompile(`[\pL\pN]@[\pL\pN]`)
	// absolute is a path from the root of a file system or of a drive, or one
	// on another machine.
	absolute = regexp.MustCompile(`^([A-Za-z]:[\\/]|/[\pL\pN_.~-]|\\\\)`)
)

// schemes are those of locators that say nothing by themselves.
var schemes = wordSet(`TCP TLS SSL HTTP HTTPS FTP FTPS SFTP SSH LDAP LDAPS FILE AMQP AMQPS MQTT JDBC DB2 NFS SMB WSS WS`)

// locator rewrites a URL: the scheme stays if it is a common one, host, port
// and the rest are taken for names.
func (s *scrubber) locator(text string) string {
	scheme, rest, _ := strings.Cut(text, "://")
	for part := range strings.SplitSeq(scheme, ":") {
		if !schemes[strings.ToUpper(part)] {
			scheme = s.guess(scheme)
			break
		}
	}
	return scheme + "://" + locatorPart.ReplaceAllStringFunc(rest, s.part)
}

// locatorPart is one of the words of a URL, or an IPv6 address in brackets.
var locatorPart = regexp.MustCompile(`\[[^\]]*\]|[^/?&=;:,\[\]]+`)

// part rewrites one word of a URL.
func (s *scrubber) part(part string) string {
	if inner, ok := strings.CutPrefix(part, "["); ok {
		ip, _ := s.ipv6(strings.TrimSuffix(inner, "]"))
		return "[" + ip + "]"
	}
	if productFolders[strings.ToUpper(part)] {
		return part
	}
	return s.guess(part)
}

// ipv6 rewrites an IPv6 address with what may follow it, a zone or the length
// of a prefix; false if the text is none.
func (s *scrubber) ipv6(text string) (string, bool) {
	bare, rest := text, ""
	if at := strings.IndexAny(text, "/%"); at >= 0 {
		bare, rest = text[:at], text[at:]
	}
	ip, err := netip.ParseAddr(bare)
	if err != nil || !ip.Is6() || ip.IsUnspecified() {
		return text, false
	}
	if zone, ok := strings.CutPrefix(rest, "%"); ok {
		rest = "%" + s.guess(zone)
	}
	return s.name(bare) + rest, true
}

// addresses rewrites the IPv4 addresses in a word that has no letters around
// its dots.
func (s *scrubber) addresses(word string) string {
	if stamp.MatchString(word) {
		return word
	}
	return numberRun.ReplaceAllStringFunc(word, func(run string) string {
		bare := strings.TrimRight(run, ".")
		if !ipv4.MatchString(bare) {
			return run
		}
		return s.name(bare) + run[len(bare):]
	})
}

// isDotted tells whether a word with dots is taken for a name as a whole.
func isDotted(word string) bool {
	folded := strings.ToUpper(word)
	first, _, _ := strings.Cut(folded, ".")
	return dotted.MatchString(word) && strings.ContainsFunc(word, isLetter) && !undotted.MatchString(word) &&
		!productFolders[folded] && !supplied[first] && !suppliedShape.MatchString(folded)
}
