package transport

import (
	"io"

	"github.com/zenlix/echo-mcp/gen/jsontape"
	"github.com/zenlix/echo-mcp/internal/wire"
)

// acknowledge sends the acknowledgement of subscriptions/listen where the first event of its
// stream isn't that. Where nothing is agreed to, which is always so here (resourceHooks sees
// to it), mcp-go ends the stream at once, now and then before its goroutine for
// notifications has sent this one, which must come first.
func (a *answerWriter) acknowledge(first []byte) error {
	if a.message.Method != wire.MethodSubscriptionsListen || a.acknowledged {
		return nil
	}
	a.acknowledged = true
	var t jsontape.Tape
	if t.Parse(first, jsontape.Options{}) != nil || t.Member(0, "result") < 0 {
		return nil
	}
	_, err := io.WriteString(a.w, eventHead+
		`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":`+
		string(a.message.ID)+`},"notifications":{}}}`+"\n\n")
	return err
}
