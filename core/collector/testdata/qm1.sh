#!/bin/sh
# mqhk collector for Multiplatforms
# queue manager  QM1
#
# Writes a transcript, the questions and answers of which mqhk makes a
# plan, to
#    mqhk-QM1.mqt
# It only reads. That file is all it changes, and it must not exist yet:
# where there is one already the script ends with an error.
#
# Step 1: run this script on the host on which the queue manager runs
#   as a user of the group mqm, best as mqm itself. It needs no root:
#     . /opt/mqm/bin/setmqenv -m QM1    # or your own installation
#     sh qm1.sh
#   It runs with the sh of Linux and AIX, and asks nothing but displays.
#   No command gets more than 60 seconds; MQHK_SECONDS=300 gives more.
#
# Step 2: read the file, then mail or copy it as UTF-8
#   It holds no message data. It holds names of queues, applications,
#   users and hosts: mqhk can replace them (docs/transcript.md).
#
# What it needs
#   runmqsc       connect, inquire and display authority to the queue
#                 manager, display to its queues; or the group mqm
#   files         read qm.ini, list the directory of the extents and the
#                 one above it
#   A question that fails becomes an ERROR block, is named at the end, and
#   the script goes on. It ends with 1 where nothing of all that a plan is
#   made of was learned: neither the recovery points, nor qm.ini, nor the
#   extents. What it wrote then is of use only to see why.
#
# Not verified on a system
#   AIX: without stat, perl gives the times and owners of the extents;
#     without both, ls gives no times
#   the exit statuses of runmqsc: other than 0 is an error, unless AMQ8147
#     says that there are none

LC_ALL=C
export LC_ALL
PATH=$PATH:/opt/mqm/bin:/usr/mqm/bin
export PATH
umask 077
set -u
set -C # never writes over a file

QM=QM1
OUT=mqhk-QM1.mqt
ROOT=/var/mqm
FOLDER=QM1 # as the queue manager's folders are likely called
SECONDS_EACH=${MQHK_SECONDS:-60}
NEWLINE='
'

# ---- running a command with a time limit

# Both forms of timeout that are in use; AIX has none.
LIMIT=
if timeout -k 10 5 true >/dev/null 2>&1; then
	LIMIT="timeout -k 10 $SECONDS_EACH"
elif timeout 5 true >/dev/null 2>&1; then
	LIMIT="timeout $SECONDS_EACH"
fi

# limited runs a command; its input is what the function is given.
limited() {
	if [ -n "$LIMIT" ]; then
		# shellcheck disable=SC2086 # several words
		$LIMIT "$@"
	else
		watched "$@" 3<&0
	fi
}

# watched does without timeout: a second process looks every second.
watched() {
	"$@" <&3 3<&- &
	watched_pid=$!
	(
		n=0
		while kill -0 "$watched_pid"; do
			[ "$n" -ne "$SECONDS_EACH" ] || kill "$watched_pid"
			[ "$n" -le $((SECONDS_EACH + 10)) ] || kill -9 "$watched_pid"
			n=$((n + 1))
			sleep 1
		done
	) >/dev/null 2>&1 </dev/null 3<&- &
	wait "$watched_pid"
}

# ---- writing blocks

# written ends the script when the file could not be written: a part of a
# transcript is none.
written() {
	[ "$1" -eq 0 ] && return
	echo "mqhk collector: $OUT could not be written and is of no use" >&2
	exit 1
}

# iconv is believed where it tells good UTF-8 from bad.
UTF8=no
if printf '\303\244' | iconv -f UTF-8 -t UTF-8 >/dev/null 2>&1 &&
	! printf '\344\344' | iconv -f UTF-8 -t UTF-8 >/dev/null 2>&1; then
	UTF8=yes
fi

# plain tells whether what comes in can stand as text.
plain() {
	odd=$(tr -d '\011\012\015\040-\176' | {
		if [ "$UTF8" = yes ]; then tr -d '\200-\377'; else cat; fi
	} | wc -c)
	[ "${odd##* }" -eq 0 ]
}

# utf8 tells whether what comes in is UTF-8, or ASCII where nobody can tell.
utf8() {
	[ "$UTF8" != yes ] || iconv -f UTF-8 -t UTF-8 >/dev/null 2>&1
}

