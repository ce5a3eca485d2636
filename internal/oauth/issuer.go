package oauth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/go-jose/go-jose/v4"
	"golang.org/x/sync/singleflight"
)

// timing says how often authorization servers are asked, and how long they may take.
type timing struct {
	timeout time.Duration // for all that one question needs
	pause   time.Duration // between two questions for keys, whoever wants them
	fresh   time.Duration // after which keys are asked for again while they are used
	keep    time.Duration // for which keys hold that could not be asked for again
	active  time.Duration // for which the answer holds that a token is active, at most until it expires
	gone    time.Duration // for which the answer holds that it is not
}

func usualTiming() timing {
	return timing{
		timeout: 4 * time.Second,
		pause:   5 * time.Second,
		fresh:   5 * time.Minute,
		keep:    time.Hour,
		active:  30 * time.Second,
		gone:    10 * time.Second,
	}
}

const (
	maxAnswer = 256 << 10 // bytes of an answer of an authorization server
	maxKeys   = 32        // of one authorization server; a token without a key id tries them all
)

// issuer is an authorization server whose tokens are accepted.
type issuer struct {
	url      string
	withKeys bool // its keys are needed, not only its introspection endpoint
	client   *http.Client
	timing   timing
	log      *slog.Logger

	flight  singleflight.Group
	now     atomic.Pointer[snapshot]
	tried   time.Time // in flight only
	failure error     // of the last try; in flight only
}

// snapshot is what an authorization server said of itself.
type snapshot struct {
	introspection string // URL of the endpoint, "" if there is none
	keys          []jose.JSONWebKey
	at            time.Time
}

// get is what is known of the server. It asks the server if that is nothing, not enough, or
// too old; only for the last it does not wait. If the server can't be asked, what is known
// holds for timing.keep.
func (i *issuer) get(ctx context.Context, enough func(*snapshot) bool) (*snapshot, error) {
	s := i.now.Load()
	known := s != nil && time.Since(s.at) < i.timing.keep
	if known && enough(s) {
		if time.Since(s.at) >= i.timing.fresh {
			i.flight.DoChan("", i.ask)
		}
		return s, nil
	}
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case r := <-i.flight.DoChan("", i.ask):
		if r.Err != nil {
			return nil, r.Err
		}
		return r.Val.(*snapshot), nil
	}
}

// ask asks the server for its metadata and keys, if nobody has done so just now. It runs
// once at a time, on a goroutine of its own, which ends with timing.timeout: a client that
// leaves must not take the answer away from others.
func (i *issuer) ask() (any, error) {
	if !i.tried.IsZero() && time.Since(i.tried) < i.timing.pause {
		return i.now.Load(), i.failure
	}
	ctx, cancel := context.WithTimeout(context.Background(), i.timing.timeout)
	defer cancel()
	s, err := i.fetch(ctx)
	i.tried, i.failure = time.Now(), err
	if err != nil {
		i.log.LogAttrs(ctx, slog.LevelWarn, "the authorization server can't be asked", slog.String("issuer", i.url), slog.String("error", err.Error()))
		return nil, err
	}
	if i.now.Swap(s) == nil {
		i.log.LogAttrs(ctx, slog.LevelInfo, "authorization server found", slog.String("issuer", i.url), slog.Int("keys", len(s.keys)))
	}
	return s, nil
}

// fetch finds the server's metadata, at the places and in the order that MCP names
// (2025-11-25, basic/authorization, authorization server metadata discovery), and its keys.
func (i *issuer) fetch(ctx context.Context) (*snapshot, error) {
	var found struct {
		Issuer        string `json:"issuer"`
		JWKS          string `json:"jwks_uri"`
		Introspection string `json:"introspection_endpoint"`
	}
	var problem error
	for _, place := range discoveryURLs(i.url) {
		err := i.getJSON(ctx, place, &found)
		if err == nil {
			problem = nil
			break
		}
		problem = errors.Join(problem, err)
	}
	if problem != nil {
		return nil, problem
	}
	if found.Issuer != i.url {
		// RFC 8414, section 3.3: or one server could speak for another.
		return nil, fmt.Errorf("its metadata are those of the issuer %q: authorization_servers must name the issuer exactly so", short(found.Issuer))
	}
	s := &snapshot{at: time.Now()}
	if !i.withKeys {
		if problem := urlProblem(strings.SplitN(found.Introspection, "?", 2)[0]); problem != "" {
			return nil, errors.New("its introspection_endpoint " + problem)
		}
		s.introspection = found.Introspection
		return s, nil
	}
	if problem := urlProblem(strings.SplitN(found.JWKS, "?", 2)[0]); problem != "" {
		return nil, errors.New("its jwks_uri " + problem)
	}
	var set struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if err := i.getJSON(ctx, found.JWKS, &set); err != nil {
		return nil, err
	}
	if len(set.Keys) > maxKeys {
		return nil, fmt.Errorf("%s: has more than %d keys", found.JWKS, maxKeys)
	}
	for _, text := range set.Keys {
		var key jose.JSONWebKey
		// RFC 7517, section 5: keys of kinds that one doesn't know are left out.
		if key.UnmarshalJSON(text) == nil && signs(&key) {
			s.keys = append(s.keys, key)
		}
	}
	if len(s.keys) == 0 {
		return nil, fmt.Errorf("%s: has no key that signatures can be checked with", found.JWKS)
	}
	return s, nil
}

// discoveryURLs are the places of an issuer's metadata.
func discoveryURLs(issuer string) []string {
	u, err := url.Parse(issuer)
	if err != nil { // ReadMetadata has parsed it
		return nil
	}
	origin, path := u.Scheme+"://"+u.Host, strings.TrimSuffix(u.EscapedPath(), "/")
	places := []string{
		origin + "/.well-known/oauth-authorization-server" + path,
		origin + "/.well-known/openid-configuration" + path,
	}
	if path != "" {
		places = append(places, origin+path+"/.well-known/openid-configuration")
	}
	return places
}

// getJSON fetches a JSON document.
func (i *issuer) getJSON(ctx context.Context, from string, into any) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, from, nil)
	if err != nil {
		return err
	}
	request.Header.Set("Accept", "application/json")
	return doJSON(i.client, request, into)
}

// doJSON sends a request whose answer must be 200 and JSON. The error holds nothing of the
// answer but its status.
func doJSON(client *http.Client, request *http.Request, into any) error {
	where := request.URL.String()
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return &statusError{where, response.StatusCode}
	}
	text, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer+1))
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", where, err)
	case len(text) > maxAnswer:
		return fmt.Errorf("%s: the answer is larger than %d bytes", where, maxAnswer)
	case json.Unmarshal(text, into) != nil:
		return fmt.Errorf("%s: the answer is not the JSON that it should be", where)
	}
	return nil
}

// statusError is an answer other than 200.
type statusError struct {
	where  string
	status int
}

func (e *statusError) Error() string {
	return fmt.Sprintf("%s: the answer is %d %s", e.where, e.status, http.StatusText(e.status))
}

// newHTTPClient makes the client for all authorization servers. It goes only where it is
// told: an answer that leads elsewhere is a fault. Whoever sends many bad tokens has at most
// maxQuestions asked at a time; further ones wait, and end with their time.
func newHTTPClient() *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone() // net/http says that it is one
	transport.MaxConnsPerHost = maxQuestions
	transport.MaxIdleConnsPerHost = maxQuestions
	transport.MaxResponseHeaderBytes = 64 << 10
	return &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

const maxQuestions = 16

// short keeps what others say from filling the log.
func short(text string) string {
	if len(text) > 100 {
		return text[:100] + "…"
	}
	return text
}
