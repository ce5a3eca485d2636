package cli

import (
	"errors"
	"fmt"
	"log/slog"

	"github.com/spf13/pflag"

	"github.com/zenlix/echo-mcp/internal/oauth"
)

// oauthFiles are the files of --auth-resource-metadata and --auth-introspection-client, ""
// without.
type oauthFiles struct {
	metadata, client string
	open             func(*slog.Logger) *oauth.Resource // makes what the files said first
	resource         *oauth.Resource                    // nil without
}

// read reads the files. The error is one of usage and names the flag.
func (f *oauthFiles) read() (*oauth.Metadata, *oauth.Client, error) {
	metadata, err := oauth.ReadMetadata(f.metadata)
	if err != nil {
		return nil, nil, fmt.Errorf("--auth-resource-metadata: %w", err)
	}
	if f.client == "" {
		return metadata, nil, nil
	}
	client, err := oauth.ReadClient(f.client)
	if err != nil {
		return nil, nil, fmt.Errorf("--auth-introspection-client: %w", err)
	}
	if len(metadata.Servers) > 1 {
		return nil, nil, fmt.Errorf("--auth-introspection-client goes with one authorization server, and %s has %d", f.metadata, len(metadata.Servers))
	}
	return metadata, client, nil
}

// first reads the files for the first time, if the flags name any. The error is one of usage.
func (f *oauthFiles) first(given *pflag.FlagSet) error {
	described, asks := given.Changed("auth-resource-metadata"), given.Changed("auth-introspection-client")
	switch {
	case asks && !described:
		return errors.New("--auth-introspection-client goes with --auth-resource-metadata")
	case asks && f.client == "":
		return errors.New("--auth-introspection-client is empty; name a file")
	case described && f.metadata == "":
		return errors.New("--auth-resource-metadata is empty; name a file")
	case !described:
		return nil
	}
	metadata, client, err := f.read()
	if err != nil {
		return err
	}
	f.open = func(log *slog.Logger) *oauth.Resource {
		f.warn(log)
		r := oauth.New(metadata, client, log)
		r.Warm()
		return r
	}
	return nil
}

// reload reads the files again. If one of them is bad both stay as they were.
func (f *oauthFiles) reload(log *slog.Logger) {
	if f.resource == nil {
		return
	}
	metadata, client, err := f.read()
	if err != nil {
		log.Error("who may sign in stays as it was: the files can't be read again", "error", err)
		return
	}
	f.warn(log)
	f.resource.Set(metadata, client)
	f.resource.Warm()
	log.Info("metadata of the resource read again", "authorization_servers", len(metadata.Servers))
}

func (f *oauthFiles) warn(log *slog.Logger) {
	if f.client != "" {
		warnOfReaders(log, f.client, "client_secret")
	}
}
