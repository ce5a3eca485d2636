package modelapi

// Level is what a tool suffers that breaks a rule.
type Level string

// The levels.
const (
	// Refused: someone refuses the tool, and many the whole request or list with it.
	Refused Level = "error"
	// Harmed: someone takes the tool and loses something of it, or takes it under conditions.
	Harmed Level = "warning"
)

// Subject is what a rule looks at.
type Subject string

// The subjects.
const (
	OfList        Subject = "list"
	OfName        Subject = "name"
	OfDescription Subject = "description"
	OfInput       Subject = "input schema"
	OfOutput      Subject = "output schema"
)

// Rule is something that a client or a model's API asks of tools.
type Rule struct {
	// ID is the rule's name.
	ID    string
	Level Level
	// Strict says that only a strict mode asks for it, in which the API makes the model's
	// arguments follow the schema. A plain call is not concerned.
	Strict  bool
	Subject Subject
	// Clients are those who ask for it.
	Clients []string
	// Effect is what they do otherwise, a sentence.
	Effect string
	// Remedy is what to do, a sentence.
	Remedy string
	// Sources are the pages that say so, the best first: documentation, or else a report that
	// quotes the client's or the API's own message.
	Sources []string

	tool func(*checker)
	list func([]Tool) []string
}

// The APIs of models, as Rule.Clients has them, and Protocol, which binds everyone.
const (
	AnthropicAPI = anthropic
	GeminiAPI    = gemini
	OpenAIAPI    = openAI
	Protocol     = "MCP"
)

// Who asks.
const (
	anthropic  = "Anthropic API"
	claudeCode = "Claude Code"
	codex      = "Codex"
	copilot    = "GitHub Copilot CLI"
	cursor     = "Cursor"
	gemini     = "Gemini API"
	kimi       = "Kimi API"
	openAI     = "OpenAI API"
	sdk        = "MCP TypeScript SDK"
	vsCode     = "VS Code"
	windsurf   = "Windsurf"
)

