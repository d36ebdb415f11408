package errlog

import (
	"strings"
	"time"
)

// The first line of a text record has its date in the locale of whoever wrote
// it: 12/29/2018 11:31:51 PM, 29.12.2018 23:31:51, 2018年12月29日 23時31分51秒.
// Six numbers are always there, in an order that one date alone may not tell.

// order is how day, month and year stand.
type order uint8

const (
	dayFirst order = iota
	monthFirst
	yearFirst
	orders
)

// dateReadings is what a date stands for in each order; zero where it is none.
type dateReadings [orders]time.Time

// alone gives the time when all readings agree.
func (d dateReadings) alone() (time.Time, Clock) {
	var found time.Time
	for _, at := range d {
		switch {
		case at.IsZero():
		case found.IsZero():
			found = at
		case !found.Equal(at):
			return time.Time{}, Ambiguous
		}
	}
	if found.IsZero() {
		return found, NoClock
	}
	return found, Local
}

// readDate reads the date of a first line in every order in which it is one.
func readDate(text string) dateReadings {
	var d dateReadings
	numbers, gaps, found := sixNumbers(text)
	if !found {
		return d
	}
	var n [6]int
	for i, number := range numbers {
		if len(number) > 2 && (len(number) != 4 || i != 0 && i != 2) {
			return d
		}
		for _, c := range []byte(number) {
			n[i] = n[i]*10 + int(c-'0')
		}
	}
	hour, found := hourOf(n[3], gaps[3]+" "+gaps[6])
	if !found {
		return d
	}
	at := func(year, month, day int) time.Time {
		if year < 100 {
			year += 2000
		}
		t := time.Date(year, time.Month(month), day, hour, n[4], n[5], 0, time.UTC)
		// MQ is of 1993. A calendar with other years is not read.
		if t.Day() != day || int(t.Month()) != month || n[4] > 59 || n[5] > 60 || year < 1993 || year > 2100 {
			return time.Time{}
		}
		return t
	}
	if len(numbers[0]) == 4 {
		d[yearFirst] = at(n[0], n[1], n[2])
		return d
	}
	d[dayFirst] = at(n[2], n[1], n[0])
	if strings.TrimSpace(gaps[1]) == "." {
		return d // no locale writes the month first and points
	}
	d[monthFirst] = at(n[2], n[0], n[1])
	if d == (dateReadings{}) && len(numbers[2]) != 4 {
		d[yearFirst] = at(n[0], n[1], n[2]) // a year of two digits comes first only where nothing else fits
	}
	return d
}

// sixNumbers cuts a text into six runs of digits and what stands around them.
func sixNumbers(text string) (numbers [6]string, gaps [7]string, found bool) {
	for i := range numbers {
		start := 0
		for start < len(text) && !digit(text[start]) {
			start++
		}
		end := start
		for end < len(text) && digit(text[end]) {
			end++
		}
		if start == end {
			return numbers, gaps, false
		}
		gaps[i], numbers[i], text = text[:start], text[start:end], text[end:]
	}
	gaps[6] = text
	return numbers, gaps, strings.IndexFunc(text, func(c rune) bool { return c >= '0' && c <= '9' }) < 0
}

// Words around the time of day: those that say nothing, and those for the
// halves of the day. Others are not guessed.
var (
	idleWords = strings.NewReplacer("日", "", "일", "", "号", "", "時", "", "时", "", "시", "", "分", "", "분", "", "秒", "", "초", "",
		".", "", ":", "", ",", "", "-", "", "\u00a0", "", "\u202f", "", " ", "", "\t", "")
	forenoon  = []string{"am", "上午", "午前", "오전"}
	afternoon = []string{"pm", "下午", "午後", "오후"}
)

// hourOf gives the hour of the day from the one that is written and the words
// around the time.
func hourOf(hour int, words string) (int, bool) {
	words = strings.ToLower(idleWords.Replace(words))
	switch {
	case hour > 23:
		return 0, false
	case words == "", hour == 0, hour > 12:
		return hour, true
	}
	for _, word := range forenoon {
		if strings.HasPrefix(words, word) {
			return hour % 12, true
		}
	}
	for _, word := range afternoon {
		if strings.HasPrefix(words, word) {
			return hour%12 + 12, true
		}
	}
	return 0, false
}

// dateBefore finds where the date begins that ends a text, blanks and a word
// for half of the day behind it. Where the three numbers of a time are there but
// those of a date are not (a month by its name), it begins with the text.
func dateBefore(text []byte) (at int, found bool) {
	i := len(text)
	for n := range 6 {
		gap := i
		for i > 0 && !digit(text[i-1]) {
			i--
		}
		end := i
		for i > 0 && digit(text[i-1]) {
			i--
		}
		if i == end || gap-end > 24 || n > 0 && gap == end {
			return 0, n >= 3
		}
		if n < 3 && end-i > 2 {
			return 0, false
		}
	}
	return i, true
}
