package ecma

import "strings"

// The names that \p knows (ECMA-262 tables 69 and 70; Unicode PropertyValueAliases). Each
// word is a canonical name, then its aliases.
const (
	categories = `
	C=Other Cc=Control=cntrl Cf=Format Cn=Unassigned Co=Private_Use Cs=Surrogate L=Letter
	LC=Cased_Letter Ll=Lowercase_Letter Lm=Modifier_Letter Lo=Other_Letter Lt=Titlecase_Letter
	Lu=Uppercase_Letter M=Mark=Combining_Mark Mc=Spacing_Mark Me=Enclosing_Mark Mn=Nonspacing_Mark
	N=Number Nd=Decimal_Number=digit Nl=Letter_Number No=Other_Number P=Punctuation=punct
	Pc=Connector_Punctuation Pd=Dash_Punctuation Pe=Close_Punctuation Pf=Final_Punctuation
	Pi=Initial_Punctuation Po=Other_Punctuation Ps=Open_Punctuation S=Symbol Sc=Currency_Symbol
	Sk=Modifier_Symbol Sm=Math_Symbol So=Other_Symbol Z=Separator Zl=Line_Separator
	Zp=Paragraph_Separator Zs=Space_Separator
`
	scripts = `
	Adlam=Adlm Caucasian_Albanian=Aghb Ahom Arabic=Arab Imperial_Aramaic=Armi Armenian=Armn Avestan=Avst
	Balinese=Bali Bamum=Bamu Bassa_Vah=Bass Batak=Batk Bengali=Beng Bhaiksuki=Bhks Bopomofo=Bopo
	Brahmi=Brah Braille=Brai Buginese=Bugi Buhid=Buhd Chakma=Cakm Canadian_Aboriginal=Cans Carian=Cari
	Cham Cherokee=Cher Chorasmian=Chrs Coptic=Copt=Qaac Cypro_Minoan=Cpmn Cypriot=Cprt Cyrillic=Cyrl
	Devanagari=Deva Dives_Akuru=Diak Dogra=Dogr Deseret=Dsrt Duployan=Dupl Egyptian_Hieroglyphs=Egyp
	Elbasan=Elba Elymaic=Elym Ethiopic=Ethi Georgian=Geor Glagolitic=Glag Gunjala_Gondi=Gong
	Masaram_Gondi=Gonm Gothic=Goth Grantha=Gran Greek=Grek Gujarati=Gujr Gurmukhi=Guru Hangul=Hang
	Han=Hani Hanunoo=Hano Hatran=Hatr Hebrew=Hebr Hiragana=Hira Anatolian_Hieroglyphs=Hluw
	Pahawh_Hmong=Hmng Nyiakeng_Puachue_Hmong=Hmnp Katakana_Or_Hiragana=Hrkt Old_Hungarian=Hung
	Old_Italic=Ital Javanese=Java Kayah_Li=Kali Katakana=Kana Kawi Kharoshthi=Khar Khmer=Khmr
	Khojki=Khoj Khitan_Small_Script=Kits Kannada=Knda Kaithi=Kthi Tai_Tham=Lana Lao=Laoo Latin=Latn
	Lepcha=Lepc Limbu=Limb Linear_A=Lina Linear_B=Linb Lisu Lycian=Lyci Lydian=Lydi Mahajani=Mahj
	Makasar=Maka Mandaic=Mand Manichaean=Mani Marchen=Marc Medefaidrin=Medf Mende_Kikakui=Mend
	Meroitic_Cursive=Merc Meroitic_Hieroglyphs=Mero Malayalam=Mlym Modi Mongolian=Mong Mro=Mroo
	Meetei_Mayek=Mtei Multani=Mult Myanmar=Mymr Nag_Mundari=Nagm Nandinagari=Nand Old_North_Arabian=Narb
	Nabataean=Nbat Newa Nko=Nkoo Nushu=Nshu Ogham=Ogam Ol_Chiki=Olck Old_Turkic=Orkh Oriya=Orya
	Osage=Osge Osmanya=Osma Old_Uyghur=Ougr Palmyrene=Palm Pau_Cin_Hau=Pauc Old_Permic=Perm
	Phags_Pa=Phag Inscriptional_Pahlavi=Phli Psalter_Pahlavi=Phlp Phoenician=Phnx Miao=Plrd
	Inscriptional_Parthian=Prti Rejang=Rjng Hanifi_Rohingya=Rohg Runic=Runr Samaritan=Samr
	Old_South_Arabian=Sarb Saurashtra=Saur SignWriting=Sgnw Shavian=Shaw Sharada=Shrd Siddham=Sidd
	Khudawadi=Sind Sinhala=Sinh Sogdian=Sogd Old_Sogdian=Sogo Sora_Sompeng=Sora Soyombo=Soyo
	Sundanese=Sund Syloti_Nagri=Sylo Syriac=Syrc Tagbanwa=Tagb Takri=Takr Tai_Le=Tale New_Tai_Lue=Talu
	Tamil=Taml Tangut=Tang Tai_Viet=Tavt Telugu=Telu Tifinagh=Tfng Tagalog=Tglg Thaana=Thaa Thai
	Tibetan=Tibt Tirhuta=Tirh Tangsa=Tnsa Toto Ugaritic=Ugar Vai=Vaii Vithkuqi=Vith Warang_Citi=Wara
	Wancho=Wcho Old_Persian=Xpeo Cuneiform=Xsux Yezidi=Yezi Yi=Yiii Zanabazar_Square=Zanb
	Inherited=Zinh=Qaai Common=Zyyy Unknown=Zzzz
`
	binaryProperties = `
	ASCII ASCII_Hex_Digit=AHex Alphabetic=Alpha Any Assigned Bidi_Control=Bidi_C Bidi_Mirrored=Bidi_M
	Case_Ignorable=CI Cased Changes_When_Casefolded=CWCF Changes_When_Casemapped=CWCM
	Changes_When_Lowercased=CWL Changes_When_NFKC_Casefolded=CWKCF Changes_When_Titlecased=CWT
	Changes_When_Uppercased=CWU Dash Default_Ignorable_Code_Point=DI Deprecated=Dep Diacritic=Dia Emoji
	Emoji_Component=EComp Emoji_Modifier=EMod Emoji_Modifier_Base=EBase Emoji_Presentation=EPres
	Extended_Pictographic=ExtPict Extender=Ext Grapheme_Base=Gr_Base Grapheme_Extend=Gr_Ext
	Hex_Digit=Hex IDS_Binary_Operator=IDSB IDS_Trinary_Operator=IDST ID_Continue=IDC ID_Start=IDS
	Ideographic=Ideo Join_Control=Join_C Logical_Order_Exception=LOE Lowercase=Lower Math
	Noncharacter_Code_Point=NChar Pattern_Syntax=Pat_Syn Pattern_White_Space=Pat_WS Quotation_Mark=QMark
	Radical Regional_Indicator=RI Sentence_Terminal=STerm Soft_Dotted=SD Terminal_Punctuation=Term
	Unified_Ideograph=UIdeo Uppercase=Upper Variation_Selector=VS White_Space=space XID_Continue=XIDC
	XID_Start=XIDS
`
)

