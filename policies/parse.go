package policies

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// deepest is how many brackets may be open at once. The parser recurses for
// each; a policy needs four.
const deepest = 32

// mostOperators is how many operators a file may have before it is refused
// unread; each of them is a mistake anyway.
const mostOperators = 1000

// parse turns a text into the parser's tree. Where the text breaks the syntax
// the tree lacks something; what is in it is looked at all the same, so that
// one slip does not hide the others. An argument that is set twice breaks
// nothing.
func parse(s *source) (body *hclsyntax.Body, ds Diagnostics) {
	defer func() {
		// The parser is foreign code over foreign text; a panic in it is a
		// mistake of one file, not the end of an agent.
		if r := recover(); r != nil {
			body = nil
			ds.add(Place{File: s.name}, "this file can't be read", "the parser failed: %v", r)
		}
	}()
	if ds = scan(s); len(ds) > 0 {
		return nil, ds
	}
	file, problems := hclsyntax.ParseConfig(s.text, s.name, hcl.InitialPos)
	for _, problem := range problems {
		ds = append(ds, s.syntax(problem))
		s.broken = s.broken || problem.Summary != "Attribute redefined"
	}
	if file == nil {
		return nil, ds
	}
	return file.Body.(*hclsyntax.Body), ds
}

// scan refuses a text on which the parser would recurse without bound: a
// stack that overflows can't be recovered from. Brackets nest; operators and
// template directives recurse without one.
func scan(s *source) (ds Diagnostics) {
	tokens, _ := hclsyntax.LexConfig(s.text, s.name, hcl.InitialPos)
	depth, operators := 0, 0
	for _, token := range tokens {
		switch token.Type {
		case hclsyntax.TokenOBrace, hclsyntax.TokenOBrack, hclsyntax.TokenOParen, hclsyntax.TokenTemplateInterp:
			depth++
		case hclsyntax.TokenCBrace, hclsyntax.TokenCBrack, hclsyntax.TokenCParen, hclsyntax.TokenTemplateSeqEnd:
			depth = max(depth-1, 0)
		case hclsyntax.TokenBang, hclsyntax.TokenMinus, hclsyntax.TokenQuestion, hclsyntax.TokenTemplateControl:
			operators++
		}
		if depth > deepest || operators > mostOperators {
			ds.add(s.place(token.Range), "nested too deeply", "this is no policy")
			return ds
		}
	}
	return ds
}

// syntax turns the parser's complaint into one of ours.
func (s *source) syntax(problem *hcl.Diagnostic) Diagnostic {
	at := Place{File: s.name, Line: 1, Column: 1, source: s}
	if problem.Subject != nil {
		at = s.place(*problem.Subject)
	}
	summary := problem.Summary
	if summary != "" {
		summary = strings.ToLower(summary[:1]) + summary[1:]
	}
	if problem.Summary == "Attribute redefined" {
		summary = "argument set twice"
	}
	return diagnose(at, false, summary, problem.Detail)
}
