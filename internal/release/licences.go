package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/google/licensecheck"
)

// licence is a file with a licence or a notice.
type licence struct {
	name  string // relative to the module's folder, with slashes
	text  []byte
	kinds []string // SPDX identifiers of the licences in it, sorted; none for a notice
}

// accepted are the licences of which the code may be linked: they ask for nothing but that
// their text is passed on.
var accepted = []string{"0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT"}

// leastKnown is how many per cent of a licence file must be the text of known licences. The
// rest are names and dates, or which licence is for which files.
const leastKnown = 75

var (
	licenceName = regexp.MustCompile(`(?i)^(un)?(licen[cs]e|copying|copyright)s?([._-].*)?$`)
	noticeName  = regexp.MustCompile(`(?i)^(notices?|patents)([._-].*)?$`)
	codeName    = regexp.MustCompile(`\.(go|s|c|h)$`)
)

// readLicences reads the licences and notices of a module, in its folder and in those
// between it and the packages that are linked: what a module has taken over from elsewhere
// has a licence of its own there.
func readLicences(root string, packages []string) ([]licence, error) {
	folders := map[string]bool{root: true}
	for _, p := range packages {
		for ; p != root; p = filepath.Dir(p) {
			if len(p) < len(root) {
				return nil, fmt.Errorf("a package of it is not below its folder %s: give the command the folder's real path", root)
			}
			folders[p] = true
		}
	}
	var all []licence
	known := false
	for _, folder := range slices.Sorted(maps.Keys(folders)) {
		entries, err := os.ReadDir(folder)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			isLicence := licenceName.MatchString(e.Name())
			if e.IsDir() || codeName.MatchString(e.Name()) || !isLicence && !noticeName.MatchString(e.Name()) {
				continue
			}
			path := filepath.Join(folder, e.Name())
			name, err := filepath.Rel(root, path)
			if err != nil {
				return nil, err
			}
			l := licence{name: filepath.ToSlash(name)}
			if l.text, err = os.ReadFile(path); err != nil {
				return nil, err
			}
			if isLicence {
				if l.kinds, err = classify(l.text); err != nil {
					return nil, fmt.Errorf("%s: %w", l.name, err)
				}
				known = known || folder == root
			}
			all = append(all, l)
		}
	}
	if !known {
		return nil, fmt.Errorf("its folder has no licence file: use another module, or ask its authors for a licence")
	}
	slices.SortFunc(all, func(a, b licence) int { return strings.Compare(a.name, b.name) })
	return all, nil
}

// classify finds out which licences a text consists of. Others than the accepted ones are an
// error.
func classify(text []byte) ([]string, error) {
	found := licensecheck.Scan(text)
	var kinds []string
	for _, m := range found.Match {
		if !m.IsURL {
			kinds = append(kinds, m.ID)
		}
	}
	slices.Sort(kinds)
	kinds = slices.Compact(kinds)
	if len(kinds) == 0 || found.Percent < leastKnown {
		return nil, fmt.Errorf("%.0f %% of it are licences that are known (%q), wanted at least %d %%: have it read by somebody who knows", found.Percent, kinds, leastKnown)
	}
	for _, kind := range kinds {
		if !slices.Contains(accepted, kind) {
			return nil, fmt.Errorf("%s is not one of %q, which ask for no more than a notice: use another module", kind, accepted)
		}
	}
	return kinds, nil
}

// kinds are the SPDX identifiers of all licences of a module, sorted.
func (m module) kinds() []string {
	var all []string
	for _, l := range m.licences {
		all = append(all, l.kinds...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}
