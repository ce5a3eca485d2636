package main

import (
	"encoding/json"
)

// statement is an in-toto statement with SLSA's provenance, in the words of
// https://slsa.dev/spec/v1.1/provenance.
type statement struct {
	Type          string     `json:"_type"`
	Subject       []resource `json:"subject"`
	PredicateType string     `json:"predicateType"`
	Predicate     struct {
		BuildDefinition buildDefinition `json:"buildDefinition"`
		RunDetails      runDetails      `json:"runDetails"`
	} `json:"predicate"`
}

// resource is a file that was made, or something that it was made from.
type resource struct {
	Name        string            `json:"name,omitempty"`
	URI         string            `json:"uri,omitempty"`
	Digest      map[string]string `json:"digest,omitempty"`
	Annotations map[string]bool   `json:"annotations,omitempty"`
}

type buildDefinition struct {
	BuildType          string `json:"buildType"`
	ExternalParameters struct {
		Version   string   `json:"version"`
		Platforms []string `json:"platforms"`
	} `json:"externalParameters"`
	InternalParameters struct {
		Go          string   `json:"go"`
		Flags       []string `json:"flags"`
		Environment []string `json:"environment"`
	} `json:"internalParameters"`
	ResolvedDependencies []resource `json:"resolvedDependencies"`
}

type runDetails struct {
	Builder struct {
		ID string `json:"id"`
	} `json:"builder"`
}

// provenance is one line of JSON that says from which commit, by which toolchain and with
// which flags the files were made. Nobody has signed it: it is what the builder says, for
// others to build again and compare.
func provenance(r release, goVersion string, files []file) ([]byte, error) {
	s := statement{Type: "https://in-toto.io/Statement/v1", PredicateType: "https://slsa.dev/provenance/v1"}
	for _, f := range files {
		s.Subject = append(s.Subject, resource{Name: f.name, Digest: map[string]string{"sha256": f.sha256}})
	}
	build := &s.Predicate.BuildDefinition
	build.BuildType = repository + "/blob/main/docs/deploy.md#a-release"
	build.ExternalParameters.Version = r.version
	for _, p := range r.platforms {
		build.ExternalParameters.Platforms = append(build.ExternalParameters.Platforms, p.system+"/"+p.arch)
	}
	build.InternalParameters.Go = goVersion
	build.InternalParameters.Flags = r.flags()
	build.InternalParameters.Environment = buildEnv()
	from := resource{URI: "git+" + repository}
	if r.source.commit != "" {
		from.Digest = map[string]string{"gitCommit": r.source.commit}
	}
	if r.source.modified {
		from.Annotations = map[string]bool{"modified": true}
	}
	build.ResolvedDependencies = []resource{from}
	s.Predicate.RunDetails.Builder.ID = repository + "/tree/main/internal/release"
	line, err := json.Marshal(s)
	return append(line, '\n'), err
}
