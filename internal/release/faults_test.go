package main

import (
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const mit = `Copyright (c) 2026 Somebody

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
`

const gplNotice = `This program is free software: you can redistribute it and/or modify
it under the terms of the GNU General Public License as published by
the Free Software Foundation, either version 3 of the License, or
(at your option) any later version.

This program is distributed in the hope that it will be useful,
but WITHOUT ANY WARRANTY; without even the implied warranty of
MERCHANTABILITY or FITNESS FOR A PARTICULAR PURPOSE. See the
GNU General Public License for more details.

You should have received a copy of the GNU General Public License
along with this program. If not, see <https://www.gnu.org/licenses/>.
`

// write makes a folder with files.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range files {
		path := filepath.Join(folder, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	}
	return folder
}

func TestLicences(t *testing.T) {
	for name, test := range map[string]struct {
		files map[string]string
		want  []string // files that are found
		fault string
	}{
		"LICENSE":                {map[string]string{"LICENSE": mit, "README.md": "x", "license.go": "package x"}, []string{"LICENSE"}, ""},
		"other names":            {map[string]string{"Licence.txt": mit, "COPYING": mit, "UNLICENSE.md": mit, "LICENSE-MIT": mit}, []string{"COPYING", "LICENSE-MIT", "Licence.txt", "UNLICENSE.md"}, ""},
		"with a notice":          {map[string]string{"LICENSE": mit, "NOTICE": "made by us", "PATENTS": "none"}, []string{"LICENSE", "NOTICE", "PATENTS"}, ""},
		"of what it copied":      {map[string]string{"LICENSE": mit, "sub/LICENSE": mit, "sub/deep/x.go": "", "other/LICENSE": "not linked"}, []string{"LICENSE", "sub/LICENSE"}, ""},
		"none":                   {map[string]string{"README.md": mit}, nil, "its folder has no licence file"},
		"only a notice":          {map[string]string{"NOTICE": mit}, nil, "its folder has no licence file"},
		"only of what it copied": {map[string]string{"sub/LICENSE": mit}, nil, "its folder has no licence file"},
		"unknown":                {map[string]string{"LICENSE": "You may do what you like on Sundays."}, nil, "LICENSE: 0 % of it are licences that are known"},
		"mostly unknown":         {map[string]string{"LICENSE": mit + strings.Repeat("Not for trade, and not for banks. Ask us first, always. ", 20)}, nil, `are licences that are known (["MIT"]), wanted at least 75 %`},
		"asks for more":          {map[string]string{"LICENSE": mit, "COPYING": gplNotice}, nil, "COPYING: GPL-3.0-or-later is not one of"},
		"unknown below":          {map[string]string{"LICENSE": mit, "sub/LICENSE": "Ours.", "sub/deep/x.go": ""}, nil, "sub/LICENSE: 0 % of it"},
	} {
		t.Run(name, func(t *testing.T) {
			folder := write(t, test.files)
			packages := []string{folder}
			if _, ok := test.files["sub/deep/x.go"]; ok {
				packages = append(packages, filepath.Join(folder, "sub", "deep"))
			}
			found, err := readLicences(folder, packages)
			if test.fault != "" {
				require.ErrorContains(t, err, test.fault)
				return
			}
			require.NoError(t, err)
			var names []string
			for _, l := range found {
				names = append(names, l.name)
			}
			require.Equal(t, test.want, names)
			require.Equal(t, []string{"MIT"}, module{licences: found}.kinds())
		})
	}
}

// TestTwoLicences: a file that holds two is named after both.
func TestTwoLicences(t *testing.T) {
	const isc = `Permission to use, copy, modify, and/or distribute this software for any purpose with or
without fee is hereby granted, provided that the above copyright notice and this permission
notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS
SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL
THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT, INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY
DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF
CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE
OR PERFORMANCE OF THIS SOFTWARE.
`
	folder := write(t, map[string]string{"LICENSE": mit + "\n" + isc})
	found, err := readLicences(folder, []string{folder})
	require.NoError(t, err)
	require.Equal(t, []string{"ISC", "MIT"}, module{licences: found}.kinds())
}

// TestPackageElsewhere: a package that isn't below its module's folder is told, not looked
// for without end.
func TestPackageElsewhere(t *testing.T) {
	_, err := readLicences(write(t, map[string]string{"LICENSE": mit}), []string{t.TempDir()})
	require.ErrorContains(t, err, "a package of it is not below its folder")
}

