package catalog_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// hostile is a server all of whose texts want to be more than text.
const hostile = `{"info":{"name":"<script>alert(1)</script>","title":"</title><img src=x onerror=alert(2)>","version":"\u001b[2J\""},
"instructions":"</p><script>alert(3)</script>\n# Heading\n1. list\n- list\n![x](http://evil/x.png) <http://evil> http://evil www.evil.example",
"tools":[{"name":"a\"><script>alert(4)</script>","title":"` + "`x` **b** |" + `","description":"<iframe src=//evil>\n\n===\n| a | b |","annotations":{"readOnlyHint":true},
 "inputSchema":{"type":"object","properties":{"x|` + "`" + `y</code>":{"enum":["</script><script>alert(5)</script>","b|c"],"description":"</div>| x |\nline"},"o":{"type":"object","properties":{"in":{"type":"array","items":{"type":"object","properties":{"deep":{"type":["string","null"],"maxLength":5}}}}},"required":["in"]}},"required":["o"]},
 "outputSchema":{"type":"object","properties":{"r":{"anyOf":[{"type":"string"},{"type":"array","items":{"type":["integer","null"]}}]}}}},
 {"name":"bad","inputSchema":{"type":"<b>"}}],
"resources":[{"name":"javascript:alert(6)","uri":"javascript:alert(7)","_meta":{"ui":{"x":"<b>"}},"size":3}]}`

// TestHTML: no text of a server is more than text on the page, which loads nothing.
func TestHTML(t *testing.T) {
	t.Parallel()
	c, _ := compose(t, hostile)
	html := string(c.AppendHTML(nil))
	require.Equal(t, html, string(c.AppendHTML(nil)))
	require.Equal(t, 1, strings.Count(html, "<script>"), "the page's own")
	for _, not := range []string{"<img", "<iframe", "<b>&", "href=\"javascript", "onerror=alert(2)>", "<link", "@import", "url("} {
		require.NotContains(t, html, not)
	}
	require.Contains(t, html, "default-src &#39;none&#39;; style-src &#39;sha256-")
	require.Contains(t, html, "a&#34;&gt;&lt;script&gt;alert(4)&lt;/script&gt;")
	require.Contains(t, html, `<code>o.in[].deep</code>`)
	require.Contains(t, html, "read-only")

	empty, _ := compose(t, `{}`)
	require.Contains(t, string(empty.AppendHTML(nil)), "This server offers nothing.")
}

// TestMarkdown: what a person reads, and nothing that a server's texts could add to it.
func TestMarkdown(t *testing.T) {
	t.Parallel()
	c, _ := compose(t, hostile)
	require.Equal(t, "# &lt;/title&gt;&lt;img src=x onerror=alert(2)&gt;\n\n`<script>alert(1)</script> [2J\"`: 2 tools, 1 resource, 1 error, 0 warnings.\n"+`
&lt;/p&gt;&lt;script&gt;alert(3)&lt;/script&gt;\
\# Heading\
1\. list\
\- list\
\!\[x\](http&#58;//evil/x.png) &lt;http&#58;//evil&gt; http&#58;//evil www&#46;evil.example

## Tools

`+"### `a\"><script>alert(4)</script>` \\`x\\` \\*\\*b\\*\\* \\|"+`

&lt;iframe src=//evil&gt;

\===\
\| a \| b \|

| argument | type | required | description |
|---|---|---|---|
`+"| `` x\\|`y</code> `` | `\"</script><script>alert(5)</script>\" \\| \"b\\|c\"` |  | &lt;/div&gt;\\| x \\| line |"+`
| `+"`o` | `object`"+` | yes |  |
| `+"`o.in` | `object[]`"+` | yes |  |
| `+"`o.in[].deep` | `string \\| null`"+` |  | (maxLength 5) |

| result | type | required | description |
|---|---|---|---|
| `+"`r` | `string \\| (integer \\| null)[]`"+` |  |  |

### `+"`bad`"+`

- **Error**: the input schema can't be used: /type: this is not how JSON Schema has it: must be one of "array", "boolean", "integer", "null", "number", "object", "string"

## Resources

### `+"`javascript:alert(6)`"+`

- URI: `+"`javascript:alert(7)`"+`
- size: `+"`3 bytes`"+`
- user interface: `+"`{\"x\":\"<b>\"}`"+`
`, string(c.AppendMarkdown(nil)))
}

// TestDeepSchemasAreShown: a schema as deep as may be, of members that lead to themselves, ends.
func TestDeepSchemasAreShown(t *testing.T) {
	t.Parallel()
	c, _ := compose(t, `{"tools":[{"name":"t","inputSchema":{"type":"object","properties":{"a":{"$ref":"#"},"b":{"$ref":"#"},"c":{"items":{"$ref":"#"}}},"default":`+strings.Repeat("[", 9000)+strings.Repeat("]", 9000)+`}},
	{"name":"u","inputSchema":{"type":"object","properties":{"a":{"anyOf":[{"$ref":"#/properties/a"},{"$ref":"#/properties/a"}]}}}}]}`)
	require.Less(t, len(c.AppendHTML(nil)), 300_000)
	require.Less(t, len(c.AppendMarkdown(nil)), 100_000)
}

// TestWideUnionsAreShown: a thousand references to a list of a thousand more, and so on, are looked at
// once for each level; one by one they would take hours.
func TestWideUnionsAreShown(t *testing.T) {
	t.Parallel()
	union := func(to string) string {
		return `{"anyOf":[` + strings.Repeat(`{"$ref":"`+to+`"},`, 1499) + `{"$ref":"` + to + `"}]}`
	}
	long := `{"enum":["` + strings.Repeat("x", 100_000) + `","y"]}`
	c, _ := compose(t, `{"tools":[{"name":"t","inputSchema":{"properties":{"a":`+union("#/$defs/b")+`},"$defs":{"b":`+union("#/$defs/c")+`,"c":`+union("#/$defs/d")+`,"d":`+long+`}}}]}`)
	require.Empty(t, c.Items[0].Detail.Input.Error)
	require.Contains(t, string(c.AppendMarkdown(nil)), "| `a` | `\""+strings.Repeat("x", 59)+"… \\| \"y\"` |")
}
