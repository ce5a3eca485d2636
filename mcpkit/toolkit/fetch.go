package toolkit

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"
)

// Limits of what is fetched from a URL.
const (
	// MaxFetchBytes is how large a file may be: 16 MiB.
	MaxFetchBytes = 16 << 20
	// FetchTimeout is how long it may take to come, redirects included.
	FetchTimeout = 15 * time.Second
	// maxRedirects is how often a server may send on to another URL.
	maxRedirects = 5
)

// FetchError says why a URL was not fetched.
type FetchError struct {
	// Host is the host of the URL at which it went wrong. The rest of the URL may hold secrets.
	Host string
	// Message says what is wrong.
	Message string
}

// Error names the host and says what is wrong.
func (e *FetchError) Error() string {
	if e.Host == "" {
		return e.Message
	}
	return e.Host + ": " + e.Message
}

// ImageURL fetches an image as ImageBytes takes it, over http or https. A URL often comes from a
// model, or from who speaks to it, so nothing of the machine or of its network can be reached
// through it: the addresses that the host has, where it leads to, must be public ones, which is
// looked at when the connection is made. MaxFetchBytes and FetchTimeout hold; ctx may end it
// earlier. No proxy is used. The error is a *FetchError or a *MediaError.
func ImageURL(ctx context.Context, from string) (Image, error) { return public.image(ctx, from) }

// AudioURL is for recordings what ImageURL is for images.
func AudioURL(ctx context.Context, from string) (Audio, error) { return public.audio(ctx, from) }

// FileURL fetches a file of any type, as ImageURL does. Its URI is the URL; its type is what the
// server says. It has Text where that is a type of text in UTF-8.
func FileURL(ctx context.Context, from string) (File, error) { return public.file(ctx, from) }

// fetcher fetches files.
type fetcher struct {
	allowed func(netip.Addr) bool
	bytes   int64
	timeout time.Duration
}

var public = fetcher{isPublic, MaxFetchBytes, FetchTimeout}

func (f fetcher) image(ctx context.Context, from string) (Image, error) {
	data, _, err := f.fetch(ctx, from)
	if err != nil {
		return Image{}, err
	}
	return ImageBytes(data)
}

func (f fetcher) audio(ctx context.Context, from string) (Audio, error) {
	data, _, err := f.fetch(ctx, from)
	if err != nil {
		return Audio{}, err
	}
	return AudioBytes(data)
}

func (f fetcher) file(ctx context.Context, from string) (File, error) {
	data, contentType, err := f.fetch(ctx, from)
	if err != nil {
		return File{}, err
	}
	mimeType, parameters, err := mime.ParseMediaType(contentType)
	if err != nil {
		mimeType = ""
	}
	charset := strings.ToLower(parameters["charset"])
	isText := strings.HasPrefix(mimeType, "text/") || mimeType == "application/json" || strings.HasSuffix(mimeType, "+json") || strings.HasSuffix(mimeType, "+xml")
	if isText && (charset == "" || charset == "utf-8" || charset == "us-ascii") && utf8.Valid(data) {
		return FileText(from, mimeType, string(data)), nil
	}
	return FileBytes(from, mimeType, data), nil
}

// errAddress means that a host has an address that must not be reached.
var errAddress = errors.New("the address is not a public one")

