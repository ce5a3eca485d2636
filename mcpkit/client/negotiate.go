package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// The protocol has two eras. Until 2025-11-25 a session begins with the handshake of initialize;
// from 2026-07-28 on there is none: every request says for itself, in its _meta, who sends it and in
// which version, and server/discover tells what initialize told.
//
// Where the client is to find out (Options.Protocol is ""), it must begin with one of the two, and
// which one is harmless depends on the transport:
//
//   - Over a stream (stdio, in memory) initialize comes first. The specification lets a client probe
//     with server/discover, but real servers of the older era break on that: those of the Rust SDK
//     before 3.0 accept nothing but initialize and ping as the first request, and end the process
//     (modelcontextprotocol/go-sdk issue 1177, typescript-sdk pull request 2514); others never
//     answer, which costs a time-out at every start. The remedy of the official clients is to start
//     the server twice, which costs a second start and is felt by servers that hold a lock or a
//     port. The other way round nothing breaks: a server without a handshake must answer a method
//     that it does not have, and is then asked with server/discover. The price is that a server of
//     both eras is spoken to in the older one, which offers the same tools.
//   - Where each request stands alone (HTTP), server/discover comes first, as the specification
//     recommends: an error concerns that request only. Whatever it is, initialize comes next.
//
// https://modelcontextprotocol.io/specification/2026-07-28/basic/lifecycle

// firstStateless is the first version without a handshake. Versions are dates, so they compare.
const firstStateless = "2026-07-28"

