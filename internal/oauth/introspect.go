package oauth

import (
	"context"
	"crypto/sha256"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

// checkByAsking asks the authorization server about a token (RFC 7662). Answers hold for a
// while, and many that ask at once about the same token are one question.
func (s *state) checkByAsking(ctx context.Context, token string) (Grant, error) {
	key := sha256.Sum256([]byte(token))
	for _, answers := range []*answers{&s.active, &s.gone} {
		if a, ok := answers.get(key); ok {
			return a.grant, a.err
		}
	}
	issuer := s.issuers[s.metadata.Servers[0]]
	question := func() (any, error) {
		// Not the client's context: others may wait for the answer too.
		ctx, cancel := context.WithTimeout(context.Background(), issuer.timing.timeout)
		defer cancel()
		known, err := issuer.get(ctx, func(k *snapshot) bool { return k.introspection != "" })
		if err != nil {
			return Grant{}, unavailable(err)
		}
		c, err := s.introspect(ctx, issuer, known.introspection, token)
		if err != nil {
			return Grant{}, err
		}
		return s.remember(key, c, issuer)
	}
	select {
	case <-ctx.Done():
		return Grant{}, ctx.Err()
	case r := <-s.questions.DoChan(string(key[:]), question):
		return r.Val.(Grant), r.Err
	}
}

// introspection is an answer (RFC 7662, section 2.2).
type introspection struct {
	claims
	Active bool   `json:"active"`
	Type   string `json:"token_type"`
}

// introspect asks the server. The error is a *TokenError.
func (s *state) introspect(ctx context.Context, issuer *issuer, endpoint, token string) (*introspection, error) {
	form := url.Values{"token": {token}, "token_type_hint": {"access_token"}}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, endpoint, strings.NewReader(form.Encode()))
	if err != nil {
		return nil, unavailable(err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Accept", "application/json")
	request.SetBasicAuth(url.QueryEscape(s.client.ID), url.QueryEscape(s.client.Secret)) // RFC 6749, section 2.3.1
	var answer introspection
	if err := doJSON(issuer.client, request, &answer); err != nil {
		var status *statusError
		if errors.As(err, &status) && status.status == http.StatusUnauthorized {
			err = errors.New("it does not know the client_id and client_secret of this server")
		}
		issuer.log.Warn("the authorization server can't be asked about tokens", "issuer", issuer.url, "error", err.Error())
		return nil, unavailable(err)
	}
	return &answer, nil
}

// remember turns an answer into what holds, and keeps that.
func (s *state) remember(key [sha256.Size]byte, c *introspection, issuer *issuer) (Grant, error) {
	a := answer{until: time.Now().Add(issuer.timing.gone)}
	switch {
	case !c.Active:
		a.err = invalid("the authorization server says that the access token is not valid")
	case c.Type != "" && !strings.EqualFold(c.Type, "Bearer"):
		a.err = invalid("the token is no bearer token")
	default:
		if c.Issuer == "" {
			c.Issuer = issuer.url // who answers stands for it
		}
		a.grant, a.err = s.accept(&c.claims, issuer.url)
	}
	if a.err != nil {
		s.gone.set(key, a)
		return a.grant, a.err
	}
	a.until = time.Now().Add(issuer.timing.active)
	if end := c.Expiry; end != nil && end.Time().Add(leeway).Before(a.until) {
		a.until = end.Time().Add(leeway)
	}
	s.active.set(key, a)
	return a.grant, nil
}

// maxAnswers is how many answers are remembered of each kind; a flood of bad tokens pushes
// out no good ones.
const maxAnswers = 4096

// answers are those that were given last. The zero value has none.
type answers struct {
	mu    sync.Mutex
	byKey map[[sha256.Size]byte]answer
	ring  [][sha256.Size]byte // the keys, the oldest at next once it is full
	next  int
}

type answer struct {
	grant Grant
	err   error
	until time.Time
}

func (s *answers) get(key [sha256.Size]byte) (answer, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a, ok := s.byKey[key]
	return a, ok && time.Now().Before(a.until)
}

func (s *answers) set(key [sha256.Size]byte, a answer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.byKey == nil {
		s.byKey = make(map[[sha256.Size]byte]answer)
	}
	if _, known := s.byKey[key]; !known {
		if len(s.ring) < maxAnswers {
			s.ring = append(s.ring, key)
		} else {
			delete(s.byKey, s.ring[s.next])
			s.ring[s.next] = key
			s.next = (s.next + 1) % maxAnswers
		}
	}
	s.byKey[key] = a
}
