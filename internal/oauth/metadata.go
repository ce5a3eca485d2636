package oauth

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// WellKnown is the path below which the metadata of a protected resource are (RFC 9728,
// section 3).
const WellKnown = "/.well-known/oauth-protected-resource"

// maxFile is the size in bytes of the largest file that is read.
const maxFile = 64 << 10

// FileError is what is wrong with a file, worded for whoever wrote it.
type FileError struct {
	File    string
	Member  string // of the JSON object; "" for the file as a whole
	Problem string // what is wrong and what it should be; never a secret
}

func (e *FileError) Error() string {
	if e.Member == "" {
		return e.File + ": " + e.Problem
	}
	return e.File + ": " + e.Member + ": " + e.Problem
}

// Metadata describes the protected resource: what the file of metadata says (RFC 9728,
// section 2).
type Metadata struct {
	Resource string   // the URL that clients call, and the audience of their tokens
	Servers  []string // issuers of the authorization servers, at least one
	Scopes   []string // scopes_supported; a token needs all of them
	Document []byte   // the file, without white space between its values
	URL      string   // where clients find Document
	Path     string   // of URL
}

// ReadMetadata reads a file of metadata. The error is a *FileError, or one of the system.
func ReadMetadata(file string) (*Metadata, error) {
	members, text, err := readObject(file)
	if err != nil {
		return nil, err
	}
	fault := func(member, format string, args ...any) error {
		return &FileError{File: file, Member: member, Problem: fmt.Sprintf(format, args...)}
	}
	m := &Metadata{}
	for _, name := range []string{"resource", "authorization_servers"} {
		if members[name] == nil {
			return nil, fault(name, "is missing; RFC 9728 and MCP need it")
		}
	}
	if json.Unmarshal(members["resource"], &m.Resource) != nil {
		return nil, fault("resource", "must be a string, the URL that clients call")
	}
	if problem := urlProblem(m.Resource); problem != "" {
		return nil, fault("resource", "%s, such as https://mcp.example.com/mcp", problem)
	}
	if json.Unmarshal(members["authorization_servers"], &m.Servers) != nil || len(m.Servers) == 0 {
		return nil, fault("authorization_servers", "must be an array with the issuer URL of at least one authorization server")
	}
	for i, server := range m.Servers {
		member := fmt.Sprintf("authorization_servers/%d", i)
		if problem := urlProblem(server); problem != "" {
			return nil, fault(member, "%s, such as https://auth.example.com", problem)
		}
		if slices.Contains(m.Servers[:i], server) {
			return nil, fault(member, "is there twice")
		}
	}
	if problem := listProblem(members["scopes_supported"], &m.Scopes, scopeForm); problem != "" {
		return nil, fault("scopes_supported", "%s", problem)
	}
	if problem := unsupported(members); problem != nil {
		problem.File = file
		return nil, problem
	}
	var document bytes.Buffer
	if err := json.Compact(&document, text); err != nil {
		return nil, fault("", "is not JSON")
	}
	m.Document = document.Bytes()
	u, err := url.Parse(m.Resource)
	if err != nil {
		return nil, fault("resource", "must be a URL")
	}
	// Section 3.1: between host and path, and a path that is only a slash is none.
	m.Path = WellKnown + strings.TrimSuffix(u.EscapedPath(), "/")
	m.URL = u.Scheme + "://" + u.Host + m.Path
	return m, nil
}

// unsupported is a member that promises clients what this server does not do, nil if there
// is none.
func unsupported(members map[string]json.RawMessage) *FileError {
	var methods []string
	if problem := listProblem(members["bearer_methods_supported"], &methods, scopeForm); problem != "" {
		return &FileError{Member: "bearer_methods_supported", Problem: problem}
	}
	if methods != nil && !slices.Equal(methods, []string{"header"}) {
		return &FileError{Member: "bearer_methods_supported", Problem: `must be ["header"]: tokens are taken from the Authorization header only`}
	}
	for _, name := range []string{"dpop_bound_access_tokens_required", "tls_client_certificate_bound_access_tokens"} {
		var required bool
		if value := members[name]; value != nil && (json.Unmarshal(value, &required) != nil || required) {
			return &FileError{Member: name, Problem: "must be false or left out: this server takes bearer tokens, which are bound to no key"}
		}
	}
	return nil
}

// scopeForm is what a scope looks like (RFC 6749, section 3.3). It can stand in a header.
var scopeForm = regexp.MustCompile(`^[!#-\[\]-~]+$`)

