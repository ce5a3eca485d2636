package program

import "github.com/zenlix/echo-mcp/gen/internal/plan"

// Cond is a condition: a look at a value that tells no fault.
//
//sumtype:decl
type Cond interface{ isCond() }

// The conditions.
type (
	// IsKind holds for a value of one of some kinds.
	IsKind struct {
		On    Ref
		Kinds plan.Types
	}
	// IsOneOf holds for a value that equals one of some constants.
	IsOneOf struct {
		On     Ref
		Values Constants
	}
	// Matches holds for a string or name that a pattern matches.
	Matches struct {
		On      Ref
		Matcher *plan.Matcher
		At      string // the location of the pattern
	}
	// HasFormat holds for a string of a format.
	HasFormat struct {
		On   Ref
		Name string
	}
	// IsMultiple holds for a multiple of By.
	IsMultiple struct {
		On Ref
		By string
	}
	// HasMember holds for an object with a member.
	HasMember struct {
		On   Ref
		Name string
	}
	// MemberIs holds for an object with a member that is a string.
	MemberIs struct {
		On          Ref
		Name, Value string
	}
)

func (IsKind) isCond()     {}
func (IsOneOf) isCond()    {}
func (Matches) isCond()    {}
func (HasFormat) isCond()  {}
func (IsMultiple) isCond() {}
func (HasMember) isCond()  {}
func (MemberIs) isCond()   {}

// Constants are the values of enum or const.
type Constants struct {
	Strings []string // decoded
	Others  []string // JSON texts of values that are no strings
	Only    bool     // the schema lists nothing but strings
}

// Fault is what is told of a value.
//
//sumtype:decl
type Fault interface{ isFault() }

// The faults. At is the location of the schema that holds the keyword.
type (
	// Plain is a fault with a fixed message.
	Plain struct {
		On                   Ref
		At, Keyword, Message string
	}
	// NotOneOf says which values are allowed.
	NotOneOf struct {
		On          Ref
		At, Keyword string
		Values      Constants
	}
	// Unknown says that the member whose name On is isn't allowed. Known are the names that are.
	Unknown struct {
		On          Ref
		At, Keyword string
		Known       []string
	}
	// Missing says that a member is missing.
	Missing struct {
		On       Ref
		At, Name string
	}
	// Dependent says that the member Name is missing where there is Member.
	Dependent struct {
		On                        Ref
		At, Keyword, Member, Name string
	}
	// BadTag says that a member doesn't tell which of the forms of a union is meant.
	BadTag struct {
		On                  Ref
		At, Keyword, Member string
		Kind                plan.Types // of the values: String, Boolean or Integer
		Values              []string
	}
)

func (Plain) isFault()     {}
func (NotOneOf) isFault()  {}
func (Unknown) isFault()   {}
func (Missing) isFault()   {}
func (Dependent) isFault() {}
func (BadTag) isFault()    {}
