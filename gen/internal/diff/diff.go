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

// received reports whether messages of the type come from elsewhere. Nobody's old messages are
// refused then; what changes is the Go that reads the new ones.
func received(m plan.Message) bool {
	return m.Schema.File.Document != nil && m.Schema.File.Document.Received
}

// called names a message type.
func called(m plan.Message) string {
	if m.Schema.File.Document != nil {
		return m.Schema.File.Path
	}
	return "message type " + m.ID
}

// Compare lists the changes from one version to another, by schema and kind.
func Compare(before, after Version) ([]Change, error) {
	var changes []Change
	old := map[string]plan.Message{}
	for _, m := range before.Plan.Messages {
		if !received(m) {
			old[m.ID] = m
		}
	}
	for _, m := range after.Plan.Messages {
		if received(m) {
			continue
		}
		was, there := old[m.ID]
		delete(old, m.ID)
		if !there {
			changes = append(changes, Change{m.ID, Added, called(m)})
			continue
		}
		for _, text := range implies(was.Func.Node, m.Func.Node) {
			changes = append(changes, Change{m.ID, Refused, text})
		}
	}
	for id, m := range old {
		text := "the message type is gone"
		if m.Schema.File.Document != nil {
			text = called(m) + " is gone"
		}
		changes = append(changes, Change{id, Refused, text})
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
