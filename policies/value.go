package policies

import (
	"fmt"
	"math/big"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// valueKind is what was written to the right of an equals sign.
type valueKind uint8

const (
	wrongValue  valueKind = iota // complained of already
	textValue                    // "..."
	numberValue                  // 7
	flagValue                    // true
	listValue                    // ["...", ...]
	secretValue                  // env("...") or file("...")
)

var valueKinds = [...]string{"nothing", "string", "number", "bool", "list", "secret"}

func (k valueKind) String() string { return valueKinds[k] }

// value is a value and where it stands.
type value struct {
	at     Place
	kind   valueKind
	text   string
	number int64
	flag   bool
	list   []value
	secret Secret
}

// evaluator reads the values of one file. It walks the parser's tree itself:
// nothing in it is evaluated, so nothing can run away.
type evaluator struct {
	source  *source
	secrets bool   // env and file may stand here
	hint    string // how a value that belongs here is written, for one that is a bare word
	ds      *Diagnostics
}

// value reads one expression. What can't be read is complained of and comes
// back as wrong.
func (e evaluator) value(expr hclsyntax.Expression) value {
	at := e.source.place(expr.Range())
	switch expr := expr.(type) {
	case *hclsyntax.LiteralValueExpr:
		return e.literal(at, expr.Val)
	case *hclsyntax.TemplateExpr:
		return e.string(at, expr)
	case *hclsyntax.TupleConsExpr:
		return e.tuple(at, expr)
	case *hclsyntax.FunctionCallExpr:
		return e.call(at, expr)
	case *hclsyntax.UnaryOpExpr:
		if inner := e.negative(expr); inner != nil {
			return value{at: at, kind: numberValue, number: -*inner}
		}
		return e.wrong(at, "not a plain value", "values are written out; there are no operators")
	case *hclsyntax.ScopeTraversalExpr, *hclsyntax.RelativeTraversalExpr:
		return e.bareWord(at)
	case *hclsyntax.ExprSyntaxError:
		return value{at: at} // the parser said so
	case *hclsyntax.ObjectConsExpr:
		return e.wrong(at, "not a plain value", "a block is written without an equals sign")
	case *hclsyntax.TemplateWrapExpr, *hclsyntax.TemplateJoinExpr:
		return e.wrong(at, "not a plain value", "nothing is put into a string: write the value, or $${ for ${ and %%%%{ for %%{ itself")
	}
	return e.wrong(at, "not a plain value", "values are written out; there are no operators")
}

// bareWord complains of a word without quotes. Where its argument takes no
// string, quotes would only be the next mistake.
func (e evaluator) bareWord(at Place) value {
	if e.hint != "" {
		return e.wrong(at, "not a plain value", "%s", e.hint)
	}
	return e.wrong(at, "not a plain value", "write it in quotes: %q", string(e.source.text[at.from:at.to]))
}

func (e evaluator) wrong(at Place, summary, format string, args ...any) value {
	e.ds.add(at, summary, format, args...)
	return value{at: at}
}

func (e evaluator) literal(at Place, v cty.Value) value {
	switch {
	case !v.IsKnown(): // cty panics when asked for such a value
		return e.wrong(at, "not a plain value", "write a string, a number, true, false or a list")
	case v.IsNull():
		return e.wrong(at, "null is not a value", "leave the argument out for its default")
	case v.Type() == cty.Bool:
		return value{at: at, kind: flagValue, flag: v.True()}
	case v.Type() == cty.String:
		return value{at: at, kind: textValue, text: v.AsString()}
	case v.Type() == cty.Number:
		n, exact := v.AsBigFloat().Int64()
		if exact != big.Exact {
			return e.wrong(at, "not a whole number", "numbers are whole and fit 64 bits")
		}
		return value{at: at, kind: numberValue, number: n}
	}
	return e.wrong(at, "not a plain value", "write a string, a number, true, false or a list")
}

// string joins the parts of a quoted string or a heredoc; the parser splits
// it at every escape.
func (e evaluator) string(at Place, expr *hclsyntax.TemplateExpr) value {
	joined := ""
	for _, part := range expr.Parts {
		literal, ok := part.(*hclsyntax.LiteralValueExpr)
		if !ok || !literal.Val.IsKnown() || literal.Val.IsNull() || literal.Val.Type() != cty.String {
			return e.wrong(e.source.place(part.Range()), "not a plain value",
				"nothing is put into a string: write the value, or $${ for ${ and %%%%{ for %%{ itself")
		}
		joined += literal.Val.AsString()
	}
	return value{at: at, kind: textValue, text: joined}
}

func (e evaluator) tuple(at Place, expr *hclsyntax.TupleConsExpr) value {
	v := value{at: at, kind: listValue}
	for _, element := range expr.Exprs {
		read := e.value(element)
		if read.kind != wrongValue && read.kind != textValue {
			read = e.wrong(read.at, "wrong kind of value", "a list holds strings, not a %s", read.kind)
		}
		if read.kind == wrongValue {
			v.kind = wrongValue
		}
		v.list = append(v.list, read)
	}
	return v
}

// negative gives the number behind a minus sign: it is read so that the
// argument's own bound can refuse it.
func (e evaluator) negative(expr *hclsyntax.UnaryOpExpr) *int64 {
	literal, ok := expr.Val.(*hclsyntax.LiteralValueExpr)
	if !ok || expr.Op != hclsyntax.OpNegate || !literal.Val.IsKnown() || literal.Val.IsNull() || literal.Val.Type() != cty.Number {
		return nil
	}
	n, exact := literal.Val.AsBigFloat().Int64()
	if exact != big.Exact {
		return nil
	}
	return &n
}

// call reads env("NAME") and file("path"), where secrets may stand.
func (e evaluator) call(at Place, expr *hclsyntax.FunctionCallExpr) value {
	switch {
	case expr.Name != "env" && expr.Name != "file":
		return e.wrong(e.source.place(expr.NameRange), fmt.Sprintf("no function %q", expr.Name),
			"%s", suggest(expr.Name, secretFunctions))
	case !e.secrets:
		return e.wrong(at, "a secret can't stand here",
			"%s brings a secret in, which only settings of a connection, a store or a plugin may hold", expr.Name)
	case len(expr.Args) != 1 || expr.ExpandFinal:
		return e.wrong(at, expr.Name+" takes one string", "write %s(%q)", expr.Name, "NAME")
	}
	plain := e
	plain.secrets = false
	argument := plain.value(expr.Args[0])
	switch {
	case argument.kind == wrongValue:
		return argument
	case argument.kind != textValue || argument.text == "":
		return e.wrong(argument.at, expr.Name+" takes one string", "not a %s", argument.kind)
	}
	return e.fetch(at, expr.Name, argument)
}

// fetch brings the secret itself in. What goes wrong names the variable or
// the file, never a value.
func (e evaluator) fetch(at Place, function string, argument value) value {
	var (
		read Secret
		open bool
		err  error
	)
	if function == "env" {
		read, err = readEnv(argument.text)
	} else {
		read, open, err = readSecretFile(e.source.dir(), argument.text)
	}
	if err != nil {
		return e.wrong(argument.at, "this secret can't be read", "%v", err)
	}
	if open {
		e.ds.warn(argument.at, "every user can read this secret", "take the right to read from others: chmod o-r")
	}
	return value{at: at, kind: secretValue, secret: read}
}