# packed writes BASE64.
packed() {
	if printf x | base64 >/dev/null 2>&1; then
		base64
	else
		od -An -v -tu1 | awk '
			BEGIN { set = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/" }
			function out(a, b, c, k) {
				line = line substr(set, int(a / 4) + 1, 1) substr(set, (a % 4) * 16 + int(b / 16) + 1, 1)
				line = line (k > 1 ? substr(set, (b % 16) * 4 + int(c / 64) + 1, 1) : "=") (k > 2 ? substr(set, c % 64 + 1, 1) : "=")
				if (length(line) > 75) { print line; line = "" }
			}
			{ for (i = 1; i <= NF; i++) { byte[k++] = $i; if (k == 3) { out(byte[0], byte[1], byte[2], 3); k = 0 } } }
			END { if (k) out(byte[0], k > 1 ? byte[1] : 0, 0, k); if (line != "") print line }'
	fi
}

# escaped writes lines as those of a body.
escaped() { awk '{ if (/^>>>/ || /^\\/) print "\\" $0; else print }'; }

# header WORDS: a header line.
header() {
	printf '>>> %s\n' "$1" >&4
	written $?
}

# block HEADER TEXT: a block whose answer is a text.
FAILED=0
block() {
	case $1 in
	ERROR*)
		FAILED=$((FAILED + 1))
		echo "mqhk collector: not answered: ${1#ERROR }" >&2
		;;
	esac
	if plain <<END && utf8 <<END2; then
$2
END
$2
END2
		header "$1"
		[ -z "$2" ] && return
		escaped >&4 <<END
$2
END
	else
		header "$1 BASE64"
		packed >&4 <<END
$2
END
	fi
	written $?
}

# answer HEADER STATUS TEXT: a block of what a command printed.
answer() {
	case $2 in
	0) block "$1" "$3" ;;
	124 | 137 | 143)
		block "ERROR $1" "mqhk collector: no answer within $SECONDS_EACH seconds$NEWLINE$3"
		;;
	127) block "ERROR $1" "mqhk collector: no such command$NEWLINE$3" ;;
	*) block "ERROR $1" "$3${NEWLINE}mqhk collector: exit status $2" ;;
	esac
}

