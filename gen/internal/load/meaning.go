package load

// Check is what a keyword means to gen/internal/plan.
type Check uint8

// The meanings of keywords as checks.
const (
	NoCheck Check = iota
	CheckType
	CheckEnum
	CheckConst
	CheckBound     // compares a number with a limit
	CheckExclusive // makes the limit beside it an excluded one
	CheckMultiple
	CheckLength
	CheckPattern
	CheckFormat
	CheckMinItems
	CheckMaxItems
	CheckItems // the elements: all, those behind prefixItems, or one schema for each
	CheckPrefixItems
	CheckAdditionalItems // those behind a list in CheckItems
	CheckContains
	CheckMinContains
	CheckMaxContains
	CheckUnique
	CheckMinMembers
	CheckMaxMembers
	CheckProperties
	CheckRequired
	CheckSelfRequired // the member that the schema stands for is required
	CheckPatterns     // members by a pattern of their names
	CheckOthers       // members that properties and patterns do not describe
	CheckNames        // the names of members
	CheckDependency
	CheckRef
	CheckDynamicRef
	CheckAnchor // where dynamic references may lead
	CheckAll
	CheckAny
	CheckOne
	CheckNot
	CheckIf
	CheckThen
	CheckElse
	CheckUnevaluatedMembers
	CheckUnevaluatedItems
)

// Go is what a keyword means to gen/internal/types.
type Go uint8

// The meanings of keywords as parts of a Go type.
const (
	NoGo Go = iota
	GoDefinitions
	GoKind
	GoConst
	GoEnum
	GoLeast // a number that values are not below
	GoMost  // a number that values are not above
	GoMinLength
	GoMinItems
	GoUnique
	GoRef        // another schema holds for the same value
	GoDynamicRef // so it does, where it can be told which
	GoAll        // all its schemas hold for the same value
	GoUnion      // some of its schemas hold for the same value
	GoMaybe      // its schemas may or may not hold for the same object
	GoProperties
	GoRequired
	GoSelfRequired
	GoPatterns
	GoOthers
	GoItems
	GoPrefixItems
	GoAdditionalItems
)

// Checks finds the keyword with a meaning as a check. It returns nil where the schema has none.
func (s *Schema) Checks(c Check) *Keyword {
	return s.find(func(k *Keyword) bool { return k.Check == c })
}

// Shows finds the keyword with a meaning as part of a Go type, or nil.
func (s *Schema) Shows(g Go) *Keyword {
	return s.find(func(k *Keyword) bool { return k.Go == g })
}

func (s *Schema) find(is func(*Keyword) bool) *Keyword {
	for i := range s.Keywords {
		if is(&s.Keywords[i]) {
			return &s.Keywords[i]
		}
	}
	return nil
}
