package archive

import (
	"regexp"
	"strconv"
)

// exitCodes are those of rcdmqimg and what they mean. Most are from memory and
// were not seen on a queue manager; one that is not listed is told as it is.
var exitCodes = map[int]string{
	26:  "it is a standby instance",
	28:  "an object is not media recoverable",
	36:  "arguments that are not valid",
	40:  "the queue manager is not available",
	49:  "the queue manager is stopping",
	58:  "the queue manager belongs to another installation",
	68:  "media recovery is not supported: the log is not linear",
	69:  "storage is not available",
	70:  "queue space is not available",
	71:  "an unexpected error",
	72:  "the name of the queue manager is not valid",
	119: "the user is not authorised",
	128: "no object was processed",
	131: "a resource problem",
	132: "an object is damaged",
	135: "a temporary object can't be recorded",
}

var exitCode = regexp.MustCompile(`exit code (\d{1,5})\b`)

// exitMeaning says what the exit code in an answer means; empty when there is
// none, or none that is known.
func exitMeaning(answer string) string {
	match := exitCode.FindStringSubmatch(answer)
	if match == nil {
		return ""
	}
	number, _ := strconv.Atoi(match[1])
	return exitCodes[number]
}