// fetch gets a file and what the server says that it is.
func (f fetcher) fetch(ctx context.Context, from string) (data []byte, contentType string, err error) {
	target, err := checkURL(from)
	if err != nil {
		return nil, "", err
	}
	ctx, cancel := context.WithTimeout(ctx, f.timeout)
	defer cancel()
	dialer := &net.Dialer{Control: f.control}
	transport := &http.Transport{
		DialContext:            dialer.DialContext,
		DisableKeepAlives:      true,
		MaxResponseHeaderBytes: 64 << 10,
		ForceAttemptHTTP2:      true,
	}
	host := target.Hostname()
	client := &http.Client{Transport: transport, CheckRedirect: func(r *http.Request, via []*http.Request) error {
		host = r.URL.Hostname()
		r.Header.Del("Referer") // the URL may hold secrets
		if len(via) > maxRedirects {
			return &FetchError{host, fmt.Sprintf("the server has sent on more than %d times", maxRedirects)}
		}
		_, err := checkURL(r.URL.String())
		return err
	}}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, target.String(), http.NoBody)
	if err != nil {
		return nil, "", &FetchError{host, "this is no URL that can be fetched"}
	}
	response, err := client.Do(request)
	if err != nil {
		return nil, "", f.failed(host, err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, "", &FetchError{host, "the server answers with status " + response.Status}
	}
	data, err = io.ReadAll(io.LimitReader(response.Body, f.bytes+1))
	switch {
	case err != nil:
		return nil, "", f.failed(host, err)
	case int64(len(data)) > f.bytes:
		return nil, "", &FetchError{host, fmt.Sprintf("the file is larger than %d bytes", f.bytes)}
	}
	return data, response.Header.Get("Content-Type"), nil
}

// failed words why a file did not come.
func (f fetcher) failed(host string, err error) error {
	var own *FetchError
	var dns *net.DNSError
	switch {
	case errors.As(err, &own):
		return own
	case errors.Is(err, errAddress):
		return &FetchError{host, "the address of this host is not a public one: nothing of this machine or its network is fetched"}
	case errors.Is(err, context.DeadlineExceeded):
		return &FetchError{host, "the file did not come within " + f.timeout.String()}
	case errors.Is(err, context.Canceled):
		return &FetchError{host, "the fetching was cancelled"}
	case errors.As(err, &dns):
		return &FetchError{host, "the host can't be found"}
	}
	return &FetchError{host, "the file can't be fetched: the connection fails"}
}

// checkURL reads a URL of http or https.
func checkURL(text string) (*url.URL, error) {
	target, err := url.Parse(text)
	switch {
	case err != nil:
		return nil, &FetchError{"", "this is no URL"}
	case target.Scheme != "http" && target.Scheme != "https":
		return nil, &FetchError{"", "only URLs of http and https are fetched"}
	case target.Hostname() == "":
		return nil, &FetchError{"", "the URL names no host"}
	case target.User != nil:
		return nil, &FetchError{target.Hostname(), "the URL must hold no user and no password"}
	}
	return target, nil
}

// control looks at an address just before a connection to it is made, after names were resolved:
// what a name means can't change in between.
func (f fetcher) control(_, address string, _ syscall.RawConn) error {
	a, err := netip.ParseAddrPort(address)
	if err != nil || !f.allowed(a.Addr()) {
		return errAddress
	}
	return nil
}

// notPublic are addresses that are not, or not surely, those of a machine on the internet (IANA
// special-purpose address registries, RFC 6890), and those at which clouds tell machines about
// themselves.
var notPublic = prefixes(
	"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
	"192.0.0.0/24", "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24",
	"198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/3",
	"168.63.129.16/32", // Azure
	"2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20",
)

// internet is where the IPv6 addresses of the internet are.
var internet = netip.MustParsePrefix("2000::/3")

// nat64 are addresses that stand for one of IPv4, in their last four bytes (RFC 6052).
var nat64 = netip.MustParsePrefix("64:ff9b::/96")

// isPublic reports whether an address is one of the internet.
func isPublic(a netip.Addr) bool {
	a = a.Unmap().WithZone("")
	if nat64.Contains(a) {
		b := a.As16()
		a = netip.AddrFrom4([4]byte(b[12:]))
	}
	if !a.IsValid() || a.Is6() && !internet.Contains(a) {
		return false
	}
	for _, p := range notPublic {
		if p.Contains(a) {
			return false
		}
	}
	return true
}

func prefixes(list ...string) []netip.Prefix {
	all := make([]netip.Prefix, len(list))
	for i, text := range list {
		all[i] = netip.MustParsePrefix(text)
	}
	return all
}
