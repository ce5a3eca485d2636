package generated
import "github.com/zenlix/echo-mcp/gen/jsonrt"
var schemaUi5Manifest = &jsonrt.Schema{}
