package logs_test

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/logs"
)

// reader is a writer that takes nothing until it is opened.
type reader struct {
	open chan struct{}
	mu   sync.Mutex
	got  bytes.Buffer
}

func newReader() *reader { return &reader{open: make(chan struct{})} }

func (r *reader) Write(b []byte) (int, error) {
	<-r.open
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.got.Write(b)
}

func (r *reader) text() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.got.String()
}

func plain(w io.Writer) slog.Handler {
	return slog.NewTextHandler(w, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}})
}

// TestQueue: nobody waits for a log that is not read. Who reads it again finds the oldest
// records, how many were dropped, and the newest.
func TestQueue(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newReader()
		q := logs.NewQueue(r, plain)
		const count = 100_000
		for i := range count {
			n, err := fmt.Fprintf(q, "record %d\n", i)
			require.NoError(t, err)
			require.Positive(t, n)
		}
		close(r.open)
		synctest.Wait()
		kept := strings.Count(r.text(), "record ")
		require.Greater(t, kept, 1000)
		require.Less(t, kept, 50_000)
		require.Contains(t, r.text(), fmt.Sprintf("record %d\nlevel=ERROR msg=\"log records were dropped: nobody read them\" count=%d\n", kept-1, count-kept))
		_, err := io.WriteString(q, "last\n")
		require.NoError(t, err)
		q.Close(time.Second)
		require.True(t, strings.HasSuffix(r.text(), "\nlast\n"))
		_, err = io.WriteString(q, "too late\n")
		require.NoError(t, err)
	})
}

// TestQueueCloses: at the end records are waited for, but not for ever.
func TestQueueCloses(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newReader()
		q := logs.NewQueue(r, plain)
		_, err := io.WriteString(q, "one\n")
		require.NoError(t, err)
		start := time.Now()
		q.Close(time.Second)
		require.Equal(t, time.Second, time.Since(start))
		close(r.open)
		synctest.Wait()
		require.Equal(t, "one\n", r.text())
	})
}

// broken is a writer whose reader is gone.
type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// TestQueueOfNobody: a reader that is gone is no reason to stop.
func TestQueueOfNobody(t *testing.T) {
	t.Parallel()
	q := logs.NewQueue(broken{}, plain)
	for range 100 {
		_, err := io.WriteString(q, "x\n")
		require.NoError(t, err)
	}
	start := time.Now()
	q.Close(time.Hour)
	require.Less(t, time.Since(start), time.Minute)
}

// TestLimit: a message that comes often is logged seldom, and counted; others are not
// affected.
func TestLimit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		log := slog.New(logs.Limit(plain(&out)))
		for i := range 10_000 {
			log.Info("message refused", "bytes", 5)
			log.With("server", 1).WithGroup("g").Warn(fmt.Sprintf("http: handshake error from 10.0.0.%d:5", i))
		}
		log.Error("panic")
		require.Equal(t, 100, strings.Count(out.String(), "message refused"))
		require.Equal(t, 100, strings.Count(out.String(), "handshake"))
		require.Equal(t, 1, strings.Count(out.String(), "panic"))

		out.Reset()
		time.Sleep(time.Second)
		log.Info("message refused", "bytes", 5)
		log.Info("message refused", "bytes", 5)
		require.Equal(t, "level=INFO msg=\"message refused\" bytes=5 left_out=9900\n", out.String())

		out.Reset()
		time.Sleep(time.Hour)
		for range 1000 {
			log.Info("message refused")
		}
		require.Equal(t, 100, strings.Count(out.String(), "refused"))
	})
}

// TestLimitOfMany: messages that never repeat have a limit too, and debug records none.
func TestLimitOfMany(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		log := slog.New(logs.Limit(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelDebug})))
		for i := range 10_000 {
			log.Info("no " + strings.Repeat("x", i%5000))
		}
		require.Less(t, strings.Count(out.String(), "\n"), 1000)
		out.Reset()
		for range 1000 {
			log.Debug("call")
		}
		require.Equal(t, 1000, strings.Count(out.String(), "\n"))
	})
}
