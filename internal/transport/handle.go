package transport

import (
	"bytes"
	"context"

	"github.com/zenlix/echo-mcp/internal/wire"
)

// Handle answers one message of a client. It returns the answer, and nil where there is none: for a
// notification or a response, and where ctx has ended. Each message stands for itself, as there is
// no connection: nothing is kept of an earlier one, and what would have to be told beside the answer
// is not told. It may be called at the same time.
func (s *Server) Handle(ctx context.Context, message []byte) []byte {
	checked, err := s.ration.enter(ctx, message)
	if err != nil {
		return nil
	}
	defer checked()
	var m *wire.Message
	var refusal *wire.Refusal
	if len(message) > s.options.MaxMessageBytes {
		var scanner wire.Scanner
		scanner.Scan(message)
		m, refusal = scanner.Refuse(s.tooLarge())
	} else {
		m, refusal = s.parser.Parse(message)
	}
	switch {
	case refusal != nil:
		s.logRefusal(ctx, refusal, len(message))
		return refusal.AppendTo(nil)
	case m == nil, m.Kind == wire.Response:
		s.logIgnored(ctx, len(message))
		return nil
	}
	m.Call.OnChecked(checked)
	defer m.Call.Release()
	doc := s.dispatch(ctx, m)
	if doc == nil {
		return nil
	}
	var answer bytes.Buffer
	if err := m.WriteAnswer(&answer, doc, wire.Line); err != nil {
		s.logPlaceholder(ctx, err)
		return s.internalError(m)
	}
	return answer.Bytes()
}
