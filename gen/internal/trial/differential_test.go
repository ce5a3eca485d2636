package trial

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/internal/load"
	"github.com/zenlix/echo-mcp/gen/jsontape"
)

var (
	differentialTime = flag.Duration("differential", 0, "how long to compare with the interpreter; by default one small batch")
	differentialSeed = flag.Uint64("seed", 1, "where the random schemas begin")
)

// TestDifferential compares the compiled code with santhosh-tekuri/jsonschema, an interpreter
// that passes the official suite, on random schemas and documents that nearly fit them: the
// verdict, and that the interpreter reports a fault where the first one of ours is.
func TestDifferential(t *testing.T) {
	const perSchema = 25
	size := 60
	if *differentialTime > 0 {
		size = 400
	}
	start, compared, refused := time.Now(), 0, 0
	for batch := uint64(0); batch == 0 || time.Since(start) < *differentialTime; batch++ {
		for _, draft := range []load.Draft{load.Draft4, load.Draft6, load.Draft7, load.Draft2019, load.Draft2020} {
			r := &random{Rand: rand.New(rand.NewPCG(*differentialSeed, batch*10+uint64(draft))), draft: draft}
			roots, schemas := map[string]object{}, map[string]string{}
			for i := range size / 5 {
				id := fmt.Sprintf("s%d", i)
				roots[id] = r.root()
				schemas[id] = text(roots[id])
			}
			compiled := Compile(t, schemas, Options{Default: draft, Types: true})
			for i := range size / 5 {
				id := fmt.Sprintf("s%d", i)
				var documents []string
				for range perSchema {
					documents = append(documents, text(r.document(roots[id])))
				}
				if compiled.Refused[id] != nil || compiled.Warned[id] {
					// The only reason is a schema that leads back to itself; the interpreter says
					// so for each document.
					refused++
					continue
				}
				peer := interpreter(t, draft, schemas[id])
				for j, ours := range compiled.Validate(t, id, documents...) {
					compare(t, peer, schemas[id], documents[j], ours)
					compared++
				}
			}
		}
		if t.Failed() {
			break
		}
	}
	require.Less(t, refused, compared/perSchema, "most schemas are refused")
	t.Logf("%d documents compared in %.0f s; %d schemas without a verdict", compared, time.Since(start).Seconds(), refused)
}

var peerDrafts = map[load.Draft]*jsonschema.Draft{
	load.Draft4: jsonschema.Draft4, load.Draft6: jsonschema.Draft6, load.Draft7: jsonschema.Draft7, load.Draft2019: jsonschema.Draft2019, load.Draft2020: jsonschema.Draft2020,
}

func interpreter(t *testing.T, draft load.Draft, schema string) *jsonschema.Schema {
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(schema))
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	c.DefaultDraft(peerDrafts[draft])
	require.NoError(t, c.AddResource("mem:///x", doc))
	compiled, err := c.Compile("mem:///x")
	require.NoError(t, err, "the interpreter refuses %s", schema)
	return compiled
}

func compare(t *testing.T, peer *jsonschema.Schema, schema, document string, ours Result) {
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(document))
	require.NoError(t, err)
	err = peer.Validate(value)
	if (err == nil) != ours.Valid || ours.Error != "" {
		t.Errorf("schema %s\ndocument %s\nours: %v %v %s\ntheirs: %v", schema, document, ours.Valid, ours.Details, ours.Error, err)
		return
	}
	var theirs *jsonschema.ValidationError
	if err == nil || !errors.As(err, &theirs) {
		return
	}
	if places := placesOf(theirs); !slices.ContainsFunc(places, func(place string) bool { return samePlace(ours.Details[0].Path, place) }) {
		t.Errorf("schema %s\ndocument %s\nour first fault: %v\ntheir faults: %q", schema, document, ours.Details[0], places)
	}
}

// placesOf lists the places of all faults, inner and outer.
func placesOf(e *jsonschema.ValidationError) []string {
	var pointer []byte
	for _, name := range e.InstanceLocation {
		pointer = jsontape.AppendPointerToken(pointer, name)
	}
	places := []string{string(pointer)}
	if names, ok := e.ErrorKind.(*kind.PropertyNames); ok {
		// The interpreter gives the place of the object up to here, and the names apart.
		places = append(places, nameMark+names.Property)
	}
	for _, cause := range e.Causes {
		places = append(places, placesOf(cause)...)
	}
	return places
}

// nameMark marks the name of a member whose name is at fault.
const nameMark = "\x00"

// samePlace allows for naming the member concerned where the interpreter names its parent.
func samePlace(ours, theirs string) bool {
	if name, marked := strings.CutPrefix(theirs, nameMark); marked {
		return strings.HasSuffix(ours, string(jsontape.AppendPointerToken(nil, name)))
	}
	return ours == theirs || ours[:max(0, strings.LastIndexByte(ours, '/'))] == theirs
}
