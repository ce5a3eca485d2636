// Package oauth makes a server a protected resource of OAuth 2.1, as MCP describes it
// (2025-11-25 and 2026-07-28, basic/authorization): it reads the resource's metadata (RFC
// 9728) and checks access tokens, either as JWTs with the keys of their issuer (RFC 9068) or
// by asking the authorization server (RFC 7662). It knows neither MCP nor HTTP handlers.
//
// It fetches only what the operator has configured: the metadata of the authorization
// servers in the file, and what these name. Nothing in a token leads anywhere.
package oauth

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
	"net/http"
	"sync/atomic"

	"golang.org/x/sync/singleflight"
)

// Reason says why a token was not accepted.
type Reason uint8

const (
	// Invalid means that the token does not open this resource.
	Invalid Reason = iota
	// Scope means that it would, if it had all the scopes that Metadata names.
	Scope
	// Unavailable means that nobody can tell at the moment: the authorization server does
	// not answer as it should.
	Unavailable
)

// TokenError is the error of Check.
type TokenError struct {
	Reason  Reason
	Message string // for the client: ASCII without quotes and backslashes
	err     error
}

func (r *TokenError) Error() string { return r.Message }

// Unwrap returns what was wrong with the authorization server, for Unavailable.
func (r *TokenError) Unwrap() error { return r.err }

func invalid(message string) error { return &TokenError{Reason: Invalid, Message: message} }

func unavailable(err error) error {
	return &TokenError{
		Reason: Unavailable, err: err,
		Message: "the access token can't be checked at the moment, because the authorization server does not answer",
	}
}

// Grant is what an accepted token says.
type Grant struct {
	// Owner stands for the issuer and the subject: the same for two tokens exactly if both
	// are the same.
	Owner string
}

func ownerOf(issuer, subject string) string {
	sum := sha256.Sum256([]byte(issuer + "\x00" + subject))
	return hex.EncodeToString(sum[:])
}

// Resource checks access tokens. Its methods may be used at the same time.
type Resource struct {
	http   *http.Client
	timing timing
	log    *slog.Logger
	state  atomic.Pointer[state]
}

// state is a configuration and what is known under it.
type state struct {
	metadata     *Metadata
	client       *Client
	issuers      map[string]*issuer
	questions    singleflight.Group
	active, gone answers
}

// New makes a resource. Tokens are checked with the keys of the authorization servers that
// the metadata name, or, with a client, by asking the only one of them. The log gets which
// authorization server can't be asked and why, never a token or what is in it.
func New(m *Metadata, client *Client, log *slog.Logger) *Resource {
	r := &Resource{http: newHTTPClient(), timing: usualTiming(), log: log}
	r.Set(m, client)
	return r
}

// Set exchanges the configuration. Keys of servers that stay are kept.
func (r *Resource) Set(m *Metadata, client *Client) {
	s := &state{metadata: m, client: client, issuers: make(map[string]*issuer, len(m.Servers))}
	old := r.state.Load()
	for _, url := range m.Servers {
		if old != nil && old.issuers[url] != nil && old.issuers[url].withKeys == (client == nil) {
			s.issuers[url] = old.issuers[url]
			continue
		}
		s.issuers[url] = &issuer{url: url, withKeys: client == nil, client: r.http, timing: r.timing, log: r.log}
	}
	r.state.Store(s)
}

// Metadata is the configuration that holds now.
func (r *Resource) Metadata() *Metadata { return r.state.Load().metadata }

// Check checks an access token. The error is a *TokenError, or that of ctx.
func (r *Resource) Check(ctx context.Context, token string) (Grant, error) {
	s := r.state.Load()
	if s.client != nil {
		return s.checkByAsking(ctx, token)
	}
	return s.checkJWT(ctx, token)
}

// Warm asks the authorization servers for what is needed of them, so that the first client
// need not wait and the log tells at once what is wrong. It does not wait itself.
func (r *Resource) Warm() {
	for _, i := range r.state.Load().issuers {
		i.flight.DoChan("", i.ask)
	}
}

// Close gives up the connections that nobody uses at the moment.
func (r *Resource) Close() { r.http.CloseIdleConnections() }