// Rules are all rules, the plain ones first. A figure in them is what the sources say; limits
// that are known only to exist have no rule: Gemini refuses schemas that nest too deeply, and
// Anthropic's strict mode those that compile to too large a grammar, without saying when.
func Rules() []Rule {
	return []Rule{
		{
			ID: "list-names", Level: Refused, Subject: OfList, Clients: []string{anthropic, openAI},
			Effect:  "The API refuses every request: names of tools must be unique.",
			Remedy:  "Give each tool its own name.",
			Sources: []string{"https://github.com/XSpoonAi/spoon-core/pull/16"},
			list:    repeatedNames,
		},
		{
			ID: "list-length", Level: Refused, Subject: OfList, Clients: []string{openAI, vsCode, windsurf, gemini},
			Effect:  "Windsurf takes 100 tools of all servers together, OpenAI's API and VS Code take 128 in a request, Gemini 512; one more, and the request is refused or tools are left out.",
			Remedy:  "Offer fewer tools, or let the user choose which: several servers share the limit.",
			Sources: []string{"https://docs.windsurf.com/windsurf/cascade/mcp", "https://github.com/microsoft/vscode-copilot-release/issues/9375", "https://github.com/zed-industries/zed/issues/32946", "https://github.com/google-gemini/gemini-cli/issues/19083"},
			list:    tooManyTools,
		},
		{
			ID: "name-characters", Level: Refused, Subject: OfName, Clients: []string{openAI, anthropic, gemini},
			Effect:  "The API refuses the request: a name has letters, digits, _ and -, and for Gemini a letter or _ first. Some clients replace what does not fit.",
			Remedy:  "Rename the tool.",
			Sources: []string{"https://platform.openai.com/docs/api-reference/chat/create", "https://platform.claude.com/docs/en/agents-and-tools/tool-use/define-tools", "https://cloud.google.com/vertex-ai/generative-ai/docs/reference/nodejs/latest/vertexai/functiondeclaration"},
			tool:    nameCharacters,
		},
		{
			ID: "name-64", Level: Refused, Subject: OfName, Clients: []string{openAI, gemini, vsCode},
			Effect:  "The API refuses the request: a name has at most 64 characters, with what the client puts before it.",
			Remedy:  "Shorten the name to 45 characters, which leaves room for the prefixes of all clients.",
			Sources: []string{"https://platform.openai.com/docs/api-reference/chat/create", "https://cloud.google.com/vertex-ai/generative-ai/docs/reference/nodejs/latest/vertexai/functiondeclaration", "https://github.com/microsoft/vscode/issues/243602"},
			tool:    longName(MaxName+1, 0),
		},
		{
			ID: "name-60", Level: Harmed, Subject: OfName, Clients: []string{cursor},
			Effect:  "Cursor leaves out tools whose name has more than 60 characters together with the server's.",
			Remedy:  "Shorten the name to 45 characters.",
			Sources: []string{"https://github.com/ComposioHQ/composio/issues/2788", "https://github.com/executeautomation/mcp-playwright/issues/145"},
			tool:    longName(61, MaxName),
		},
		{
			ID: "name-45", Level: Harmed, Subject: OfName, Clients: []string{claudeCode, codex, vsCode},
			Effect:  "With the prefix that clients put before it, as in mcp__SERVER__, the name has more than 64 characters as soon as the server's has more than a dozen, and OpenAI's and Gemini's APIs refuse the request.",
			Remedy:  "Shorten the name to 45 characters.",
			Sources: []string{"https://code.claude.com/docs/en/mcp", "https://github.com/microsoft/vscode/issues/243602"},
			tool:    longName(SafeName+1, 60),
		},
		{
			ID: "description-4096", Level: Harmed, Subject: OfDescription, Clients: []string{claudeCode},
			Effect:  "Claude Code cuts the description of a tool that it loads at the start after 4,096 characters, older versions after 2,048.",
			Remedy:  "Say what matters first, and move the rest to the server's instructions, a resource or a prompt.",
			Sources: []string{"https://code.claude.com/docs/en/mcp", "https://dev.to/seanjhkwon/setting-alwaysload-to-true-cuts-an-mcp-tools-description-budget-from-16384-characters-to-4096-3jpi", "https://github.com/anthropics/claude-code/issues/41593"},
			tool:    longDescription,
		},
		{
			ID: "root-object", Level: Refused, Subject: OfInput, Clients: []string{Protocol, sdk},
			Effect:  "A tool must have an input schema, and that must be a JSON object; clients refuse the whole list.",
			Remedy:  `Write {"type": "object", "properties": {}} for a tool without arguments.`,
			Sources: []string{"https://modelcontextprotocol.io/specification/2025-11-25/server/tools"},
			tool:    rootObject,
		},
		{
			ID: "root-type", Level: Refused, Subject: OfInput, Clients: []string{sdk, openAI, anthropic},
			Effect:  "Clients built on the SDK refuse the whole list, and the APIs the request.",
			Remedy:  `Write "type": "object" at the root: arguments are always an object.`,
			Sources: []string{"https://modelcontextprotocol.io/specification/2025-11-25/server/tools", "https://github.com/vercel/ai/issues/7005"},
			tool:    rootType,
		},
		{
			ID: "root-properties", Level: Refused, Subject: OfInput, Clients: []string{openAI, codex},
			Effect:  `The API refuses the request: "object schema missing properties". Some clients add them.`,
			Remedy:  `Add "properties", {} for a tool without arguments.`,
			Sources: []string{"https://github.com/inboxapi/cli/issues/106", "https://github.com/spring-projects/spring-ai/issues/4776", "https://github.com/mark3labs/mcphost/issues/88"},
			tool:    rootProperties,
		},
		{
			ID: "root-composition", Level: Refused, Subject: OfInput, Clients: []string{anthropic, openAI, claudeCode},
			Effect:  `The APIs refuse the request: "input_schema does not support oneOf, allOf, or anyOf at the top level". Claude Code leaves the tool out, or merges the branches from version 2.1.195 on; VS Code deletes them.`,
			Remedy:  "Name all properties at the root, make those optional that not all branches have, and check the combination in the tool; or offer one tool for each branch.",
			Sources: []string{"https://code.claude.com/docs/en/mcp#tool-input-schemas-with-a-root-level-combinator", "https://github.com/anthropics/claude-code/issues/5973", "https://github.com/langchain-ai/langchainjs/issues/9804"},
			tool:    atRoot("oneOf", "anyOf", "allOf"),
		},
		{
			ID: "root-enum", Level: Refused, Subject: OfInput, Clients: []string{openAI},
			Effect:  `The API refuses the request: "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level".`,
			Remedy:  "Describe the arguments by properties.",
			Sources: []string{"https://github.com/langchain-ai/langchainjs/issues/9804"},
			tool:    atRoot("enum", "const", "not"),
		},
		{
			ID: "root-ref", Level: Refused, Subject: OfInput, Clients: []string{gemini, openAI},
			Effect:  "The type and the properties are not where the APIs look for them, and Gemini refuses other keywords beside $ref.",
			Remedy:  "Write at the root what it refers to.",
			Sources: []string{"https://ai.google.dev/api/generate-content", "https://github.com/anomalyco/opencode/issues/12295"},
			tool:    atRoot("$ref", "$dynamicRef", "$recursiveRef"),
		},
		{
			ID: "property-name", Level: Refused, Subject: OfInput, Clients: []string{anthropic},
			Effect:  `The API refuses the request: "Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'".`,
			Remedy:  "Rename the parameter.",
			Sources: []string{"https://github.com/anthropics/claude-code/issues/79418", "https://github.com/ComposioHQ/composio/issues/2330"},
			tool:    propertyNames,
		},
		{
			ID: "array-items", Level: Refused, Subject: OfInput, Clients: []string{openAI, vsCode},
			Effect:  `The API refuses the request: "array schema missing items", also where array is one of several types. VS Code: "tool parameters array type must have items".`,
			Remedy:  `Add "items", {} where the elements may be anything; write {"not": {}} for "items": false.`,
			Sources: []string{"https://github.com/garrytan/gbrain/issues/1103", "https://github.com/hyperlight-dev/hyperagent/pull/180", "https://github.com/microsoft/vscode-copilot-chat/blob/main/src/extension/tools/common/toolSchemaNormalizer.ts"},
			tool:    arrayItems,
		},
		{
			ID: "pattern-lookaround", Level: Refused, Subject: OfInput, Clients: []string{openAI},
			Effect:  `The API refuses the request: "regex lookaround is not supported". Some clients drop the pattern.`,
			Remedy:  "Write the pattern without (?=, (?!, (?<= and (?<!, or check it in the tool and say so in the description.",
			Sources: []string{"https://github.com/cline/cline/pull/14019", "https://github.com/anomalyco/opencode/issues/32073", "https://github.com/can1357/oh-my-pi/issues/2784"},
			tool:    lookaround,
		},
		{
			ID: "dialect", Level: Refused, Subject: OfInput, Clients: []string{anthropic, openAI},
			Effect:  `The API refuses the request: "JSON schema is invalid. It must match JSON Schema draft 2020-12", whatever $schema says.`,
			Remedy:  "Write it in draft 2020-12: items in an array become prefixItems, a boolean exclusiveMinimum becomes the number itself.",
			Sources: []string{"https://github.com/anthropics/claude-code/issues/86664", "https://github.com/anthropics/claude-code/issues/7365"},
			tool:    dialect,
		},
		{
			ID: "ref-target", Level: Refused, Subject: OfInput, Clients: []string{"Gemini CLI", gemini, Protocol},
			Effect:  `Clients fetch nothing: "can't resolve reference", and the list or the request fails.`,
			Remedy:  "Copy what is referred to into $defs, and refer to it by a pointer from the root such as #/$defs/NAME.",
			Sources: []string{"https://modelcontextprotocol.io/seps/2106-json-schema-2020-12", "https://github.com/google-gemini/gemini-cli/issues/13201"},
			tool:    refTargets,
		},
		{
			ID: "ref", Level: Harmed, Subject: OfInput, Clients: []string{copilot},
			Effect:  "GitHub Copilot CLI does not resolve the reference, so the model does not see what the parameter is. Agents that drop $ref for Gemini lose it, too.",
			Remedy:  "Write the parameter's schema in its place.",
			Sources: []string{"https://github.com/github/copilot-cli/issues/1876", "https://github.com/NousResearch/hermes-agent/issues/99438"},
			tool:    refs,
		},
		{
			ID: "untyped", Level: Harmed, Subject: OfInput, Clients: []string{claudeCode, codex},
			Effect:  `The client sends the value as a string: {"a": 1} arrives as "{\"a\": 1}".`,
			Remedy:  `Name the types. Where all are allowed: "type": ["object", "array", "string", "number", "boolean", "null"], "items": {}.`,
			Sources: []string{"https://github.com/anthropics/claude-code/issues/82652"},
			tool:    untyped,
		},
		{
			ID: "depth-10", Level: Harmed, Subject: OfInput, Clients: []string{kimi, gemini},
			Effect:  `Kimi refuses the request: "schema depth exceeds maximum limit of 10". Gemini refuses what nests too deeply without saying how deep that is.`,
			Remedy:  "Flatten the arguments.",
			Sources: []string{"https://github.com/anomalyco/opencode/issues/25495", "https://github.com/google-gemini/gemini-cli/issues/5923"},
			tool:    depth,
		},
		{
			ID: "output-type", Level: Refused, Subject: OfOutput, Clients: []string{sdk},
			Effect:  "Clients built on the SDK refuse the whole list.",
			Remedy:  `Write "type": "object" at the root of the output schema: structured content is an object.`,
			Sources: []string{"https://github.com/opentokenz/mcpx/issues/28", "https://modelcontextprotocol.io/specification/2025-11-25/server/tools"},
			tool:    outputType,
		},
		{
			ID: "output-dialect", Level: Refused, Subject: OfOutput, Clients: []string{sdk},
			Effect:  `Clients built on version 2 refuse each call of the tool before they send it: "JSON Schema declares an unsupported dialect". They know the drafts 6, 7, 2019-09 and 2020-12; those of summer 2026, Claude Desktop among them, knew 2020-12 alone.`,
			Remedy:  "Leave $schema out, and write the output schema in draft 2020-12.",
			Sources: []string{"https://github.com/modelcontextprotocol/typescript-sdk/pull/2534", "https://github.com/anthropics/claude-code/issues/86142"},
			tool:    outputDialect,
		},
		{
			ID: "output-valid", Level: Refused, Subject: OfOutput, Clients: []string{sdk, claudeCode, "OpenCode"},
			Effect:  "The client can't compile the output schema: clients built on version 1 then refuse the whole list, those on version 2 each call of the tool.",
			Remedy:  "Make it a valid schema of its dialect, which is draft 2020-12 without $schema, whose references lead to its own $defs.",
			Sources: []string{"https://github.com/anomalyco/opencode/issues/21591", "https://github.com/anthropics/claude-code/issues/76040"},
			tool:    outputValid,
		},
		{
			ID: "strict-closed", Level: Refused, Strict: true, Subject: OfInput, Clients: []string{openAI, anthropic},
			Effect:  `The API refuses the request: "'additionalProperties' is required to be supplied and to be false".`,
			Remedy:  `Add "additionalProperties": false to every object, and name its members.`,
			Sources: []string{openAIStrict, anthropicStrict},
			tool:    strictClosed,
		},
		{
			ID: "strict-required", Level: Refused, Strict: true, Subject: OfInput, Clients: []string{openAI},
			Effect:  `The API refuses the request: "'required' is required to be supplied and to be an array including every key in properties".`,
			Remedy:  `List every property in "required", and let those be null that may be missing.`,
			Sources: []string{openAIStrict},
			tool:    strictRequired,
		},
		{
			ID: "strict-type", Level: Refused, Strict: true, Subject: OfInput, Clients: []string{openAI, anthropic},
			Effect:  `The API refuses the request: "schema must have a 'type' key".`,
			Remedy:  "Say what each value is: by type, enum, const, anyOf or $ref.",
			Sources: []string{openAIStrict, "https://github.com/anthropics/anthropic-sdk-typescript/blob/main/src/lib/transform-json-schema.ts"},
			tool:    strictType,
		},
		{
			ID: "strict-keyword", Level: Refused, Strict: true, Subject: OfInput, Clients: []string{openAI},
			Effect:  "The API refuses the request: it does not support the keyword.",
			Remedy:  "Leave the keyword out, say in the description what it asked, and check it in the tool; oneOf can become anyOf.",
			Sources: []string{openAIStrict, "https://github.com/openai/openai-node/blob/master/src/lib/transform.ts"},
			tool:    strictKeywords,
		},
		{
			ID: "strict-format", Level: Refused, Strict: true, Subject: OfInput, Clients: []string{openAI},
			Effect:  "The API refuses the request: it knows the formats date-time, time, date, duration, email, hostname, ipv4, ipv6 and uuid.",
			Remedy:  "Leave the format out and say in the description what the string is.",
			Sources: []string{openAIStrict},
			tool:    strictFormats,
		},
		{
			ID: "strict-size", Level: Refused, Strict: true, Subject: OfInput, Clients: []string{openAI},
			Effect:  "The API refuses the request: a schema has at most 10 levels of nesting, 5,000 properties, 1,000 values in enums, 120,000 characters in the names of properties and definitions and in the values of enum and const, and 15,000 in an enum of more than 250 strings.",
			Remedy:  "Split the tool, or flatten its arguments.",
			Sources: []string{openAIStrict},
			tool:    strictSizes,
		},
		{
			ID: "strict-anthropic-keyword", Level: Refused, Strict: true, Subject: OfInput, Clients: []string{anthropic},
			Effect:  "The API refuses the request: it does not support bounds of numbers and lengths, minItems beyond 1, enums of objects or arrays, and recursion.",
			Remedy:  "Leave it out, say in the description what it asked, and check it in the tool.",
			Sources: []string{anthropicStrict, "https://github.com/anthropics/anthropic-sdk-typescript/blob/main/src/lib/transform-json-schema.ts"},
			tool:    strictAnthropic,
		},
		{
			ID: "strict-anthropic-list", Level: Refused, Strict: true, Subject: OfList, Clients: []string{anthropic},
			Effect:  "The API refuses the request: the strict tools of a request are at most 20, with at most 24 optional parameters and 16 parameters of several types in all.",
			Remedy:  "Make few tools strict, and their parameters required.",
			Sources: []string{anthropicStrict},
			list:    strictAnthropicList,
		},
	}
}

const (
	openAIStrict    = "https://developers.openai.com/api/docs/guides/structured-outputs#supported-schemas"
	anthropicStrict = "https://platform.claude.com/docs/en/build-with-claude/structured-outputs#json-schema-limitations"
)
