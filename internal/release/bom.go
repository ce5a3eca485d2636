package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	cdx "github.com/CycloneDX/cyclonedx-go"
	"github.com/google/uuid"
	"github.com/package-url/packageurl-go"
)

// repository is where the source is kept.
const repository = "https://github.com/zenlix/echo-mcp"

// writeBOM writes the bill of materials of a program, CycloneDX 1.6 in JSON: the file with
// its checksum, and each module in it with version, package URL, licence, checksum and what
// it needs. Names of properties are those that CycloneDX has registered for Go.
func writeBOM(w io.Writer, r release, b binary) error {
	refs := map[string]string{}
	for _, m := range b.modules {
		refs[m.path] = packageURL(r, b, m)
	}
	var dependencies []cdx.Dependency
	var components []cdx.Component
	for _, m := range b.modules {
		needed := []string{}
		for _, path := range m.requires {
			needed = append(needed, refs[path])
		}
		dependencies = append(dependencies, cdx.Dependency{Ref: refs[m.path], Dependencies: &needed})
		components = append(components, component(m, refs[m.path]))
	}
	main := components[0]
	main.Type, main.Version, main.Scope = cdx.ComponentTypeApplication, r.version, ""
	main.Hashes = &[]cdx.Hash{{Algorithm: cdx.HashAlgoSHA256, Value: b.sha256}}
	main.ExternalReferences = &[]cdx.ExternalReference{{Type: cdx.ERTypeVCS, URL: repository}}
	main.Properties = &[]cdx.Property{{Name: "cdx:gomod:binary:name", Value: b.name}}
	for _, s := range b.info.Settings {
		if strings.ToUpper(s.Key) == s.Key { // a variable; flags begin with a dash
			*main.Properties = append(*main.Properties, cdx.Property{Name: "cdx:gomod:build:env:" + s.Key, Value: s.Value})
		}
	}

	bom := cdx.NewBOM()
	bom.SerialNumber = uuid.NewSHA1(uuid.NameSpaceURL, []byte(repository+"#"+b.sha256)).URN()
	bom.Metadata = &cdx.Metadata{
		Component: &main,
		Tools: &cdx.ToolsChoice{Components: &[]cdx.Component{{
			Type: cdx.ComponentTypeApplication, Group: b.modules[0].path, Name: "internal/release", Version: r.version,
		}}},
	}
	if !r.source.time.IsZero() {
		bom.Metadata.Timestamp = r.source.time.Format(time.RFC3339)
	}
	rest := components[1:]
	bom.Components, bom.Dependencies = &rest, &dependencies
	return cdx.NewBOMEncoder(w, cdx.BOMFileFormatJSON).SetPretty(true).SetEscapeHTML(false).EncodeVersion(bom, cdx.SpecVersion1_6)
}

// component describes a module as a library.
func component(m module, ref string) cdx.Component {
	c := cdx.Component{
		BOMRef: ref, PackageURL: ref, Type: cdx.ComponentTypeLibrary,
		Name: m.path, Version: m.version, Scope: cdx.ScopeRequired,
	}
	if m.sha256 != "" {
		c.Hashes = &[]cdx.Hash{{Algorithm: cdx.HashAlgoSHA256, Value: m.sha256}}
	}
	if m.path == stdlib {
		c.CPE = fmt.Sprintf("cpe:2.3:a:golang:go:%s:*:*:*:*:*:*:*", m.version)
	}
	// Which of several licences holds for which file is for people to read: all of them do.
	if kinds := m.kinds(); len(kinds) == 1 {
		c.Licenses = &cdx.Licenses{{License: &cdx.License{ID: kinds[0]}}}
	} else {
		c.Licenses = &cdx.Licenses{{Expression: strings.Join(kinds, " AND ")}}
	}
	return c
}

// packageURL names a module as https://github.com/package-url/purl-spec does; this module
// with the program, its platform and the commit.
func packageURL(r release, b binary, m module) string {
	namespace, name := "", m.path
	if slash := strings.LastIndexByte(m.path, '/'); slash >= 0 {
		namespace, name = m.path[:slash], m.path[slash+1:]
	}
	p := packageurl.NewPackageURL(packageurl.TypeGolang, namespace, name, m.version, nil, "")
	if m.version == "" {
		p.Version, p.Subpath = r.version, program
		qualifiers := map[string]string{"goos": b.system, "goarch": b.arch}
		if r.source.commit != "" {
			qualifiers["vcs_url"] = "git+" + repository + "@" + r.source.commit
		}
		p.Qualifiers = packageurl.QualifiersFromMap(qualifiers)
	}
	return p.ToString()
}
