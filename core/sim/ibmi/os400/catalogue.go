package os400

import (
	"iter"
	"slices"
)

// catalogue holds the receivers of a state in the order of their IDs. A copy
// of it costs nothing: both share what neither changes. A system may have
// thousands of receivers, and a command touches two or three.
type catalogue struct {
	pages   [][]*receiver // sorted, none empty; a page that is there is never written to
	touched []ID          // what was put or dropped since the copy was made
}

// pageMost is how many receivers a page may have.
const pageMost = 256

// catalogueOf makes one of receivers in any order. It tells which one is there
// twice, if one is.
func catalogueOf(all []receiver) (c catalogue, twice ID) {
	sorted := make([]*receiver, len(all))
	for i := range all {
		sorted[i] = &all[i]
	}
	slices.SortFunc(sorted, func(a, b *receiver) int { return compare(a.ID, b.ID) })
	for i := 1; i < len(sorted); i++ {
		if sorted[i].ID == sorted[i-1].ID {
			return c, sorted[i].ID
		}
	}
	for page := range slices.Chunk(sorted, pageMost*3/4) { // with room for more
		c.pages = append(c.pages, page)
	}
	return c, ID{}
}

// copy gives a catalogue that can be changed without this one changing.
func (c *catalogue) copy() catalogue { return catalogue{pages: c.pages} }

// count gives the number of receivers.
func (c *catalogue) count() (n int) {
	for _, page := range c.pages {
		n += len(page)
	}
	return n
}

// all goes through the receivers in the order of their IDs.
func (c *catalogue) all() iter.Seq[receiver] {
	return func(yield func(receiver) bool) {
		for _, page := range c.pages {
			for _, r := range page {
				if !yield(*r) {
					return
				}
			}
		}
	}
}

// seek gives the page of a receiver and its place there, or where both would
// be.
func (c *catalogue) seek(id ID) (page, at int, found bool) {
	page, found = slices.BinarySearchFunc(c.pages, id, func(p []*receiver, id ID) int { return compare(p[0].ID, id) })
	if found || page == 0 {
		return page, 0, found
	}
	page--
	at, found = slices.BinarySearchFunc(c.pages[page], id, func(r *receiver, id ID) int { return compare(r.ID, id) })
	return page, at, found
}

// find gives a receiver, if it is there.
func (c *catalogue) find(id ID) (receiver, bool) {
	page, at, found := c.seek(id)
	if !found {
		return receiver{}, false
	}
	return *c.pages[page][at], true
}

// has tells whether a receiver is there.
func (c *catalogue) has(id ID) bool {
	_, _, found := c.seek(id)
	return found
}

// of gives a receiver; one that is not there is zero.
func (c *catalogue) of(id ID) receiver {
	r, _ := c.find(id)
	return r
}

// put adds a receiver, or takes it for the one of its name.
func (c *catalogue) put(r receiver) {
	c.touched = append(c.touched, r.ID)
	page, at, found := c.seek(r.ID)
	if len(c.pages) == 0 {
		c.pages = [][]*receiver{{&r}}
		return
	}
	next := slices.Clone(c.pages[page])
	switch {
	case found:
		next[at] = &r
	default:
		next = slices.Insert(next, at, &r)
	}
	if len(next) <= pageMost {
		c.replace(page, next)
		return
	}
	half := len(next) / 2
	c.replace(page, next[:half:half], next[half:])
}

// drop takes a receiver out. One that is not there is no error.
func (c *catalogue) drop(id ID) {
	page, at, found := c.seek(id)
	if !found {
		return
	}
	c.touched = append(c.touched, id)
	next := slices.Delete(slices.Clone(c.pages[page]), at, at+1)
	if len(next) == 0 {
		c.replace(page)
		return
	}
	c.replace(page, next)
}

// replace puts other pages in the place of one.
func (c *catalogue) replace(page int, by ...[]*receiver) {
	c.pages = slices.Concat(c.pages[:page], by, c.pages[page+1:])
}
