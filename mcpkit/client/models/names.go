package models

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/zenlix/echo-mcp/internal/modelapi"
	"github.com/zenlix/echo-mcp/mcpkit/client"
)

// modelNames gives each tool's name the one that every API takes, no two the same. A name that fits
// stays; another gets a part of its digest, so that it does not depend on the other tools of the
// list, unless one of them happens to be called so.
func modelNames(tools []client.Tool) map[string]string {
	names, used := map[string]string{}, map[string]bool{}
	for _, t := range tools {
		if fits(t.Name) {
			names[t.Name] = t.Name
			used[t.Name] = true
		}
	}
	for _, t := range tools {
		if names[t.Name] != "" {
			continue
		}
		digest := sha256.Sum256([]byte(t.Name))
		for {
			short := shortName(t.Name, hex.EncodeToString(digest[:4]))
			if !used[short] {
				names[t.Name] = short
				used[short] = true
				break
			}
			digest = sha256.Sum256(digest[:])
		}
	}
	return names
}

// fits reports whether every API takes a name.
func fits(name string) bool {
	return name != "" && len(name) <= modelapi.MaxName && name == plain(name) && !strings.Contains("-0123456789", name[:1])
}

// plain puts a _ for each character that an API may not take.
func plain(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '-':
			return r
		}
		return '_'
	}, name)
}

// shortName is a name that fits, made of the beginning of another and its digest.
func shortName(name, digest string) string {
	p := plain(name)
	if p == "" || strings.Contains("-0123456789", p[:1]) {
		p = "_" + p
	}
	return p[:min(len(p), modelapi.MaxName-1-len(digest))] + "_" + digest
}
