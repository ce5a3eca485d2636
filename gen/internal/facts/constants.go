package facts

import (
	"github.com/zenlix/echo-mcp/gen/internal/load"
	"github.com/zenlix/echo-mcp/gen/jsonrt"
	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// Constants are the values of one kind that are possible where several schemas apply: strings
// decoded, booleans and integers as jsonrt.ScalarText gives them, "" for one too large for that. It
// reports false where the
// schemas don't limit them to a list.
func (f *Facts) Constants(members []*load.Schema, kind Kinds) (list []string, finite bool) {
	if f.KindsOf(members)&kind == 0 {
		return nil, true
	}
	for _, s := range f.All(members, kind) {
		if some, ok := f.OwnConstants(s, kind); ok && (!finite || len(some) < len(list)) {
			list, finite = some, true
		}
	}
	return list, finite
}

// OwnConstants are the values of one kind that the schema's own keywords allow, each once; false
// where they do not limit them to a list.
func (f *Facts) OwnConstants(s *load.Schema, kind Kinds) (list []string, finite bool) {
	t := &s.File.Tape
	for i := range s.Keywords {
		var some []string
		switch k := &s.Keywords[i]; k.Go {
		case load.GoConst:
			some = appendConstant(nil, t, k.Value, kind)
		case load.GoEnum:
			for e := range Elements(t, k.Value) {
				some = appendConstant(some, t, e, kind)
			}
		case load.GoUnion:
			branches := f.Branches(k, kind)
			if len(branches) < 2 {
				continue // a single branch is in the closure by itself
			}
			var ok bool
			if some, ok = f.BranchConstants(branches, kind); !ok {
				continue
			}
		default:
			continue
		}
		if !finite || len(some) < len(list) {
			list, finite = some, true
		}
	}
	var unique []string
	seen := make(map[string]bool, len(list))
	for _, s := range list {
		if !seen[s] {
			seen[s] = true
			unique = append(unique, s)
		}
	}
	return unique, finite
}

// BranchConstants are the values of one kind that the branches allow together; false where one of
// them does not limit them to a list.
func (f *Facts) BranchConstants(branches []*load.Schema, kind Kinds) (list []string, finite bool) {
	for _, branch := range branches {
		if f.listing[branch] {
			return nil, false // a branch that leads back to itself
		}
		f.listing[branch] = true
		some, ok := f.Constants([]*load.Schema{branch}, kind)
		delete(f.listing, branch)
		if !ok {
			return nil, false
		}
		list = append(list, some...)
	}
	return list, true
}

// appendConstant adds the value at token v, if it is of the kind.
func appendConstant(list []string, t *jsontape.Tape, v int, kind Kinds) []string {
	switch {
	case KindOf(t, v)&kind == 0:
		return list
	case t.Tokens[v].Kind == jsontape.String:
		return append(list, t.Str(v))
	}
	text, _ := jsonrt.ScalarText(t.Bytes(v))
	return append(list, text)
}
