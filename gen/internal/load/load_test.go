package load

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"
)

// folder writes the files of a txtar archive to a folder of its own.
func folder(t *testing.T, archive string) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(archive)).Files {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, f.Data, 0o644))
	}
	return dir
}

// target gives where the $ref of a schema leads.
func target(t *testing.T, s *Schema) *Schema {
	t.Helper()
	k := s.Keyword("$ref")
	require.NotNil(t, k, "%s has no $ref", s.Location(nil))
	require.NotNil(t, k.Target)
	return k.Target
}

func at(t *testing.T, m *Message, tok string) *Schema {
	t.Helper()
	i := m.Schema.File.Tape.Lookup(tok)
	require.GreaterOrEqual(t, i, 0, tok)
	s := m.Schema.File.at[i]
	require.NotNil(t, s, "no schema at %s", tok)
	return s
}

func TestReferences(t *testing.T) {
	dir := folder(t, `
-- a.json --
{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "https://example.com/a",
  "properties": {
    "self": {"$ref": "#"},
    "pointer": {"$ref": "#/$defs/x~1y"},
    "percent": {"$ref": "#/$defs/c%25d"},
    "anchor": {"$ref": "#here"},
    "embedded": {"$ref": "item"},
    "inside": {"$ref": "item#/$defs/deep"},
    "byID": {"$ref": "https://example.com/shared/money"},
    "unknown": {"$ref": "#/x-own/place"}
  },
  "x-own": {"place": {"type": "null"}},
  "$defs": {
    "x/y": {"type": "integer"},
    "c%d": {"type": "string"},
    "anchored": {"$anchor": "here"},
    "item": {"$id": "item", "$defs": {"deep": {"$ref": "#/$defs/deeper"}, "deeper": true}}
  }
}
-- b.json --
{"properties": {"file": {"$ref": "common/money.json#/$defs/amount"}, "bare": {"$ref": "common/money"}, "other": {"$ref": "a.json#/properties/self"}}}
-- common/money.json --
{"$id": "https://example.com/shared/money", "$defs": {"amount": {"$ref": "../common/unit.json"}}}
-- common/unit.json --
{"type": "string"}
`)
	// money.json has an $id, so its relative reference is resolved against that.
	g, faults := Load(Options{Dir: dir})
	require.Len(t, faults, 2)
	require.Equal(t, `the reference "../common/unit.json" leads out of `+filepath.ToSlash(dir)+`, and nothing is fetched: put the file into a sub-folder, give it that $id, or say where it lies with -map PREFIX=DIR`, faults[1].Message)
	require.Len(t, g.Messages, 1)

	require.NoError(t, os.WriteFile(filepath.Join(dir, "common", "money.json"), []byte(`{"$id": "https://example.com/shared/money", "$defs": {"amount": {"type": "number"}}}`), 0o644))
	g, faults = Load(Options{Dir: dir})
	require.Empty(t, faults)
	a, b := g.Messages[0], g.Messages[1]
	require.Equal(t, []string{"a", "b"}, []string{a.ID, b.ID})
	for member, want := range map[string]string{
		"self": "a.json#", "pointer": "a.json#/$defs/x~1y", "percent": "a.json#/$defs/c%25d", "anchor": "a.json#/$defs/anchored",
		"embedded": "a.json#/$defs/item", "inside": "a.json#/$defs/item/$defs/deep", "byID": "common/money.json#", "unknown": "a.json#/x-own/place",
	} {
		require.Equal(t, want, target(t, at(t, a, "/properties/"+member)).Location(nil), member)
	}
	require.Equal(t, "a.json#/$defs/item/$defs/deeper", target(t, at(t, a, "/$defs/item/$defs/deep")).Location(nil), "a fragment is resolved in the embedded resource")
	require.Equal(t, "common/money.json#/$defs/amount", target(t, at(t, b, "/properties/file")).Location(nil))
	require.Equal(t, "common/money.json#", target(t, at(t, b, "/properties/bare")).Location(nil))
	require.Equal(t, "a.json#/properties/self", target(t, at(t, b, "/properties/other")).Location(nil))
	require.Equal(t, "#/properties/file", at(t, b, "/properties/file").Location(b.Schema.File))
}