// versions are those that a session can speak, the newest first.
var versions = [...]string{"2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}

// Versions are the protocol versions that a session can speak, the newest first.
func Versions() []string { return slices.Clone(versions[:]) }

// newestHandshake is the version that initialize asks for.
const newestHandshake = "2025-11-25"

func stateless(version string) bool { return version >= firstStateless }

// probeLimit bounds the wait for the answer to server/discover where initialize can still be tried:
// servers of the older era need not answer it.
const probeLimit = 5 * time.Second

// agreement is what client and server have agreed on.
type agreement struct {
	version      string
	server       Info
	capabilities json.RawMessage
	instructions string
}

// version is the protocol version of the session, "" while there is none.
func (s *Session) version() string {
	if a := s.agreed.Load(); a != nil {
		return a.version
	}
	return ""
}

// check says what can't be.
func (o Options) check() error {
	if o.Protocol != "" && !slices.Contains(versions[:], o.Protocol) {
		return &VersionError{Client: Versions(), Wanted: o.Protocol}
	}
	for _, r := range o.Roots {
		if r.URI == "" {
			return &InputError{"roots/list", errors.New("a root has no URI; write one that begins with file://")}
		}
	}
	m, err := readMessage(o.Capabilities)
	if err != nil {
		return &InputError{"initialize", errors.New("Options.Capabilities must be a JSON object")}
	}
	m.release()
	return nil
}

// negotiate agrees with the server on a version.
func (s *Session) negotiate(ctx context.Context) error {
	switch wanted := s.options.Protocol; {
	case stateless(wanted):
		return s.discover(ctx)
	case wanted != "":
		return s.initialize(ctx)
	}
	if alone, ok := s.transport.(interface{ Independent() bool }); ok && alone.Independent() {
		probe, cancel := context.WithTimeout(ctx, probeLimit)
		defer cancel()
		if s.discover(probe) == nil {
			return nil
		}
		return s.initialize(ctx)
	}
	err := s.initialize(ctx)
	var refused *Error
	if !errors.As(err, &refused) {
		return err
	}
	if s.discover(ctx) == nil {
		return nil
	}
	return err
}

// initialize does the handshake.
func (s *Session) initialize(ctx context.Context) error {
	wanted := s.options.Protocol
	if wanted == "" {
		wanted = newestHandshake
	}
	const method = "initialize"
	raw := jsontape.AppendQuoted([]byte(`{"protocolVersion":`), wanted)
	raw = append(append(raw, `,"capabilities":`...), s.options.Capabilities...)
	raw = append(append(append(raw, `,"clientInfo":`...), s.options.clientInfo()...), '}')
	p, _, err := readParams(method, raw)
	if err != nil {
		return err
	}
	m, err := s.sendOnce(ctx, request{method: method, params: p, handshake: true})
	if err != nil {
		return err
	}
	defer m.release()
	if m.tape.Tokens[m.result].Kind != jsontape.Object {
		return &ProtocolError{method, "the result is not an object"}
	}
	a := &agreement{
		version:      m.member(m.result, "protocolVersion"),
		server:       m.info(m.at(m.result, "serverInfo")),
		capabilities: m.object(m.result, "capabilities"),
		instructions: m.member(m.result, "instructions"),
	}
	if a.version == "" {
		return &ProtocolError{method, "the result names no protocolVersion"}
	}
	if !slices.Contains(versions[:], a.version) || stateless(a.version) || s.options.Protocol != "" && a.version != wanted {
		return &VersionError{Server: []string{a.version}, Client: Versions(), Wanted: s.options.Protocol}
	}
	s.agreed.Store(a)
	return s.Notify(ctx, "notifications/initialized", nil)
}

// unsupportedVersion is the code of a server that does not speak the version of a request
// (MCP 2026-07-28, basic/lifecycle).
const unsupportedVersion = -32022

// discover asks a server of the era without a handshake what it is.
func (s *Session) discover(ctx context.Context) error {
	const method = "server/discover"
	p, _, err := readParams(method, nil)
	if err != nil {
		return err
	}
	m, err := s.sendOnce(ctx, request{method: method, params: p, handshake: true, version: firstStateless})
	var refused *Error
	if errors.As(err, &refused) && refused.Code == unsupportedVersion {
		return &VersionError{Server: supported(refused.Data), Client: Versions(), Wanted: s.options.Protocol}
	}
	if err != nil {
		return err
	}
	defer m.release()
	if m.tape.Tokens[m.result].Kind != jsontape.Object {
		return &ProtocolError{method, "the result is not an object"}
	}
	spoken := m.strings(m.at(m.result, "supportedVersions"))
	if len(spoken) > 0 && !slices.Contains(spoken, firstStateless) {
		return &VersionError{Server: spoken, Client: Versions(), Wanted: s.options.Protocol}
	}
	info := m.at(m.at(m.result, "_meta"), "io.modelcontextprotocol/serverInfo")
	if info < 0 {
		info = m.at(m.result, "serverInfo")
	}
	s.agreed.Store(&agreement{
		version:      firstStateless,
		server:       m.info(info),
		capabilities: m.object(m.result, "capabilities"),
		instructions: m.member(m.result, "instructions"),
	})
	return nil
}

// supported reads the data of an error with the code unsupportedVersion.
func supported(data json.RawMessage) []string {
	m, err := readMessage(data)
	if err != nil {
		return nil
	}
	defer m.release()
	return m.strings(m.at(0, "supported"))
}

// introduction is what every request of the era without a handshake says of its client.
func (s *Session) introduction(version string) []metaMember {
	return []metaMember{
		{"io.modelcontextprotocol/protocolVersion", jsontape.AppendQuoted(nil, version)},
		{"io.modelcontextprotocol/clientInfo", s.options.clientInfo()},
		{"io.modelcontextprotocol/clientCapabilities", s.options.Capabilities},
	}
}

// renew begins anew with a server that has forgotten the session, unless that has happened since
// before.
func (s *Session) renew(ctx context.Context, before *agreement) error {
	s.renewing.Lock()
	defer s.renewing.Unlock()
	if s.agreed.Load() != before {
		return nil
	}
	if stateless(before.version) {
		return fmt.Errorf("%w, though version %s of the protocol has none", ErrSessionLost, before.version)
	}
	return s.initialize(ctx)
}

// info reads what a server says of itself.
func (m message) info(object int) Info {
	if object < 0 {
		return Info{}
	}
	return Info{m.member(object, "name"), m.member(object, "title"), m.member(object, "version"), m.bytes(object)}
}

// object is the text of a member that is an object, {} where there is none.
func (m message) object(object int, name string) json.RawMessage {
	if v := m.at(object, name); v >= 0 && m.tape.Tokens[v].Kind == jsontape.Object {
		return m.bytes(v)
	}
	return json.RawMessage(`{}`)
}

// strings are the strings in an array.
func (m message) strings(array int) []string {
	if array < 0 || m.tape.Tokens[array].Kind != jsontape.Array {
		return nil
	}
	var list []string
	for e := range m.elements(array) {
		if m.tape.Tokens[e].Kind == jsontape.String {
			list = append(list, m.tape.Str(e))
		}
	}
	return list
}
