// Package diff compares two versions of the same schemas: which messages that used to be valid
// may be refused now, and which Go identifiers of the generated package changed.
//
// Messages are compared by implication: whatever the new version checks must follow from what
// the old one checked. What cannot be proven is reported. So a report may name a change
// that in fact refuses nothing, but silence means that every old message is still valid.
package diff

import (
	"cmp"
	"slices"

	"github.com/zenlix/echo-mcp/gen/internal/plan"
)

// Change is one difference.
type Change struct {
	Schema string // id
	Kind   Kind
	Text   string
}

// Kind says whom a change concerns.
type Kind int

// The kinds of change. Those before Added break somebody.
const (
	Refused   Kind = iota // old messages may be refused
	GoRemoved             // a Go identifier is gone
	GoChanged             // a Go identifier has another type
	Added                 // a new message type or Go identifier
)

// Breaking reports whether the change can break a sender of messages or a Go program.
func (k Kind) Breaking() bool { return k < Added }

// String is how the kind reads in a report.
func (k Kind) String() string {
	return [...]string{"refused now", "go, gone", "go, changed", "added"}[k]
}

// Version is one version of the schemas.
type Version struct {
	Plan  *plan.Plan
	Types map[string][]byte // the generated files with types
}

// Compare lists the changes from one version to another, by schema and kind.
func Compare(before, after Version) ([]Change, error) {
	var changes []Change
	old := map[string]*plan.Func{}
	for _, m := range before.Plan.Messages {
		old[m.ID] = m.Func
	}
	for _, m := range after.Plan.Messages {
		f := old[m.ID]
		delete(old, m.ID)
		if f == nil {
			changes = append(changes, Change{m.ID, Added, "message type " + m.ID})
			continue
		}
		for _, text := range implies(f.Node, m.Func.Node) {
			changes = append(changes, Change{m.ID, Refused, text})
		}
	}
	for id := range old {
		changes = append(changes, Change{id, Refused, "the message type is gone"})
	}
	goes, err := identifiers(before, after)
	if err != nil {
		return nil, err
	}
	changes = append(changes, goes...)
	slices.SortStableFunc(changes, func(a, b Change) int {
		return cmp.Or(cmp.Compare(a.Schema, b.Schema), cmp.Compare(a.Kind, b.Kind))
	})
	return changes, nil
}
