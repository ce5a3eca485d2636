package pattern

import (
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"
	"golang.org/x/text/unicode/norm"

	"github.com/zenlix/echo-mcp/gen/jsonrt/ecma"
)

// property gives the set of a Unicode property by its canonical name. Every property that
// ECMA-262 names is known; package unicode decides the version of Unicode.
func property(kind ecma.PropertyKind, name string) set {
	switch kind {
	case ecma.Category:
		return category(name)
	case ecma.Script:
		return script(name)
	case ecma.ScriptExtensions:
		return scriptExtensions(name)
	case ecma.Binary:
		return binary(name)
	case ecma.UnknownProperty:
	}
	return nil
}

func category(name string) set {
	switch name {
	case "Cn":
		return assigned().complement()
	case "C":
		return tableSet(unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs).union(category("Cn"))
	case "LC":
		return tableSet(unicode.Lu, unicode.Ll, unicode.Lt)
	}
	return tableSet(unicode.Categories[name])
}

// assigned holds the code points that have any other category than Cn.
func assigned() set {
	return tableSet(unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs)
}

func script(name string) set {
	switch name {
	case "Unknown":
		var all set
		for _, table := range unicode.Scripts {
			all = all.union(tableSet(table))
		}
		return all.complement()
	case "Katakana_Or_Hiragana":
		return nil // a value that no code point has
	}
	return tableSet(unicode.Scripts[name])
}

func scriptExtensions(name string) set {
	var extended set
	for _, table := range extensionTables {
		extended = extended.union(parseTable(table))
	}
	return script(name).minus(extended).union(parseTable(extensionTables[name]))
}

func parseTable(table string) set {
	var spans []span
	for word := range strings.FieldsSeq(table) {
		lo, hi, both := strings.Cut(word, "-")
		if !both {
			hi = lo
		}
		spans = append(spans, span{parseHex(lo), parseHex(hi)})
	}
	return newSet(spans...)
}

func parseHex(s string) rune {
	// The tables are part of the program; a test parses them all.
	n, _ := strconv.ParseUint(s, 16, 32)
	return rune(n)
}

// binary gives a binary property: from package unicode, from a table of ours, or derived as
// Unicode's DerivedCoreProperties.txt says.
func binary(name string) set {
	if table, ok := unicode.Properties[name]; ok {
		return tableSet(table)
	}
	if table, ok := binaryTables[name]; ok {
		return parseTable(table)
	}
	p := unicode.Properties
	switch name {
	case "Any":
		return anything
	case "ASCII":
		return set{{0, unicode.MaxASCII}}
	case "Assigned":
		return assigned()
	case "Alphabetic":
		return tableSet(unicode.L, unicode.Nl, p["Other_Alphabetic"])
	case "Lowercase":
		return tableSet(unicode.Ll, p["Other_Lowercase"])
	case "Uppercase":
		return tableSet(unicode.Lu, p["Other_Uppercase"])
	case "Cased":
		return binary("Lowercase").union(binary("Uppercase")).union(tableSet(unicode.Lt))
	case "Math":
		return tableSet(unicode.Sm, p["Other_Math"])
	case "Case_Ignorable":
		return tableSet(unicode.Mn, unicode.Me, unicode.Cf, unicode.Lm, unicode.Sk).union(parseTable(midWord))
	case "Sentence_Terminal":
		return tableSet(p["STerm"])
	case "Default_Ignorable_Code_Point":
		ignorable := tableSet(p["Other_Default_Ignorable_Code_Point"], unicode.Cf, p["Variation_Selector"])
		return ignorable.minus(tableSet(p["White_Space"], p["Prepended_Concatenation_Mark"]).union(set{{0xFFF9, 0xFFFB}, {0x13430, 0x1343F}}))
	case "Grapheme_Extend":
		return tableSet(unicode.Me, unicode.Mn, p["Other_Grapheme_Extend"])
	case "Grapheme_Base":
		return category("C").union(tableSet(unicode.Zl, unicode.Zp)).union(binary("Grapheme_Extend")).complement()
	case "ID_Start":
		return tableSet(unicode.L, unicode.Nl, p["Other_ID_Start"]).minus(tableSet(p["Pattern_Syntax"], p["Pattern_White_Space"]))
	case "ID_Continue":
		more := tableSet(unicode.Mn, unicode.Mc, unicode.Nd, unicode.Pc, p["Other_ID_Continue"])
		return binary("ID_Start").union(more).minus(tableSet(p["Pattern_Syntax"], p["Pattern_White_Space"]))
	case "XID_Start":
		return closedUnderNFKC(binary("ID_Start"), binary("ID_Continue"))
	case "XID_Continue":
		return closedUnderNFKC(binary("ID_Continue"), binary("ID_Continue"))
	case "Changes_When_Casemapped":
		return binary("Changes_When_Lowercased").union(binary("Changes_When_Uppercased")).union(binary("Changes_When_Titlecased"))
	}
	return changesWhen(name)
}

// midWord holds the code points with Word_Break MidLetter, MidNumLet or Single_Quote
// (WordBreakProperty.txt).
const midWord = "27 2E 3A B7 387 55F 5F4 2018 2019 2024 2027 FE13 FE52 FE55 FF07 FF0E FF1A"

// closedUnderNFKC removes from s what would no longer be an identifier after normalisation
// (UAX #31 section 5.1).
func closedUnderNFKC(s, continuation set) set {
	return s.filter(func(r rune) bool {
		for i, c := range norm.NFKC.String(string(r)) {
			if i == 0 && !s.contains(c) || !continuation.contains(c) {
				return false
			}
		}
		return true
	})
}

// changesWhen computes the Changes_When properties, which depend on full case mappings.
func changesWhen(name string) set {
	mapping, decompose := foldString, true
	switch name {
	case "Changes_When_Lowercased":
		mapping = cases.Lower(language.Und).String
	case "Changes_When_Uppercased":
		mapping = cases.Upper(language.Und).String
	case "Changes_When_Titlecased":
		mapping = cases.Title(language.Und, cases.NoLower).String
	case "Changes_When_NFKC_Casefolded":
		mapping, decompose = foldNFKC(), false
	}
	return uncased.complement().filter(func(r rune) bool {
		s := string(r)
		if decompose {
			s = norm.NFD.String(s)
		}
		return mapping(s) != s
	})
}

// uncased holds surrogates and large ranges of ideographs, syllables and unassigned or private
// code points, which no case mapping and no compatibility mapping touches.
var uncased = set{
	{0x3400, 0x9FFF},
	{0xAC00, 0xD7A3},
	{0xD800, 0xDFFF},
	{0x17000, 0x18CFF},
	{0x20000, 0x2F7FF},
	{0x30000, 0xDFFFF},
	{0xF0000, unicode.MaxRune},
}

// foldString folds case, but not Cherokee capitals, which fold to themselves
// (CaseFolding.txt) although package cases lowers them.
func foldString(s string) string {
	if r := []rune(s); len(r) == 1 && 0x13A0 <= r[0] && r[0] <= 0x13F5 {
		return s
	}
	return cases.Fold().String(s)
}

// foldNFKC is NFKC_Casefold (Unicode section 3.13, R5).
func foldNFKC() func(string) string {
	ignorable := binary("Default_Ignorable_Code_Point")
	return func(s string) string {
		s = norm.NFKC.String(foldString(norm.NFKC.String(s)))
		return norm.NFKC.String(strings.Map(func(r rune) rune {
			if ignorable.contains(r) {
				return -1
			}
			return r
		}, s))
	}
}