func TestKeywordsByDialect(t *testing.T) {
	dir := folder(t, `
-- beside7.json --
{"$schema": "http://json-schema.org/draft-07/schema#", "$ref": "#/definitions/a", "type": "string", "definitions": {"a": {"$id": "#plain"}}}
-- beside2019.json --
{"$schema": "https://json-schema.org/draft/2019-09/schema", "$ref": "#/$defs/a", "type": "string", "prefixItems": [], "$defs": {"a": {}}}
-- embedded.json --
{"$schema": "https://json-schema.org/draft/2020-12/schema", "$defs": {"old": {"$id": "http://example.com/old", "$schema": "http://json-schema.org/draft-04/schema#", "id": "http://example.com/4", "minimum": 1, "exclusiveMinimum": true}}, "properties": {"x": {"$ref": "http://example.com/4"}}}
-- custom.json --
{"$schema": "http://example.com/meta", "type": "string", "minLength": 3, "properties": {"a": true}}
-- dialects/meta.json --
{"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "http://example.com/meta", "$vocabulary": {"https://json-schema.org/draft/2020-12/vocab/core": true, "https://json-schema.org/draft/2020-12/vocab/applicator": true, "https://example.com/own": false}}
-- unknown.json --
{"$schema": "http://example.com/meta2"}
-- dialects/meta2.json --
{"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "http://example.com/meta2", "$vocabulary": {"https://example.com/own": true}}
`)
	g, faults := Load(Options{Dir: dir})
	require.Len(t, faults, 1)
	require.Contains(t, faults[0].Message, `it requires the vocabulary "https://example.com/own", which this compiler does not know`)
	names := map[string][]string{}
	for _, m := range g.Messages {
		for _, k := range m.Schema.Keywords {
			names[m.ID] = append(names[m.ID], k.Name)
		}
	}
	require.Equal(t, []string{"$ref"}, names["beside7"])
	require.Equal(t, []string{"$schema", "$ref", "type", "$defs"}, names["beside2019"])
	require.Equal(t, []string{"$schema", "properties"}, names["custom"], "the validation vocabulary is not in force")
	for _, m := range g.Messages {
		if m.ID == "embedded" {
			old := target(t, at(t, m, "/properties/x"))
			require.Equal(t, Draft4, old.Dialect.Draft)
			require.NotNil(t, old.Keyword("exclusiveMinimum"))
		}
		if m.ID == "beside7" {
			require.Same(t, at(t, m, "/definitions/a"), m.Schema.Resource.Anchors["plain"])
		}
	}
}

// Nothing outside the folder is read, not even through a symbolic link.
func TestStaysInside(t *testing.T) {
	dir := folder(t, "-- schemas/a.json --\n{\"$ref\": \"link/secret.json\"}\n-- secret/secret.json --\n{}\n")
	require.NoError(t, os.Symlink(filepath.Join(dir, "secret"), filepath.Join(dir, "schemas", "link")))
	_, faults := Load(Options{Dir: filepath.Join(dir, "schemas")})
	require.Len(t, faults, 1)
	require.Contains(t, faults[0].Message, "there is no file")
	require.NoError(t, os.Symlink(filepath.Join(dir, "secret", "secret.json"), filepath.Join(dir, "schemas", "b.json")))
	_, faults = Load(Options{Dir: filepath.Join(dir, "schemas")})
	require.Len(t, faults, 2)
	require.Contains(t, faults[1].String(), "b.json: cannot be read: path escapes from parent")
}

func TestDuplicates(t *testing.T) {
	dir := folder(t, `
-- ids.json --
{"$defs": {"a": {"$id": "http://example.com/x"}, "b": {"$id": "http://example.com/x", "type": "null"}, "c": {"$id": "http://example.com/x"}}}
-- anchors.json --
{"$defs": {"a": {"$anchor": "x"}, "b": {"$anchor": "x"}}}
-- one.json --
{"$id": "http://example.com/same"}
-- two.json --
{"$id": "http://example.com/same"}
-- root.json --
{"$id": "http://example.com/root", "$defs": {"a": {"$id": "http://example.com/root", "type": "null"}}}
-- user.json --
{"$ref": "http://example.com/same"}
`)
	_, faults := Load(Options{Dir: dir})
	var texts []string
	for _, d := range faults {
		texts = append(texts, filepath.Base(d.Path)+" "+d.Pointer+" "+d.Message)
	}
	require.Equal(t, []string{
		`anchors.json /$defs/b/$anchor the anchor "x" is defined twice; the other is at #/$defs/a`,
		`ids.json /$defs/b/$id two different schemas of this file have the URI "http://example.com/x": this one and /$defs/a, in line 1; give one of them another, or write the second as {"$ref": …}`,
		`root.json /$defs/a/$id two different schemas of this file have the URI "http://example.com/root": this one and the file; give one of them another, or write the second as {"$ref": …}`,
		`user.json /$ref the reference "http://example.com/same" is ambiguous: ` + filepath.ToSlash(dir) + `/one.json and ` + filepath.ToSlash(dir) + `/two.json both have the URI http://example.com/same`,
	}, texts)
}
