package rawclient

import (
	"bytes"
	"io"
	"net/http"
	"sync/atomic"
)

// Balancer is a load balancer as simple as can be: every request goes to the next replica,
// and to the one after it where that takes no request or dies before its answer is whole.
// Sending a call again is right, as the tools change nothing.
type Balancer struct {
	replicas []string
	client   http.Client
	next     atomic.Uint64
	moved    atomic.Int64
}

// NewBalancer makes a balancer in front of replicas, given as http://host:port.
func NewBalancer(replicas ...string) *Balancer {
	return &Balancer{replicas: replicas, client: http.Client{Transport: &http.Transport{DisableKeepAlives: true}}}
}

// Moved is how many times a request had to go to another replica.
func (b *Balancer) Moved() int64 { return b.moved.Load() }

// ServeHTTP implements http.Handler.
func (b *Balancer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, "the body can't be read", http.StatusBadRequest)
		return
	}
	first := b.next.Add(1)
	for i := range uint64(len(b.replicas)) {
		answer, text, err := b.ask(r, b.replicas[(first+i)%uint64(len(b.replicas))], body)
		if err != nil {
			b.moved.Add(1)
			continue
		}
		for name, values := range answer.Header {
			w.Header()[name] = values
		}
		w.WriteHeader(answer.StatusCode)
		_, _ = w.Write(text) // the client notices what is missing
		return
	}
	http.Error(w, "no replica takes requests", http.StatusBadGateway)
}

// ask gives a request to a replica and reads the whole answer.
func (b *Balancer) ask(r *http.Request, replica string, body []byte) (*http.Response, []byte, error) {
	request, err := http.NewRequestWithContext(r.Context(), r.Method, replica+r.URL.Path, bytes.NewReader(body))
	if err != nil {
		return nil, nil, err
	}
	request.Header = r.Header.Clone()
	answer, err := b.client.Do(request)
	if err != nil {
		return nil, nil, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	return answer, text, err
}