// PropertyKind says what a name in \p means.
type PropertyKind uint8

// The kinds of property.
const (
	UnknownProperty  PropertyKind = iota
	Category                      // a general category, by its short name: "Lu"
	Script                        // a script, by its long name: "Greek"
	ScriptExtensions              // the same, for Script_Extensions
	Binary                        // a binary property, by its long name: "White_Space"
)

// LookupProperty tells what \p{property=value}, or \p{property} if value is empty, means:
// its kind and the canonical name. Names are matched exactly, as ECMA-262 wants.
func LookupProperty(property, value string) (PropertyKind, string) {
	if value == "" {
		if name := canonical(categories, property); name != "" {
			return Category, name
		}
		if name := canonical(binaryProperties, property); name != "" {
			return Binary, name
		}
		return UnknownProperty, ""
	}
	kind, names := UnknownProperty, ""
	switch property {
	case "General_Category", "gc":
		kind, names = Category, categories
	case "Script", "sc":
		kind, names = Script, scripts
	case "Script_Extensions", "scx":
		kind, names = ScriptExtensions, scripts
	}
	if name := canonical(names, value); name != "" {
		return kind, name
	}
	return UnknownProperty, ""
}

// canonical finds name among the words of a table. It is one quick search, since the format
// "regex" has to bear a payload full of properties.
func canonical(table, name string) string {
	if name == "" || strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") != "" {
		return ""
	}
	const separators = "\n\t ="
	for from := 0; ; {
		at := strings.Index(table[from:], name)
		if at < 0 {
			return ""
		}
		at += from
		from = at + len(name)
		if strings.IndexByte(separators, table[at-1]) < 0 || strings.IndexByte(separators, table[from]) < 0 {
			continue
		}
		word := table[strings.LastIndexAny(table[:at], "\n\t ")+1:]
		return word[:strings.IndexAny(word, separators)]
	}
}
