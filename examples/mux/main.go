// Command mux serves messages over MCP beside what a web server serves anyway: the handler is one
// route of an http.ServeMux.
//
//	mux 127.0.0.1:8080
package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"time"

	echomcp "github.com/zenlix/echo-mcp"
	"github.com/zenlix/echo-mcp/generated"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: mux ADDRESS")
		os.Exit(2)
	}
	if err := serve(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serve(address string) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	messages := echomcp.New(generated.Registry, echomcp.Options{Info: echomcp.Info{Name: "shop"}})

	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "the shop") })
	mux.Handle("/agents/", http.StripPrefix("/agents", messages.Handler())) // MCP is at /agents/mcp

	server := &http.Server{Addr: address, Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	go func() {
		<-ctx.Done()
		messages.Close() // ends the streams, for which Shutdown would wait
		_ = server.Shutdown(context.Background())
	}()
	if err := server.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
