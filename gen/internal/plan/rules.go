package plan

import "github.com/zenlix/echo-mcp/gen/internal/load"

// rule says what becomes of a keyword: plan adds to the node what the keyword says about values
// of the types that it looks at.
type rule struct {
	looks Types
	plan  func(b *builder, s *load.Schema, k *load.Keyword, n *Node)
}

// rules are the rules for every meaning of a keyword, in the order in which the checks of a
// schema come: cheap ones that often fail first, then references, then combinations. Keywords of
// one family come in file order. What is not here is read by the rule of the keyword that it
// stands beside, or has to come first or last: see plan.
func rules() []map[load.Check]rule {
	return []map[load.Check]rule{
		{load.CheckEnum: {Any, (*builder).enum}, load.CheckConst: {Any, (*builder).constant}},
		{load.CheckBound: {Number, (*builder).bound}, load.CheckMultiple: {Number, (*builder).multiple}},
		{load.CheckLength: {String, (*builder).length}},
		{load.CheckPattern: {String, (*builder).pattern}, load.CheckFormat: {String, (*builder).format}},
		{load.CheckMinItems: {Array, (*builder).count}},
		{load.CheckMaxItems: {Array, (*builder).count}},
		{load.CheckItems: {Array, (*builder).items}, load.CheckPrefixItems: {Array, (*builder).items}},
		{load.CheckContains: {Array, (*builder).contains}},
		{load.CheckUnique: {Array, (*builder).unique}},
		{load.CheckMinMembers: {Object, (*builder).count}},
		{load.CheckMaxMembers: {Object, (*builder).count}},
		{
			load.CheckProperties: {Object, (*builder).members}, load.CheckRequired: {Object, (*builder).members},
			load.CheckPatterns: {Object, (*builder).members}, load.CheckOthers: {Object, (*builder).members},
			load.CheckNames: {Object, (*builder).members},
		},
		{load.CheckDependency: {Object, (*builder).dependency}},
		{load.CheckRef: {Any, (*builder).reference}, load.CheckDynamicRef: {Any, (*builder).reference}},
		{
			load.CheckAll: {Any, (*builder).all}, load.CheckAny: {Any, (*builder).union}, load.CheckOne: {Any, (*builder).union},
			load.CheckNot: {Any, (*builder).not}, load.CheckIf: {Any, (*builder).conditional},
		},
	}
}

// isFirst reports whether k is the first keyword of s that has one of the meanings: on its behalf
// all of them are planned as one check.
func isFirst(s *load.Schema, k *load.Keyword, of ...load.Check) bool {
	for i := range s.Keywords {
		for _, c := range of {
			if s.Keywords[i].Check == c {
				return &s.Keywords[i] == k
			}
		}
	}
	return false
}
