package cli

import (
	"crypto/tls"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"regexp"
	"strings"
	"sync/atomic"
	"syscall"

	"github.com/zenlix/echo-mcp/internal/server"
)

// reloadOnHangup reads the tokens, the files about OAuth and the certificate again at each SIGHUP, until the
// function that it returns is called. What can't be read is logged, and the old goes on.
// Without such files, and on Windows, a hang-up has its default effect.
func (f *serveFlags) reloadOnHangup(s *server.Server, log *slog.Logger) (stop func()) {
	if f.tokenFile == "" && f.certificate == nil && f.oauth.resource == nil {
		return func() {}
	}
	hangups := make(chan os.Signal, 1)
	ended := make(chan struct{})
	signal.Notify(hangups, syscall.SIGHUP)
	go func() {
		defer close(ended)
		for range hangups {
			f.reload(s, log)
		}
	}()
	return func() {
		signal.Stop(hangups)
		close(hangups)
		<-ended
	}
}

// reload reads each file again. One that is bad keeps none of the others back.
func (f *serveFlags) reload(s *server.Server, log *slog.Logger) {
	if f.tokenFile != "" {
		if tokens, err := readTokens(f.tokenFile); err != nil {
			log.Error("the tokens stay as they were: --auth-token-file can't be read again", "error", err)
		} else {
			warnOfReaders(log, f.tokenFile, "tokens")
			s.SetTokens(tokens)
			log.Info("tokens read again", "tokens", len(tokens))
		}
	}
	f.oauth.reload(log)
	if f.certificate != nil {
		if err := f.certificate.load(); err != nil {
			log.Error("the certificate stays as it was: --tls-cert and --tls-key can't be read again", "error", err)
		} else {
			log.Info("certificate read again")
		}
	}
}

// certificate is the server's, which may be read again while connections are made with it.
type certificate struct {
	certFile, keyFile string
	pair              atomic.Pointer[tls.Certificate]
}

// load reads the files. If they are bad the certificate stays as it was.
func (c *certificate) load() error {
	pair, err := tls.LoadX509KeyPair(c.certFile, c.keyFile)
	if err == nil {
		c.pair.Store(&pair)
	}
	return err
}

// get is the GetCertificate of tls.Config.
func (c *certificate) get(*tls.ClientHelloInfo) (*tls.Certificate, error) { return c.pair.Load(), nil }

// warnOfReaders warns where other users of the machine may read a file with secrets.
func warnOfReaders(log *slog.Logger, name, secret string) {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() { // a pipe is gone when it was read
		return
	}
	if info.Mode().Perm()&readableBy(info) != 0 {
		log.Warn("others may read the file with the "+secret+": chmod 600 it", "file", name, "mode", info.Mode().Perm().String())
	}
}

// minToken is the length of the shortest token that is accepted: what is shorter can be
// guessed.
const minToken = 16

// tokenForm is what a token looks like (RFC 6750, section 2.1). A comment or a byte order
// mark must not become a token, or a part of one.
var tokenForm = regexp.MustCompile(`^[A-Za-z0-9._~+/-]+=*$`)

// readTokens reads the tokens of a file, one a line. Blank lines don't count.
func readTokens(name string) ([]string, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var tokens []string
	for i, line := range strings.Split(string(text), "\n") {
		switch token := strings.TrimSpace(line); {
		case token == "":
		case !tokenForm.MatchString(token):
			return nil, fmt.Errorf("%s:%d: a token is made of letters, digits and any of -._~+/", name, i+1)
		case len(token) < minToken:
			return nil, fmt.Errorf("%s:%d: a token must have at least %d characters", name, i+1, minToken)
		default:
			tokens = append(tokens, token)
		}
	}
	if len(tokens) == 0 {
		return nil, fmt.Errorf("%s: there is no token in it", name)
	}
	return tokens, nil
}
