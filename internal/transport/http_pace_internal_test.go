package transport

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestGiveWay: where there is no room, the slow transfer gives way that holds most, whether
// it is a body or an answer; those that are not slow stay. Of too many bodies the first goes.
func TestGiveWay(t *testing.T) {
	t.Parallel()
	over := map[string]bool{}
	limit := func(name string) func(time.Time) error {
		return func(at time.Time) error {
			over[name] = over[name] || at.Before(time.Now())
			return nil
		}
	}
	all := &transfers{bodyLimit: 3, smallLimit: smallBody, answerLimit: 1000}
	body := func(name string, held int64, age time.Duration) *transfer {
		b := all.receive(limit(name))
		b.held.Store(held)
		b.begun = b.begun.Add(-age)
		return b
	}
	small := body("small", 10, time.Minute)
	slow := body("slow", 500, time.Minute)
	body("fast", 9000, time.Second)
	answer := all.send(limit("answer"), 600, 100)
	answer.begun = answer.begun.Add(-time.Minute)
	require.Nil(t, all.send(limit("no room"), 600, 0))

	all.makeRoom()
	require.Equal(t, map[string]bool{"answer": true}, over)
	answer.extend(time.Hour)
	require.True(t, over["answer"], "it stays so")
	require.True(t, answer.end())
	require.NotNil(t, all.send(limit("room"), 600, 0))

	all.makeRoom()
	require.Equal(t, map[string]bool{"answer": true, "slow": true}, over)
	require.True(t, slow.end())
	body("third", 1, 0)
	require.False(t, over["small"])
	body("fourth", 1, 0)
	require.True(t, over["small"])
	require.True(t, small.end())
}

// TestSmallBodiesAreBounded: what of all bodies is not counted elsewhere is counted here; the
// first body gives way where it is too much, and the room of one that has ended is free.
func TestSmallBodiesAreBounded(t *testing.T) {
	t.Parallel()
	all := &transfers{bodyLimit: 100, smallLimit: 2 * smallBody}
	var bodies []*transfer
	for range 3 {
		bodies = append(bodies, all.receive(func(time.Time) error { return nil }))
	}
	bodies[0].came(smallBody - 1)
	bodies[1].came(10 * smallBody)
	bodies[1].came(10 * smallBody) // the room's affair
	require.Equal(t, int64(2*smallBody-1), all.small)
	bodies[2].came(1)
	require.False(t, bodies[0].gaveWay)
	bodies[2].came(1)
	require.True(t, bodies[0].gaveWay)
	require.True(t, bodies[0].end())
	bodies[2].came(1)
	require.False(t, bodies[1].gaveWay)
	require.False(t, bodies[1].end())
	require.False(t, bodies[2].end())
	require.Zero(t, all.small)
}
