//go:build suite

package jsontape_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// eitherWay says what this reader does with the files that the JSON parsing suite leaves
// open, and why.
var eitherWay = []struct {
	accept bool
	reason string
	files  []string
}{
	{true, "a number is text here: it may have any size and precision", []string{
		"i_number_double_huge_neg_exp", "i_number_huge_exp", "i_number_neg_int_huge_exp", "i_number_pos_double_huge_exp", "i_number_real_neg_overflow",
		"i_number_real_pos_overflow", "i_number_real_underflow", "i_number_too_big_neg_int", "i_number_too_big_pos_int", "i_number_very_big_negative_int",
	}},
	{true, "RFC 8259, section 8.2, lets an escape stand for a lone surrogate", []string{
		"i_object_key_lone_2nd_surrogate", "i_string_1st_surrogate_but_2nd_missing", "i_string_1st_valid_surrogate_2nd_invalid",
		"i_string_incomplete_surrogate_and_escape_valid", "i_string_incomplete_surrogate_pair", "i_string_incomplete_surrogates_escape_valid",
		"i_string_invalid_lonely_surrogate", "i_string_invalid_surrogate", "i_string_inverted_surrogates_U+1D11E", "i_string_lone_second_surrogate",
	}},
	{true, "the default limit of depth is 10,000", []string{"i_structure_500_nested_arrays"}},
	{false, "RFC 8259, section 8.1, demands UTF-8", []string{
		"i_string_UTF-8_invalid_sequence", "i_string_UTF8_surrogate_U+D800", "i_string_invalid_utf-8", "i_string_iso_latin_1",
		"i_string_lone_utf8_continuation_byte", "i_string_not_in_unicode_range", "i_string_overlong_sequence_2_bytes", "i_string_overlong_sequence_6_bytes",
		"i_string_overlong_sequence_6_bytes_null", "i_string_truncated-utf-8", "i_string_UTF-16LE_with_BOM",
	}},
	{false, "UTF-16 without byte order mark starts, as UTF-8, with a character of JSON beside a NUL, which the grammar does not have", []string{
		"i_string_utf16BE_no_BOM", "i_string_utf16LE_no_BOM",
	}},
	{false, "RFC 8259, section 8.1, allows a reader to refuse a byte order mark: the bytes are handed on as they are, and others refuse it", []string{
		"i_structure_UTF-8_BOM_empty_object",
	}},
}

// TestParsingSuite reads every file of the JSON parsing suite: y_ must be accepted, n_
// refused, and i_ as eitherWay says.
func TestParsingSuite(t *testing.T) {
	files, err := filepath.Glob("../../../shared/suites/json-parsing/*.json")
	require.NoError(t, err)
	require.Len(t, files, 318, "the JSON parsing suite is missing or another one")
	open := map[string]bool{}
	for _, group := range eitherWay {
		for _, name := range group.files {
			open[name+".json"] = group.accept
		}
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		name := filepath.Base(file)
		accept := name[0] == 'y'
		if name[0] == 'i' {
			listed := false
			accept, listed = open[name]
			require.True(t, listed, "%s is not decided", name)
			delete(open, name)
		}
		var tape jsontape.Tape
		err = tape.Parse(data, jsontape.Options{})
		require.Equal(t, accept, err == nil, "%s: %v", name, err)
		require.Equal(t, err, jsontape.Valid(data), name)
	}
	require.Empty(t, open, "decided, but not in the suite")
}
