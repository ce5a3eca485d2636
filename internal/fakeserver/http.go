package fakeserver

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"time"
)

// HTTP is the server over streamable HTTP with a script, see Read. It answers with JSON; with Raw
// lines, with a stream of events that ends with the answer. GET and DELETE are refused with 405.
func HTTP(script string) (http.Handler, error) {
	steps, err := Read(script)
	if err != nil {
		return nil, err
	}
	p := &player{script: steps, at: map[string]int{}}
	return http.HandlerFunc(p.post), nil
}

func (p *player) post(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil || r.Method != http.MethodPost {
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	var m request
	if json.Unmarshal(body, &m) != nil || m.Method == "" {
		w.WriteHeader(http.StatusAccepted) // an answer to what it asked
		return
	}
	step, known := p.next(m.Method)
	if !known && m.ID == nil {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	select {
	case <-time.After(time.Duration(step.Sleep * float64(time.Second))):
	case <-r.Context().Done():
		return
	}
	if step.Exit != nil {
		panic(http.ErrAbortHandler) //nolint:forbidigo // the connection breaks off
	}
	answer, kind := step.answer(m), "application/json"
	if m.ID == nil {
		answer = ""
	}
	if lines := step.raw(m); len(lines) > 0 {
		kind = "text/event-stream"
		if answer != "" {
			lines = append(lines, answer)
		}
		answer = "data: " + strings.Join(lines, "\n\ndata: ") + "\n\n"
	}
	if step.Body != "" || step.Type != "" {
		answer, kind = step.Body, step.Type
	}
	switch {
	case step.Status == 0 && answer == "" && m.ID == nil:
		step.Status = http.StatusAccepted
	case step.Status == 0 && answer == "":
		<-r.Context().Done() // it never answers
		return
	}
	if answer != "" {
		w.Header().Set("Content-Type", kind)
	}
	w.WriteHeader(max(step.Status, http.StatusOK))
	_ = drip(flushing{w}, answer, step.Drip)
}

// flushing sends what is written at once.
type flushing struct{ w http.ResponseWriter }

func (f flushing) Write(p []byte) (int, error) {
	n, err := f.w.Write(p)
	_ = http.NewResponseController(f.w).Flush()
	return n, err
}
