package oauth

import (
	"context"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
)

// algorithms are those of signatures that are accepted: none and the symmetric ones are not
// (RFC 9068, section 4; RFC 8725, section 3.1).
var algorithms = []jose.SignatureAlgorithm{
	jose.RS256, jose.RS384, jose.RS512, jose.PS256, jose.PS384, jose.PS512,
	jose.ES256, jose.ES384, jose.ES512, jose.EdDSA,
}

// leeway is how far the clocks of the authorization server and of this machine may differ.
const leeway = 30 * time.Second

// minRSA is the size in bits of the smallest RSA key (RFC 7518, section 3.3).
const minRSA = 2048

// signs reports whether signatures can be checked with a key.
func signs(key *jose.JSONWebKey) bool {
	if key.Use != "" && key.Use != "sig" {
		return false
	}
	switch k := key.Key.(type) {
	case *rsa.PublicKey:
		return k.N.BitLen() >= minRSA
	case *ecdsa.PublicKey, ed25519.PublicKey:
		return true
	}
	return false
}

// claims are what is looked at of a token, or of an answer about one.
type claims struct {
	jwt.Claims
	ClientID     string          `json:"client_id"`
	Party        string          `json:"azp"`
	Scope        words           `json:"scope"`
	ScopeOld     words           `json:"scp"` // of servers older than RFC 8693
	Confirmation json.RawMessage `json:"cnf"`
}

// words are written as one string with spaces between them, or as an array.
type words []string

// UnmarshalJSON implements json.Unmarshaler.
func (w *words) UnmarshalJSON(text []byte) error {
	var one string
	if json.Unmarshal(text, &one) == nil {
		*w = strings.Fields(one)
		return nil
	}
	return json.Unmarshal(text, (*[]string)(w))
}

// checkJWT checks a JWT access token (RFC 9068, section 4) with the keys of its issuer.
func (s *state) checkJWT(ctx context.Context, token string) (Grant, error) {
	parsed, err := jwt.ParseSigned(token, algorithms)
	if err != nil || len(parsed.Headers) != 1 {
		return Grant{}, invalid("the access token is not a JWT with a signature that this server accepts")
	}
	header := parsed.Headers[0]
	if !typeAccepted(header.ExtraHeaders[jose.HeaderType]) {
		return Grant{}, invalid("the token is of a type that is no access token")
	}
	var unsafe struct {
		Issuer string `json:"iss"`
	}
	if parsed.UnsafeClaimsWithoutVerification(&unsafe) != nil {
		return Grant{}, invalid("the claims of the access token can't be read")
	}
	issuer := s.issuers[unsafe.Issuer]
	if issuer == nil {
		return Grant{}, invalid("the access token comes from an authorization server that this server does not accept")
	}
	candidates := func(k *snapshot) []jose.JSONWebKey {
		return slices.DeleteFunc(slices.Clone(k.keys), func(key jose.JSONWebKey) bool {
			return header.KeyID != "" && key.KeyID != header.KeyID || key.Algorithm != "" && key.Algorithm != header.Algorithm
		})
	}
	known, err := issuer.get(ctx, func(k *snapshot) bool { return len(candidates(k)) > 0 })
	if err != nil {
		return Grant{}, unavailable(err)
	}
	for _, key := range candidates(known) {
		var c claims
		if parsed.Claims(key.Key, &c) != nil {
			continue
		}
		if c.Expiry == nil {
			return Grant{}, invalid("the access token does not say when it expires (exp)")
		}
		return s.accept(&c, issuer.url)
	}
	return Grant{}, invalid("the access token is not signed with a key of its issuer, or its claims can't be read")
}

// typeAccepted reports whether the header typ can be that of an access token: many servers
// leave it out or write JWT, but what says that it is something else is not taken.
func typeAccepted(typ any) bool {
	if typ == nil {
		return true
	}
	text, ok := typ.(string)
	text = strings.TrimPrefix(strings.ToLower(text), "application/")
	return ok && (text == "at+jwt" || text == "jwt")
}

// accept checks the claims of a token that the issuer stands for.
func (s *state) accept(c *claims, issuer string) (Grant, error) {
	resource := s.metadata.Resource
	if !slices.ContainsFunc(c.Audience, func(a string) bool { return sameResource(a, resource) }) {
		return Grant{}, invalid("the access token is not for this server: ask for one with resource=" + resource)
	}
	if len(c.Confirmation) > 0 && string(c.Confirmation) != "null" {
		return Grant{}, invalid("the access token is bound to a key, which this server can't check: ask for a bearer token")
	}
	err := c.ValidateWithLeeway(jwt.Expected{Issuer: issuer}, leeway)
	switch {
	case errors.Is(err, jwt.ErrExpired):
		return Grant{}, invalid("the access token has expired")
	case errors.Is(err, jwt.ErrNotValidYet), errors.Is(err, jwt.ErrIssuedInTheFuture):
		return Grant{}, invalid("the access token is not valid yet")
	case err != nil:
		return Grant{}, invalid("the access token comes from another authorization server")
	}
	scopes := c.Scope
	if scopes == nil {
		scopes = c.ScopeOld
	}
	for _, needed := range s.metadata.Scopes {
		if !slices.Contains(scopes, needed) {
			return Grant{}, &TokenError{Reason: Scope, Message: "the access token lacks the scope " + needed}
		}
	}
	for _, subject := range []string{c.Subject, c.ClientID, c.Party} {
		if subject != "" {
			return Grant{Owner: ownerOf(issuer, subject)}, nil
		}
	}
	return Grant{}, invalid("the access token does not say for whom it is (sub)")
}