// listProblem reads an array of words into list, and says what is wrong with it, "" for
// nothing. A member that is missing is nil.
func listProblem(value json.RawMessage, list *[]string, form *regexp.Regexp) string {
	if value == nil {
		return ""
	}
	if json.Unmarshal(value, list) != nil || *list == nil {
		return "must be an array of strings"
	}
	for _, word := range *list {
		if !form.MatchString(word) {
			return fmt.Sprintf("%q must be one word of ASCII characters, without quotes and backslashes", word)
		}
	}
	return ""
}

// urlProblem says why text can't be the URL of a resource or an issuer: https, without
// query and fragment (RFC 9728, section 1.2; RFC 8414, section 2), "" if it can. On loopback
// http is good enough.
func urlProblem(text string) string {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Scheme == "" || u.Host == "" || u.Hostname() == "" || strings.ContainsAny(text, " \"\\"):
		return "must be an https URL"
	case u.User != nil:
		return "must be an https URL without a name or password"
	case u.RawQuery != "" || u.ForceQuery || strings.Contains(text, "#"):
		return "must be an https URL without ? and #"
	case u.Scheme == "https", u.Scheme == "http" && onLoopback(u.Hostname()):
		return ""
	}
	return "must be an https URL (http only for this machine, such as http://127.0.0.1:3000/mcp)"
}

func onLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

// sameResource reports whether an audience names the resource. Scheme and host may be
// written in capitals and with their usual port, and a path that is only a slash is none
// (RFC 3986, section 6.2.2 and 6.2.3); anything else has to be the same.
func sameResource(audience, resource string) bool {
	return audience == resource || canonical(audience) == canonical(resource)
}

func canonical(text string) string {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" {
		return text
	}
	u.Scheme, u.Host = strings.ToLower(u.Scheme), strings.ToLower(u.Host)
	host, port, err := net.SplitHostPort(u.Host)
	if err == nil && (u.Scheme == "https" && port == "443" || u.Scheme == "http" && port == "80") {
		u.Host = host
		if strings.Contains(host, ":") {
			u.Host = "[" + host + "]"
		}
	}
	if u.Path == "/" {
		u.Path = ""
	}
	return u.String()
}

// Client is what this server shows an authorization server that it asks about tokens.
type Client struct {
	ID, Secret string
}

// ReadClient reads a file {"client_id": …, "client_secret": …}. The error is a *FileError,
// which never holds the secret, or one of the system.
func ReadClient(file string) (*Client, error) {
	members, _, err := readObject(file)
	if err != nil {
		return nil, err
	}
	c := &Client{}
	for name, field := range map[string]*string{"client_id": &c.ID, "client_secret": &c.Secret} {
		if json.Unmarshal(members[name], field) != nil || *field == "" {
			return nil, &FileError{File: file, Member: name, Problem: "must be a string, as the authorization server gave it out"}
		}
	}
	for name := range members {
		if name != "client_id" && name != "client_secret" {
			return nil, &FileError{File: file, Member: name, Problem: "is not known; the members are client_id and client_secret"}
		}
	}
	return c, nil
}

// readObject reads a JSON object, in which no name is twice.
func readObject(file string) (map[string]json.RawMessage, []byte, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, nil, err
	}
	if len(text) > maxFile {
		return nil, nil, &FileError{File: file, Problem: fmt.Sprintf("is larger than %d bytes", maxFile)}
	}
	if problem := jsonProblem(text); problem != "" {
		return nil, nil, &FileError{File: file, Problem: problem}
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(text, &members) != nil || members == nil {
		return nil, nil, &FileError{File: file, Problem: "must hold a JSON object"}
	}
	return members, text, nil
}

// jsonProblem says why text is not JSON whose names are all different, "" if it is.
func jsonProblem(text []byte) string {
	var tape jsontape.Tape
	problem, offset := "", 0
	var syntax *jsontape.SyntaxError
	switch err := tape.Parse(text, jsontape.Options{MaxDepth: 100}); {
	case errors.As(err, &syntax):
		problem, offset = syntax.Msg, syntax.Offset
	default:
		name := tape.RepeatedName(0)
		if name < 0 {
			return ""
		}
		problem, offset = "the name "+string(tape.Bytes(name))+" is there twice", int(tape.Tokens[name].Start)
	}
	line, column := jsontape.Position(text, offset)
	return fmt.Sprintf("line %d, column %d: %s", line, column, problem)
}
