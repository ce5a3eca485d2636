// Package wire stands between a transport and mcp-go and keeps the payload of a tool call
// out of mcp-go's hands.
//
// mcp-go decodes a message several times over and encodes every answer anew. On the way it
// drops white space, escapes <, >, & and U+2028, refuses numbers outside float64, rounds
// ids above 2^53, takes "METHOD" for "method", and spends some 170 ms on a payload of 1 MB.
// The contract here is that a payload comes back byte for byte, so those bytes must take
// another way.
//
// # One way for every message and both transports
//
// Two designs were weighed:
//
//	(a) answer the three tools in code of our own and give mcp-go everything else;
//	(b) give mcp-go every message, with the arguments of a tool call taken out, and put the
//	    answer in where mcp-go's own answer has a placeholder.
//
// (a) needs less machinery on stdio, but what surrounds a call (session checks, protocol
// versions and their headers, both protocol eras, hooks, cancellation, unknown tools, the
// members that 2026-07-28 adds to a result) would have to be written a second time and
// kept equal to mcp-go's. (b) leaves all that where it is. It is what this package does,
// in three steps that stdio and HTTP share:
//
//  1. [Parser.Parse] reads a message once, into a tape that does not look into the payload,
//     refuses what is not one well-formed JSON-RPC message, and makes the text that mcp-go
//     gets ([Message.Forward]): the message with "arguments":{} and, where mcp-go would
//     change the id, a stand-in for the id. What was taken out waits in a [Call], which the
//     transport puts into the request's context with its message ([NewContext]).
//  2. The tool's handler takes the Call from its context ([FromContext]), hands the finished
//     envelope to [Call.Answer] and returns a result that holds nothing but the token it
//     got for it.
//  3. [Message.WriteAnswer] reads mcp-go's answer, a few hundred bytes, finds
//     result.content[0].text and result.structuredContent by their place in the document,
//     insists that both are the token, and writes the answer with the envelope there (raw
//     in structuredContent, as a JSON string in the text block) and the id as it was
//     received.
//
// # Why the bytes are exact whatever they are
//
// The payload is never in a text that is searched. Places are found by structure in a
// document that mcp-go made from a message without payload, so a payload that looks like a
// token, an answer or an envelope meets nothing that looks for one. The token (128 random
// bits, drawn when the handler answers, good for one answer) is not what finds the place;
// it proves that the result in the document is the one that the handler of this very call
// returned, and not that of a hook or a middleware. Without that proof nothing is put in
// and the caller gets an error.
//
// # Limits
//
// What mcp-go gets has limits of its own, in bytes and values, since its decoder multiplies
// them (see forward.go). What it takes to read and check a message is told beforehand by
// [Need], so that the transports can keep within their memory; the message itself is counted
// while it is held, by [Room] over HTTP.
//
// A message beyond the size limit is read on and thrown away, through a [Scanner] that
// finds the id and the name of the method in constant memory, so that the caller gets an
// answer under its own id. The same scanner serves messages nested too deep.
package wire
