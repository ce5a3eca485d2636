package server

// Notify sends a notification to every client that is connected, as later parts of the
// server may do.
func (s *Server) Notify(method string) {
	s.mcp.SendNotificationToAllClients(method, map[string]any{"x": 1})
}
