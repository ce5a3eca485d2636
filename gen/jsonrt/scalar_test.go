package jsonrt

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestScalarText(t *testing.T) {
	for text, want := range map[string]string{
		"true": "true", "false": "false", "0": "0", "-0": "0", "0e5": "0", "-0.0": "0", "1": "1", "1.0": "1", "10e-1": "1", "1e3": "1000", "-12.50e1": "-125",
		"100": "100", "123456789012345678": "123456789012345678", "1234567890123456.78e2": "123456789012345678", "1e17": "100000000000000000",
	} {
		got, ok := ScalarText([]byte(text))
		require.True(t, ok, text)
		require.Equal(t, want, got, text)
	}
	for _, text := range []string{"1.5", "15e-1", "1e18", "1e400", "1e99999999999999999999", "null", `"a"`, "[]", "{}"} {
		_, ok := ScalarText([]byte(text))
		require.False(t, ok, text)
	}
}
