package server

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
	all := &transfers{bodyLimit: 3, answerLimit: 1000}
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
