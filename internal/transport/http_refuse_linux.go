package transport

import (
	"net"
	"syscall"

	"golang.org/x/sys/unix"
)

// refuseNew lets the system make no more connections to the listener, while those that have
// been made, or are half made, can still be accepted. Without it a connection that is made
// between the last Accept and Close is reset, and with it the request that its client may
// have sent by then. The system does so by dropping what asks for a connection; the client
// asks again after a while and finds nobody. Where that can't be had nothing happens.
func refuseNew(listener net.Listener) {
	l, ok := listener.(syscall.Conn)
	if !ok {
		return
	}
	raw, err := l.SyscallConn()
	if err != nil {
		return
	}
	const flags, syn, ack = 13, 0x02, 0x10 // in the header of TCP (RFC 9293, section 3.1)
	program := []unix.SockFilter{
		{Code: unix.BPF_LD | unix.BPF_B | unix.BPF_ABS, K: flags},
		{Code: unix.BPF_ALU | unix.BPF_AND | unix.BPF_K, K: syn | ack},
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: syn, Jt: 0, Jf: 1},
		{Code: unix.BPF_RET | unix.BPF_K, K: 0},          // drop
		{Code: unix.BPF_RET | unix.BPF_K, K: ^uint32(0)}, // keep
	}
	_ = raw.Control(func(fd uintptr) {
		_ = unix.SetsockoptSockFprog(int(fd), unix.SOL_SOCKET, unix.SO_ATTACH_FILTER,
			&unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]})
	})
}
