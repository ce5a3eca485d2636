// Command toolserver is a server of typed tools: what they take and give are Go types, and what
// does not fit them never reaches a function.
package main

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/zenlix/echo-mcp/mcpkit/toolkit"
)

type query struct {
	Text  string `json:"text" jsonschema:"minLength=1" jsonschema_description:"A part of the title"`
	Limit int    `json:"limit,omitempty" jsonschema:"minimum=1,maximum=10"`
}

type book struct {
	Title string `json:"title"`
	Year  int    `json:"year"`
}

type books struct {
	Found []book `json:"found"`
}

var shelf = []book{{"The Mythical Man-Month", 1975}, {"The Practice of Programming", 1999}, {"The Go Programming Language", 2015}}

func search(_ context.Context, q query) (books, error) {
	all := books{Found: []book{}} // a nil slice would be null, which is no array
	for _, b := range shelf {
		if strings.Contains(strings.ToLower(b.Title), strings.ToLower(q.Text)) && (q.Limit == 0 || len(all.Found) < q.Limit) {
			all.Found = append(all.Found, b)
		}
	}
	return all, nil
}

func cover(ctx context.Context, b book) (toolkit.Image, error) {
	return toolkit.ImageURL(ctx, "https://covers.example.com/"+strings.ReplaceAll(b.Title, " ", "-")+".png")
}

func main() {
	s := toolkit.New(toolkit.Info{Name: "bookshelf", Version: "1.0.0"}, toolkit.Options{})
	err := errors.Join(
		toolkit.Tool(s, "search", "Finds books by their titles.", search, toolkit.WithHints(toolkit.Hints{ReadOnly: true})),
		toolkit.Tool(s, "cover", "Shows the cover of a book.", cover, toolkit.Timeout(20*time.Second)),
	)
	if err == nil {
		err = s.ServeStdio(context.Background(), os.Stdin, os.Stdout)
	}
	if err != nil {
		slog.Error("bookshelf", "error", err)
		os.Exit(1)
	}
}
