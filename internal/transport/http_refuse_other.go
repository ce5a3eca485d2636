//go:build !linux

package transport

import "net"

// refuseNew would keep new connections from a listener that is about to close; only Linux
// has a way.
func refuseNew(net.Listener) {}
