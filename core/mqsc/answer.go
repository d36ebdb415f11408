package mqsc

import "strings"

// Answer is what a queue manager printed: the objects it showed, and its
// messages, those that head an object too, both in order.
type Answer struct {
	Objects  []Object
	Messages []Message
}

// Object is one object's attributes as they were printed. Message is the id
// above them, AMQ8409I for one; empty when there was none.
type Object struct {
	Message    string
	Attributes []Attribute
}

// Attribute is NAME(value), or a bare NAME such as CURRENT. The value has no
// blanks around it and, where it was quoted, no quotes.
type Attribute struct {
	Name, Value string
	Bare        bool
}

// Message is one message: its id as printed, what stands behind it, and the
// lines below it that are no attributes, such as the tables of DISPLAY USAGE.
type Message struct {
	ID    string
	Text  string
	Lines []string
}

// Get gives the value of the first attribute with a name, in any case: empty
// for NAME( ) and for a bare NAME. False when it was not printed, which is not
// the same as empty.
func (o Object) Get(name string) (string, bool) {
	for _, attribute := range o.Attributes {
		if strings.EqualFold(attribute.Name, name) {
			return attribute.Value, true
		}
	}
	return "", false
}

// List gives the parts of a value that is a list, apart by commas or blanks,
// such as LOGS(QMBK, QMA1). None when it is empty or was not printed.
func (o Object) List(name string) []string {
	value, _ := o.Get(name)
	return strings.FieldsFunc(value, func(c rune) bool { return c == ',' || c == ' ' || c == '\t' })
}

// Is tells whether the message has an id, whatever severity letter stands
// behind it: MQ printed AMQ8409 up to 7.x and prints AMQ8409I since 9.1.
func (m Message) Is(id string) bool { return stem(m.ID) == stem(id) }

// stem cuts the severity letter off: AMQ8409I to AMQ8409, CSQM201I to CSQM201.
func stem(id string) string { return id[:min(len(id), 7)] }

// Message gives the first message with an id, whatever its severity letter.
func (a Answer) Message(id string) (Message, bool) {
	for _, message := range a.Messages {
		if message.Is(id) {
			return message, true
		}
	}
	return Message{}, false
}

func (a Answer) any(ids ...string) bool {
	for _, id := range ids {
		if _, found := a.Message(id); found {
			return true
		}
	}
	return false
}

// NotFound tells whether the queue manager said that nothing fits: AMQ8147
// (object), AMQ8420 (channel status), AMQ8884 (channel authentication
// record), CSQM297I.
func (a Answer) NotFound() bool { return a.any("AMQ8147", "AMQ8420", "AMQ8884", "CSQM297") }

// SyntaxError tells whether the queue manager could not read the command:
// AMQ8405, whose severity letter is I all the same, or AMQ8406. An older level
// answers so when asked for an attribute that it does not have.
func (a Answer) SyntaxError() bool { return a.any("AMQ8405", "AMQ8406") }