func TestLinkedFaults(t *testing.T) {
	folder := write(t, map[string]string{"LICENSE": mit})
	empty := t.TempDir()
	list := func(path, version, dir string) listedPackage {
		p := listedPackage{Dir: dir, ImportPath: path}
		p.Module.Path, p.Module.Version, p.Module.Dir = path, version, dir
		return p
	}
	packages := []listedPackage{{Standard: true, Root: folder, ImportPath: "fmt"}, list("example/main", "", folder)}
	const sum = "h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
	for name, test := range map[string]struct {
		dep    *debug.Module
		listed []listedPackage
		fault  string
	}{
		"no faults":   {&debug.Module{Path: "a", Version: "v1.0.0", Sum: sum}, []listedPackage{list("a", "v1.0.0", folder)}, ""},
		"replaced":    {&debug.Module{Path: "a", Version: "v1.0.0", Replace: &debug.Module{Path: "../b"}}, nil, "a is replaced by ../b"},
		"no checksum": {&debug.Module{Path: "a", Version: "v1.0.0"}, nil, `a v1.0.0 has the checksum ""`},
		"not listed":  {&debug.Module{Path: "a", Version: "v1.0.0", Sum: sum}, nil, `the program holds a v1.0.0, go list says ""`},
		"another":     {&debug.Module{Path: "a", Version: "v1.0.0", Sum: sum}, []listedPackage{list("a", "v1.1.0", folder)}, `the program holds a v1.0.0, go list says "v1.1.0"`},
		"not linked":  {&debug.Module{Path: "a", Version: "v1.0.0", Sum: sum}, []listedPackage{list("a", "v1.0.0", folder), list("b", "v1.0.0", folder)}, `go list names ["b"]`},
		"no licence":  {&debug.Module{Path: "a", Version: "v1.0.0", Sum: sum}, []listedPackage{list("a", "v1.0.0", empty)}, "a v1.0.0: its folder has no licence file"},
	} {
		t.Run(name, func(t *testing.T) {
			info := &debug.BuildInfo{GoVersion: "go1.26.8 X:something", Main: debug.Module{Path: "example/main"}, Deps: []*debug.Module{test.dep}}
			modules, err := linked(info, append(packages[:2:2], test.listed...))
			if test.fault != "" {
				require.ErrorContains(t, err, test.fault)
				return
			}
			require.NoError(t, err)
			require.Len(t, modules, 3)
			require.Equal(t, "1.26.8", modules[1].version)
			require.Equal(t, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", modules[2].sha256)
		})
	}
}

// TestNoticesOfSeveralPrograms: what only one program links is there, what all link once.
func TestNoticesOfSeveralPrograms(t *testing.T) {
	l := func(name string) licence {
		return licence{name: name, text: []byte("text of " + name + "\n\n"), kinds: []string{"MIT"}}
	}
	text := string(notices([]module{
		{path: "main"},
		{path: "b", version: "v1", licences: []licence{l("LICENSE")}},
		{path: "main"},
		{path: "a", version: "v2", licences: []licence{l("LICENSE")}},
		{path: "b", version: "v1", licences: []licence{l("LICENSE"), l("sub/LICENSE")}},
	}))
	const rule = "================================================================================\n"
	section := func(title, name string) string {
		return "\n" + rule + title + ", " + name + " (MIT)\n" + rule + "\ntext of " + name + "\n"
	}
	require.Contains(t, text, "modules below, each\nunder the licence that follows its name.\n"+section("a v2", "LICENSE")+section("b v1", "LICENSE")+section("b v1", "sub/LICENSE"))
	require.NotContains(t, text, "main,")
}

// TestArguments: what can't be released is refused before the last release is removed.
func TestArguments(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("dist", nil, 0o666))
	for _, test := range []struct {
		args  []string
		fault string
	}{
		{[]string{"v1.2.3", "unknown"}, "wanted VERSION COMMIT OS/ARCH…"},
		{[]string{"1.2.3", "unknown", "linux/amd64"}, "not a version: 1.2.3"},
		{[]string{"v1.2", "unknown", "linux/amd64"}, "not a version: v1.2 "},
		{[]string{"", "unknown", "linux/amd64"}, "not a version"},
		{[]string{"v1.2.3 -X x", "unknown", "linux/amd64"}, "not a version"},
		{[]string{"v1.2.3", "unknown", "linux"}, "not a platform: linux"},
		{[]string{"v1.2.3", "main", "linux/amd64"}, "not a commit: main"},
		{[]string{"v1.2.3", "unknown-dirty", "linux/amd64"}, "not a commit: unknown-dirty"},
	} {
		require.ErrorContains(t, run(t.Context(), test.args, io.Discard), test.fault)
		require.FileExists(t, "dist")
	}
}
