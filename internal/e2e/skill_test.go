package e2e_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/rawclient"
)

const skill = "skills/echo/SKILL.md"

// blocks gives the fenced blocks of a document, in order: what follows the fence, and the text.
func blocks(t *testing.T, document string) [][2]string {
	t.Helper()
	text, err := os.ReadFile("../../" + document)
	require.NoError(t, err)
	var blocks [][2]string
	for _, m := range regexp.MustCompile("(?ms)^```([a-z ]+)\n(.*?)^```$").FindAllStringSubmatch(string(text), -1) {
		blocks = append(blocks, [2]string{m[1], m[2]})
	}
	return blocks
}

// TestSkillCalls: the calls in the agent's instructions are answered as they say.
func TestSkillCalls(t *testing.T) {
	calls, answers := replay(t, skill)
	require.Equal(t, 4, calls)
	require.Equal(t, 2, answers)
}

// TestReadmeCalls: the calls in the README are answered as it says.
func TestReadmeCalls(t *testing.T) {
	calls, answers := replay(t, "README.md")
	require.GreaterOrEqual(t, calls, 3)
	require.Equal(t, calls, answers)
}

// replay sends each call of a document to the server and compares the answers that the
// document gives, as values. It says how many there were of both.
func replay(t *testing.T, document string) (calls, answers int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	conn, err := rawclient.StartStdio(ctx, rawclient.Handshake, binary, "serve")
	require.NoError(t, err)
	var answer map[string]any
	for _, block := range blocks(t, document) {
		switch block[0] {
		case "json call":
			calls++
			id := strconv.Itoa(calls)
			members := strings.TrimSpace(block[1])
			members = members[1 : len(members)-1] // without the braces: they are those of params
			raw, err := conn.Ask(ctx, id, rawclient.Handshake.Request(id, "tools/call", []byte(members)))
			require.NoError(t, err)
			structured, _, err := rawclient.Envelope(raw)
			require.NoError(t, err, string(raw))
			answer = nil
			require.NoError(t, json.Unmarshal(structured, &answer))
		case "json answer":
			answers++
			var want map[string]any
			require.NoError(t, json.Unmarshal([]byte(block[1]), &want))
			require.Equal(t, want, answer, "%s: the answer to call %d", document, calls)
		}
	}
	require.NoError(t, conn.Close())
	return calls, answers
}

// TestSkillCommands: the commands in the agent's instructions work.
func TestSkillCommands(t *testing.T) {
	ran := 0
	for _, block := range blocks(t, skill) {
		if block[0] != "sh" {
			continue
		}
		for line := range strings.Lines(block[1]) {
			ran++
			cmd := exec.CommandContext(t.Context(), "sh", "-c", line)
			cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(binary)+string(filepath.ListSeparator)+os.Getenv("PATH"))
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, "%s%s", line, out)
		}
	}
	require.Equal(t, 3, ran)
}

// TestRunsAnywhere: the binary needs no file beside it, and no environment.
func TestRunsAnywhere(t *testing.T) {
	program, err := os.ReadFile(binary)
	require.NoError(t, err)
	dir := t.TempDir()
	copied := filepath.Join(dir, "moved")
	require.NoError(t, os.WriteFile(copied, program, 0o700))
	cmd := exec.CommandContext(t.Context(), copied)
	cmd.Dir = dir
	cmd.Env = []string{}
	payload := []byte(`{"stage" : "a"}`)
	cmd.Stdin = bytes.NewReader(append(rawclient.Handshake.Echo("1", "zenlix-agent-stage-v1", payload), '\n'))
	out, err := cmd.Output()
	require.NoError(t, err)
	require.NoError(t, rawclient.CheckEcho(out, "zenlix-agent-stage-v1", payload))
}
