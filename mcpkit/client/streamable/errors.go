package streamable

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"

	"github.com/zenlix/echo-mcp/internal/printable"
)

// HTTPError says that the server answered with a status other than 2xx.
type HTTPError struct {
	// URL is where, without user, password and query.
	URL string
	// Status is the status code.
	Status int
	// Body is the beginning of the body, at most 2,000 bytes, with what a terminal would obey
	// escaped. The values of Options.Header are taken out of it.
	Body string
	// Challenge is the header WWW-Authenticate, which says with status 401 how to get a token.
	Challenge string
	// RetryAfter is the header Retry-After: when to try again, in seconds or as a date.
	RetryAfter string
	// Location is where a redirect leads that was not followed, without user, password and query.
	Location string
}

func (e *HTTPError) Error() string {
	status := fmt.Sprintf("%d %s", e.Status, http.StatusText(e.Status))
	text := fmt.Sprintf("the server at %s answered with status %s", e.URL, strings.TrimSpace(status))
	switch {
	case e.Status == http.StatusUnauthorized:
		text += `: it wants a token; send one in the header Authorization, as "Authorization: Bearer TOKEN"`
		if e.Challenge != "" {
			text += " (it asks for " + e.Challenge + ")"
		}
	case e.Status == http.StatusForbidden:
		text += ": the token or the address that the request came from does not give access"
	case e.Location != "":
		text += ": it has moved to " + e.Location + "; if you trust that address, use it instead"
	case e.Status == http.StatusNotFound, e.Status == http.StatusMethodNotAllowed:
		text += ": no MCP server is there; most are at a path such as /mcp"
	case e.RetryAfter != "":
		text += ": try again after " + e.RetryAfter
		if strings.Trim(e.RetryAfter, "0123456789") == "" {
			text += " seconds"
		}
	}
	if e.Body != "" {
		text += "; its body: " + printable.Start(e.Body, maxShown)
	}
	return text
}

// UnreachableError says that no answer came from the server: there is no such host, nothing listens
// there, the connection broke.
type UnreachableError struct {
	// URL is where, without user, password and query.
	URL string
	// Reason says why, and what to do about it where that is known.
	Reason string
	// Err is what the system said.
	Err error
}

func (e *UnreachableError) Error() string {
	return fmt.Sprintf("can't reach the server at %s: %s", e.URL, e.Reason)
}

func (e *UnreachableError) Unwrap() error { return e.Err }

// AnswerError says that the server's answer to a request is none of MCP's.
type AnswerError struct {
	// URL is where, without user, password and query.
	URL string
	// Status is the status code, one of 2xx.
	Status int
	// ContentType is the answer's, "" if it has none.
	ContentType string
	// Reason says what is wrong.
	Reason string
}

func (e *AnswerError) Error() string {
	return fmt.Sprintf("the server at %s answered with %s", e.URL, e.Reason)
}

// TooLargeError says that the server sent a message of more bytes than one may have.
type TooLargeError struct {
	// URL is where, without user, password and query.
	URL string
	// Limit is the number of bytes that a message may have.
	Limit int
}

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("the server at %s sent a message of more than %d bytes, which is the limit", e.URL, e.Limit)
}

var (
	errTooLarge = errors.New("too large")
	errNotOpen  = errors.New("the transport is not open")
)

const (
	// maxBody is how much of the body of an error is kept, maxShown how much its text shows.
	maxBody  = 2000
	maxShown = 300
)

// shown is a URL without what may be secret in it.
func shown(u *url.URL) string {
	clean := url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}
	return printable.Start(clean.String(), maxShown)
}

// unreachable says in a person's words why no answer came.
func (t *Transport) unreachable(err error) error {
	var (
		web         *url.Error
		dns         *net.DNSError
		errno       syscall.Errno
		certificate *tls.CertificateVerificationError
		record      tls.RecordHeaderError
	)
	if errors.As(err, &web) {
		err = web.Err // it would show the query
	}
	reason := printable.Start(err.Error(), maxShown)
	switch {
	case errors.As(err, &dns):
		reason = "there is no host " + dns.Name
		if dns.IsTimeout || dns.IsTemporary {
			reason = "the name " + dns.Name + " can't be looked up at the moment"
		}
	case errors.As(err, &certificate):
		reason = "its certificate is not to be trusted: " + printable.Start(certificate.Err.Error(), maxShown)
	case errors.As(err, &record), strings.Contains(reason, "HTTP response to HTTPS client"):
		reason = "it does not speak https; try http://"
	case errors.Is(err, syscall.ECONNREFUSED):
		reason = "connection refused; is the server running, and at this port?"
	case brokeOff(err):
		reason = "it ended the connection without an answer"
	case errors.As(err, &errno):
		reason = errno.Error()
	case strings.Contains(reason, "malformed HTTP"):
		reason = "what answers there does not speak HTTP"
	}
	return &UnreachableError{URL: t.shown, Reason: reason, Err: err}
}