# askable tells whether a path can stand in a header.
askable() {
	case $1 in
	*[[:cntrl:]]* | *" #"* | *" = "* | *" BASE64") ;;
	/*) return 0 ;;
	esac
	echo "mqhk collector: this path can't be asked for: $1" >&2
	return 1
}

# clock says what time it is.
clock() {
	now=$(date '+%Y-%m-%dT%H:%M:%S%z')
	case $now in
	*[-+][0-9][0-9][0-9][0-9]) now=${now%??}:${now#"${now%??}"} ;;
	*) now=$(date -u '+%Y-%m-%dT%H:%M:%SZ') ;;
	esac
	header "CLOCK $QM $now"
}

# ---- the questions

# mqsc COMMAND: one DISPLAY command. The answer is in $said too. That
# there are none of what was asked for is an answer (AMQ8147).
mqsc() {
	said=$(
		limited runmqsc "$QM" 2>&1 <<END
$1
END
	)
	status=$?
	case $status:$said in
	10:*AMQ8405* | 10:*AMQ8135*) ;;
	10:*AMQ8147*) status=0 ;;
	esac
	answer "MQSC $QM: $1" "$status" "$said"
	return "$status"
}

# points asks for the recovery points.
points() {
	mqsc 'DISPLAY QMSTATUS ALL' || mqsc 'DISPLAY QMSTATUS LOG'
}

# ctl COMMAND [ARGUMENT]...: one control command. The answer is in $said.
ctl() {
	said=$(limited "$@" 2>&1 </dev/null)
	status=$?
	answer "CTL $QM: $*" "$status" "$said"
	return "$status"
}

# file PATH [NAME]: the content of a file, under the name by which it is asked
# for.
file() {
	asked=${2-$1}
	askable "$asked" || return 1
	why=$( (limited cat "$1") 2>&1 >/dev/null </dev/null)
	status=$?
	if [ "$status" -ne 0 ]; then
		answer "FILE $QM: $asked" "$status" "$why"
		return 1
	fi
	if plain <"$1" && utf8 <"$1"; then
		header "FILE $QM: $asked"
		escaped <"$1" >&4
	else
		header "FILE $QM: $asked BASE64"
		packed <"$1" >&4
	fi
	written $?
}

# value NAME: the value of an attribute in what was said.
value() {
	awk -v name="$1" '{
		at = index(" " $0, " " name "(")
		if (at) { rest = substr($0, at + length(name) + 1); if (end = index(rest, ")")) { print substr(rest, 1, end - 1); exit } }
	}' <<END
$said
END
}

# stanza INI KEY KIND [NAME]: a key of a stanza, out of the text of an ini
# file or of what dspmqinf prints.
stanza() {
	awk -v key="$2" -v kind="$3" -v name="${4-}" '
		function trim(s) { sub(/^[ \t]+/, "", s); sub(/[ \t\r]+$/, "", s); return s }
		function ends() { if (inside && (name == "" || found == name) && got != "" && !done) { print got; done = 1 } }
		/^[ \t]*[#;]/ { next }
		/^[ \t]*[A-Za-z]+:[ \t\r]*$/ { ends(); inside = tolower(trim($0)) == tolower(kind) ":"; found = ""; got = ""; next }
		(at = index($0, "=")) {
			k = tolower(trim(substr($0, 1, at - 1))); v = trim(substr($0, at + 1))
			if (k == "name") found = v
			if (k == tolower(key)) got = v
		}
		END { ends() }' <<END
$1
END
}

# data INI gives the queue manager's data directory out of mqs.ini, or of what
# dspmqinf printed.
data() {
	path=$(stanza "$1" DataPath QueueManager "$QM")
	if [ -z "$path" ]; then
		prefix=$(stanza "$1" Prefix QueueManager "$QM")
		folder=$(stanza "$1" Directory QueueManager "$QM")
		[ -z "$prefix" ] || [ -z "$folder" ] || path=$prefix/qmgrs/$folder
	fi
	printf '%s\n' "$path"
}

# ---- a directory: lines "name size mtime owner mode"

# QUOTED writes a name: one with blanks as a text of Go or C.
QUOTED='function quoted(s) {
	if (s !~ /[ \t"\\]/) return s
	for (out = ""; s != ""; s = substr(s, 2)) {
		c = substr(s, 1, 1)
		out = out (c == "\t" ? "\\t" : c == "\\" || c == "\"" ? "\\" c : c)
	}
	return "\"" out "\""
}'

# lines makes them of fields between slashes: size, seconds, stamp, mode,
# owner as numbers, owner, then the path.
lines() {
	awk -F/ "$QUOTED"'
		function utc(s,   d, y, era, doe, yoe, doy, mp) {
			d = int(s / 86400); s -= d * 86400; d += 719468
			era = int(d / 146097); doe = d - era * 146097
			yoe = int((doe - int(doe / 1460) + int(doe / 36524) - int(doe / 146096)) / 365)
			doy = doe - (365 * yoe + int(yoe / 4) - int(yoe / 100)); mp = int((5 * doy + 2) / 153)
			y = yoe + era * 400; d = doy - int((153 * mp + 2) / 5) + 1; mp += mp < 10 ? 3 : -9
			return sprintf("%04d-%02d-%02dT%02d:%02d:%02d", y + (mp < 3), mp, d, int(s / 3600), int(s / 60) % 60, s % 60)
		}
		{
			fraction = match($3, /\.[0-9]+/) ? substr($3, RSTART, RLENGTH) : ""
			sub(/0+$/, "", fraction); if (fraction == ".") fraction = ""
			print quoted($NF) " " $1 " " utc($2) fraction "Z " ($6 ~ /[ \t]/ ? $5 : $6) " " $4
		}'
}

# look gives what is in the directory that the shell is in, as lines takes it.
look() {
	if stat -c '%s/%Y' . >/dev/null 2>&1; then
		limited find . ! -name . -prune -exec stat -c '%s/%Y/%y/%A/%u:%g/%U:%G/%n' {} +
	else
		limited perl -e '
			opendir(my $d, ".") or die "$!\n";
			for my $n (readdir $d) {
				next if $n eq "." || $n eq "..";
				my @s = lstat($n) or die "$n: $!\n";
				my $m = substr("?pc?d?b?-?l?s???", $s[2] >> 12 & 15, 1);
				for my $i (6, 3, 0) { my $b = $s[2] >> $i & 7; $m .= ($b & 4 ? "r" : "-") . ($b & 2 ? "w" : "-") . ($b & 1 ? "x" : "-"); }
				substr($m, 3, 1) =~ tr/x-/sS/ if $s[2] & 04000;
				substr($m, 6, 1) =~ tr/x-/sS/ if $s[2] & 02000;
				substr($m, 9, 1) =~ tr/x-/tT/ if $s[2] & 01000;
				my $u = getpwuid($s[4]); my $g = getgrgid($s[5]);
				$u = $s[4] unless defined $u; $g = $s[5] unless defined $g;
				print "$s[7]/$s[9]//$m/$s[4]:$s[5]/$u:$g/./$n\n";
			}'
	fi 2>&1 </dev/null
}

# entries does so again where an extent went while it was looked at.
entries() {
	for again in 1 2 3; do
		found=$(look)
		status=$?
		case $again$status in ?0 | ?124 | ?127 | ?137 | ?143) break ;; esac
	done
	printf '%s\n' "$found"
	return "$status"
}

# listed does it by ls, which gives no whole time.
listed() {
	found=$(limited ls -lA 2>&1 </dev/null) || return
	awk "$QUOTED"'
	NF > 8 && /^[-dlps]/ {
		name = $0
		for (i = 1; i < 9; i++) sub(/^ *[^ ]+/, "", name)
		name = substr(name, 2)
		if (/^l/) sub(/ -> .*$/, "", name)
		print quoted(name) " " $5 " - " $3 ":" $4 " " $1
	}' <<END
$found
END
}

# list gives the lines of the directory that the shell is in.
list() {
	if stat -c '%s/%Y' . >/dev/null 2>&1 || perl -e 1 >/dev/null 2>&1; then
		raw=$(entries)
		status=$?
		[ "$status" -ne 0 ] || raw=$(lines <<END
$raw
END
		)
	else
		raw=$(listed)
		status=$?
	fi
	[ -z "$raw" ] || printf '%s\n' "$raw"
	return "$status"
}

# directory PATH: what is in it. A name with a line end in it would make two
# lines of one, so there is no list then.
directory() {
	askable "$1" || return 1
	said=$(
		cd "$1" 2>&1 || exit 1
		(limited ls -A) 2>&1 >/dev/null </dev/null || exit
		if [ -n "$(limited find . ! -name . -prune -name "*$NEWLINE*" </dev/null)" ]; then
			echo 'mqhk collector: a name in it has a line end'
			exit 1
		fi
		all=$(list)
		status=$?
		[ -z "$all" ] || sort <<END
$all
END
		exit "$status"
	)
	status=$?
	answer "LOGDIR $QM: $1" "$status" "$said"
	return "$status"
}

# room PATH: the file system that a directory is in, without what is kept for root.
room() {
	askable "$1" || return 1
	said=$(limited df -Pk "$1" 2>&1 </dev/null)
	status=$?
	if [ "$status" -eq 0 ]; then
		said=$(awk 'NR > 1 { for (i = 5; i <= NF; i++) if ($i ~ /^[0-9]+%$/) { free = ($(i - 1) > 0 ? $(i - 1) : 0); printf "size %.0f\nfree %.0f\n", ($(i - 2) + free) * 1024, free * 1024; exit } }' <<END
$said
END
		)
	fi
	answer "SPACE $QM: $1" "$status" "$said"
}

# ---- the order in which a plan asks

case $OUT in /*) ;; *) OUT=$(pwd)/$OUT ;; esac
exec 4>"$OUT" || exit 1
printf '# mqhk transcript, written by the collector for Multiplatforms\n# %s\n' "$(uname -sr)" >&4
written $?
header "QMGR $QM multiplatforms"
header "ZONE $QM "Europe/Berlin
clock

DATA=
if file "$ROOT/mqs.ini" /var/mqm/mqs.ini; then
	DATA=$(data "$(cat "$ROOT/mqs.ini")")
fi
if ctl dspmqinf "$QM" && [ -z "$DATA" ]; then
	DATA=$(data "$said")
fi
[ -n "$DATA" ] || DATA=$ROOT/qmgrs/$FOLDER
while [ "$DATA" != "${DATA%/}" ]; do DATA=${DATA%/}; done
ctl dspmq -m "$QM" -o status -x
ctl id
LEARNED=no
file "$DATA/qm.ini" && LEARNED=yes
INI=$DATA/qm.ini

points && LEARNED=yes
TOLD=$said
LOG=$(value LOGPATH)
if [ -z "$LOG" ] && [ -r "$INI" ]; then
	LOG=$(stanza "$(cat "$INI")" LogPath Log)
	while [ "$LOG" != "${LOG%/}" ]; do LOG=${LOG%/}; done
	[ -z "$LOG" ] || LOG=$LOG/active
fi
[ -n "$LOG" ] || LOG=$ROOT/log/$FOLDER/active
while [ "$LOG" != "${LOG%/}" ]; do LOG=${LOG%/}; done

clock
directory "$LOG" && LEARNED=yes
directory "${LOG%/*}"
points

# Where the queue manager does not tell its points its error log may.
case $TOLD in
*RECLOG\(S[0-9]*MEDIALOG\(S[0-9]* | *MEDIALOG\(S[0-9]*RECLOG\(S[0-9]*) ;;
*)
	for n in 1 2 3; do
		file "$DATA/errors/AMQERR0$n.LOG"
		[ ! -f "$DATA/errors/AMQERR0$n.json" ] || file "$DATA/errors/AMQERR0$n.json"
	done
	;;
esac
room "$LOG"
mqsc 'DISPLAY QMGR QMID'
mqsc 'DISPLAY CONN(*) ALL'
mqsc 'DISPLAY QSTATUS(*) TYPE(QUEUE) ALL'
mqsc 'DISPLAY QLOCAL(*) MAXMSGL IMGRCOVQ USAGE'
echo "mqhk collector: wrote $OUT; questions that failed: $FAILED" >&2
if [ "$LEARNED" = no ]; then
	echo "mqhk collector: nothing was learned of queue manager $QM: is that its name, and is this its host?" >&2
	exit 1
fi
