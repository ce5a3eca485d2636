package main

import (
	"math/rand/v2"
	"strconv"
)

const stageSchema = "zenlix-agent-stage-v1"

// message makes a payload and names the schema it satisfies: mostly small ones, sometimes
// 10 KB, seldom up to 1 MB or 5 MB, always with texts that a server which decodes and
// encodes again would alter. No two are alike.
func message(random *rand.Rand) (schema string, payload []byte) {
	size := 100
	switch n := random.IntN(1000); {
	case n < 2:
		size = 5_000_000
	case n < 10:
		size = 100_000 + random.IntN(900_000)
	case n < 200:
		size = 10_000
	}
	return messageOf(random, size)
}

// messageOf makes a payload of about size bytes.
func messageOf(random *rand.Rand, size int) (schema string, payload []byte) {
	schema = "__schemaless__"
	if random.IntN(2) == 0 {
		schema = stageSchema
	}
	payload = append(payload, `{"stage":"`...)
	payload = strconv.AppendUint(payload, random.Uint64(), 36)
	payload = append(payload, `" , "extra":{"parts":[`...)
	for first := true; len(payload) < size; first = false {
		if !first {
			payload = append(payload, ", "...)
		}
		payload = append(payload, parts[random.IntN(len(parts))]...)
	}
	return schema, append(payload, `]}}`...)
}

var parts = []string{
	`1.0`, `-0`, `1E400`, `12345678901234567890123`, `0.1000`, `[ ]`, `{ }`, `null`,
	`"\u0041"`, `"\/"`, `"\ud800"`, "\"a\u2028b\"", `"<&>"`, `{"b" : 1,"a":2}`,
	`"a text that is long enough to be most of what is sent, as texts are in real messages"`,
}
