package load

import (
	"errors"
	"fmt"
	"net/url"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// reach resolves the references of s and of everything that can be applied from it. A
// dangling reference in a definition that nothing uses is harmless and stays unreported.
func (l *loader) reach(s *Schema) {
	seen := map[*Schema]bool{}
	depth := 0
	var visit func(*Schema)
	visit = func(s *Schema) {
		if s == nil || seen[s] || depth > maxChain {
			return
		}
		seen[s] = true
		if depth++; depth > maxChain {
			l.fault(s.File.At(s.Tok, "more than %d schemas, each referred to or held by the one before, lead here; nothing that long can be compiled: split the schema into several message types", maxChain))
		}
		defer func() { depth-- }()
		for i := range s.Keywords {
			k := &s.Keywords[i]
			if !k.Applies() {
				continue
			}
			if k.Shape == Reference && k.Target == nil && isString(&s.File.Tape, k.Value) {
				k.Target = l.resolve(s, k)
			}
			visit(k.Target)
			for _, sub := range k.Schemas {
				visit(sub)
			}
		}
		// The outermost resource of a dynamic scope decides; all its dynamic anchors may be used.
		for _, dynamic := range s.Resource.Dynamic {
			visit(dynamic)
		}
	}
	visit(s)
}

// resolve finds the schema that a reference names. Where there is none, it notes the fault.
func (l *loader) resolve(s *Schema, k *Keyword) *Schema {
	f := s.File
	text := f.Tape.Str(k.Value)
	fail := func(format string, args ...any) *Schema {
		if l.full() {
			return nil
		}
		l.fault(f.At(k.Value, "%s", fmt.Sprintf("the reference %q ", text)+fmt.Sprintf(format, args...)))
		return nil
	}
	if k.Check == CheckDynamicRef && s.Dialect.Draft >= V1 {
		if found := l.anyDynamic(s, v1Anchor(s, k)); found != nil {
			return found
		}
		return fail("cannot be resolved: no schema has this $dynamicAnchor")
	}
	ref, err := url.Parse(text)
	if err != nil {
		return fail("is not a URI reference: %v", unwrapURL(err))
	}
	uri := s.Resource.URI.ResolveReference(ref)
	fragment := uri.Fragment
	uri.Fragment, uri.RawFragment = "", ""

	res := f.resources[uri.String()]
	if res == nil {
		target, why := l.open(uri)
		if target == nil && why == "" {
			if target, why = l.owner(uri.String()); why != "" {
				return fail("%s", why)
			}
		}
		switch {
		case target == nil && why != "":
			return fail("cannot be resolved: %s", why)
		case target == nil && l.Dir == "":
			return fail("leads out of the schema, and nothing is fetched: say where it lies with -map PREFIX=DIR")
		case target == nil:
			return fail("leads out of %s, and nothing is fetched: put the file into a sub-folder, give it that $id, or say where it lies with -map PREFIX=DIR", path.Clean(filepath.ToSlash(l.Dir)))
		case target.faulty:
			return fail("leads to %s, which has faults", target.Path)
		}
		if res = target.resources[uri.String()]; res == nil {
			res = target.at[0].Resource
		}
	}
	target, why := l.fragment(res, fragment)
	if target == nil {
		return fail("cannot be resolved: %s", why)
	}
	return target
}

// owner finds the one file of the schema folder that has a resource of this URI.
func (l *loader) owner(uri string) (*File, string) {
	owners := l.owners[uri]
	switch len(owners) {
	case 0:
		return nil, ""
	case 1:
		return owners[0], ""
	}
	return nil, fmt.Sprintf("is ambiguous: %s and %s both have the URI %s", owners[0].Path, owners[1].Path, uri)
}

// fragment resolves a fragment, already percent-decoded, within a resource.
func (l *loader) fragment(res *Resource, fragment string) (*Schema, string) {
	if fragment == "" {
		return res.Root, ""
	}
	if !strings.HasPrefix(fragment, "/") {
		if s := res.Anchors[fragment]; s != nil {
			return s, ""
		}
		return nil, fmt.Sprintf("there is no anchor %q in %s", fragment, res.Root.File.Path)
	}
	// Walk down by hand to know the innermost schema around the target: its dialect and
	// resource hold for a target that stands at no known place of a schema.
	f, around := res.Root.File, res.Root
	if s := f.byPointer[res.Root.Pointer+fragment]; s != nil {
		return s, "" // the walk would pass all members before it on its way
	}
	t := &f.Tape
	tok := res.Root.Tok
	for _, step := range strings.Split(fragment[1:], "/") {
		next := child(t, tok, step)
		if next < 0 {
			return nil, fmt.Sprintf("there is nothing at %s in %s", res.Root.Pointer+fragment, f.Path)
		}
		tok = next
		if s := f.at[tok]; s != nil {
			around = s
		}
	}
	if s := f.at[tok]; s != nil {
		return s, ""
	}
	switch kind := t.Tokens[tok].Kind; kind {
	case jsontape.Object, jsontape.True, jsontape.False:
	case jsontape.Invalid, jsontape.Null, jsontape.Number, jsontape.String, jsontape.Array:
		return nil, fmt.Sprintf("at %s in %s stands no schema but a value of type %s", res.Root.Pointer+fragment, f.Path, kind)
	}
	before := len(l.faults)
	s := l.schema(f, tok, res.Root.Pointer+fragment, around.Resource, around.Dialect)
	if len(l.faults) == before {
		l.checkMeta(s)
	}
	return s, ""
}

// child finds the member or element that one step of a pointer names, or -1.
func child(t *jsontape.Tape, tok int, step string) int {
	switch t.Tokens[tok].Kind {
	case jsontape.Object:
		return t.Member(tok, strings.NewReplacer("~1", "/", "~0", "~").Replace(step))
	case jsontape.Array:
		index, err := strconv.Atoi(step)
		if err != nil || strconv.Itoa(index) != step || index < 0 {
			return -1
		}
		end := t.Next(tok)
		for tok++; tok < end; tok = t.Next(tok) {
			if index == 0 {
				return tok
			}
			index--
		}
	case jsontape.Invalid, jsontape.Null, jsontape.False, jsontape.True, jsontape.Number, jsontape.String:
	}
	return -1
}

// unwrapURL drops the repetition of the text from an error of net/url.
func unwrapURL(err error) error {
	var urlErr *url.Error
	if errors.As(err, &urlErr) {
		return urlErr.Err
	}
	return err
}
