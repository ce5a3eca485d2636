package transport

import (
	"net/http"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metrics counts what the server does. Labels hold names that the server knows itself
// (tools, schemas, codes), never anything that a caller sent.
type metrics struct {
	registry *prometheus.Registry
	calls    *prometheus.CounterVec   // by tool, schema, outcome
	bytes    *prometheus.CounterVec   // by schema
	duration *prometheus.HistogramVec // by tool
	requests *prometheus.CounterVec   // by code: the HTTP status
}

// newMetrics makes the metrics of a server and its HTTP transport.
func (s *Server) newMetrics(t *httpTransport) *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		calls: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "echo_mcp_calls_total",
			Help: "Calls of tools. outcome is ok or the code of the failure in lower case; schema is empty where the call names none that exists.",
		}, []string{"tool", "schema", "outcome"}),
		bytes: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "echo_mcp_payload_bytes_total",
			Help: "Bytes of the payloads received.",
		}, []string{"schema"}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "echo_mcp_call_duration_seconds",
			Help:    "Time from the call of a tool to its envelope, without reading and writing.",
			Buckets: prometheus.ExponentialBuckets(10e-6, 10, 7), // 10 µs to 10 s
		}, []string{"tool"}),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "echo_mcp_http_requests_total",
			Help: "HTTP requests answered at /mcp, by status: 401 no token, 403 foreign host or origin, 413 too large, 429 busy.",
		}, []string{"code"}),
	}
	inFlight := prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "echo_mcp_requests_in_flight",
		Help: "HTTP requests that are there and being answered, without streams.",
	}, func() float64 { return float64(t.calls.taken()) })
	streams := prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "echo_mcp_streams",
		Help: "Streams that are open.",
	}, func() float64 { return float64(t.sessionStreams.open()) })
	connections := prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "echo_mcp_connections",
		Help: "Connections that are open.",
	}, func() float64 { return float64(t.connections.count()) })
	gaveWay := prometheus.NewCounterFunc(prometheus.CounterOpts{
		Name: "echo_mcp_connections_gave_way_total",
		Help: "Connections that were closed at the limit to make room for new ones.",
	}, func() float64 { return float64(t.connections.gaveWay.Load()) })
	bytesInFlight := prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "echo_mcp_bytes_in_flight",
		Help: "Bytes of the HTTP requests in flight, without small ones.",
	}, func() float64 { return float64(t.room.Used()) })
	sessions := prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "echo_mcp_sessions",
		Help: "HTTP sessions that were given out, used in the last hour and not ended.",
	}, func() float64 { return float64(t.givenSessions()) })
	schemas := prometheus.NewGauge(prometheus.GaugeOpts{Name: "echo_mcp_schemas", Help: "Schemas compiled in."})
	schemas.Set(float64(s.app.Schemas))
	info := prometheus.NewGauge(prometheus.GaugeOpts{
		Name:        "echo_mcp_build_info",
		Help:        "Always 1; the labels tell the version.",
		ConstLabels: prometheus.Labels{"version": s.options.Info.Version},
	})
	info.Set(1)
	m.registry.MustRegister(m.calls, m.bytes, m.duration, m.requests, inFlight, bytesInFlight, streams, connections, gaveWay, sessions, schemas, info,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}

// observe counts one call. A nil m counts nothing: only the HTTP transport has a place to show the
// figures.
func (m *metrics) observe(o Outcome) {
	if m == nil {
		return
	}
	outcome := "ok"
	if o.Code != "" {
		outcome = strings.ToLower(o.Code)
	}
	m.calls.WithLabelValues(o.Tool, o.SchemaID, outcome).Inc()
	m.duration.WithLabelValues(o.Tool).Observe(o.Took.Seconds())
	if o.PayloadBytes > 0 {
		m.bytes.WithLabelValues(o.SchemaID).Add(float64(o.PayloadBytes))
	}
}

// count counts the requests of a handler.
func (m *metrics) count(next http.Handler) http.Handler {
	return promhttp.InstrumentHandlerCounter(m.requests, next)
}
