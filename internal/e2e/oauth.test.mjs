// Signing in: the official clients, a real authorization server, and bin/echo-mcp between
// them as the protected resource.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import { clients } from "./harness.mjs";
import { signIn, startAuthorizationServer } from "./oauth.mjs";
import { freePort, serveHttp, servers } from "./server.mjs";

const redirectUrl = "http://127.0.0.1:9/callback";
const leeway = 30_000; // ms that clocks may differ
const machine = { client_id: "machine", client_secret: "of-the-machine", grant_types: ["client_credentials"], redirect_uris: [], response_types: [] };

// memory is a provider of the SDK's that keeps everything in memory and signs in by itself.
function memory(login) {
  const kept = {};
  return {
    kept,
    redirectUrl,
    clientMetadata: { client_name: "e2e", redirect_uris: [redirectUrl], grant_types: ["authorization_code"], response_types: ["code"], token_endpoint_auth_method: "none", application_type: "native" },
    clientInformation: () => kept.client,
    saveClientInformation: (client) => void (kept.client = client),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void (kept.tokens = tokens),
    discoveryState: () => kept.discovery,
    saveDiscoveryState: (state) => void (kept.discovery = state),
    codeVerifier: () => kept.verifier,
    saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
    async redirectToAuthorization(url) {
      kept.authorization = url;
      kept.back = await signIn(url, redirectUrl, login);
    },
  };
}

describe("signing in", { concurrency: true }, () => {
  for (const format of ["jwt", "opaque"]) {
    describe(`tokens that are ${format}`, () => tokens(format));
  }
});

// tokens tests one kind of access token.
function tokens(format) {
  const folder = mkdtempSync(join(tmpdir(), "echo-mcp-oauth-"));
  const other = "https://other.example/mcp";
  let resource, authority, brief, server;
  before(async () => {
    const port = await freePort();
    resource = `http://127.0.0.1:${port}/mcp`;
    authority = await startAuthorizationServer({ [resource]: "echo more", [other]: "echo" }, { format, clients: [machine, { ...machine, client_id: "hasty" }], lifetime: (client) => (client.clientId === "hasty" ? 1 : 3600) });
    writeFileSync(join(folder, "oauth.json"), JSON.stringify({ resource, authorization_servers: [authority.issuer], scopes_supported: ["echo"] }));
    writeFileSync(join(folder, "client.json"), JSON.stringify({ client_id: machine.client_id, client_secret: machine.client_secret }), { mode: 0o600 });
    const flags = ["--auth-resource-metadata", join(folder, "oauth.json")];
    if (format === "opaque") flags.push("--auth-introspection-client", join(folder, "client.json"));
    server = await serveHttp(servers.shipped.binary, port, ...flags);
  });
  after(async () => {
    await server.stop();
    await authority.stop();
    rmSync(folder, { recursive: true });
  });

  // token is one for a machine.
  async function token(audience, scope, client = machine.client_id) {
    const response = await fetch(`${authority.issuer}/token`, {
      method: "POST",
      headers: { authorization: `Basic ${btoa(`${client}:${machine.client_secret}`)}` },
      body: new URLSearchParams({ grant_type: "client_credentials", resource: audience, scope }),
    });
    const answer = await response.json();
    assert.equal(response.status, 200, JSON.stringify(answer));
    return answer.access_token;
  }

  // ask opens a session with a token.
  const ask = (access) =>
    fetch(resource, {
      method: "POST",
      headers: { authorization: `Bearer ${access}`, "content-type": "application/json", accept: "application/json, text/event-stream" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "e2e", version: "1" } } }),
    });

  for (const client of clients) {
    test(`${client.name} finds the authorization server, signs in and calls echo`, async () => {
      const provider = memory("alice");
      const first = new client.Http(new URL(resource), { authProvider: provider });
      await assert.rejects(client.make().connect(first), (fault) => /unauthorized/i.test(`${fault.name} ${fault.message}`));
      const asked = provider.kept.authorization.searchParams;
      assert.equal(provider.kept.authorization.origin, authority.issuer);
      assert.equal(asked.get("resource"), resource);
      assert.equal(asked.get("scope"), "echo");
      assert.equal(asked.get("code_challenge_method"), "S256");
      const back = provider.kept.back.searchParams;
      await first.finishAuth(back.get("code"), back.get("iss"));

      const connected = client.make();
      await connected.connect(new client.Http(new URL(resource), { authProvider: provider }));
      const payload = { hello: ["world"] };
      const result = await connected.callTool({ name: "echo", arguments: { schema_id: "__schemaless__", payload } });
      assert.deepEqual(result.structuredContent, { ok: true, schema_id: "__schemaless__", payload });
      await connected.close();
    });
  }

  test("a machine's token is let in", async () => {
    assert.equal((await ask(await token(resource, "echo"))).status, 200);
  });

  test("a token that has expired is refused", async () => {
    const access = await token(resource, "echo", "hasty");
    await sleep(1000 + leeway + 2000);
    const refused = await ask(access);
    assert.equal(refused.status, 401);
    assert.match(refused.headers.get("www-authenticate"), /error="invalid_token"/);
  });

  test("a token for another resource is refused", async () => {
    const refused = await ask(await token(other, "echo"));
    assert.equal(refused.status, 401);
    assert.match(refused.headers.get("www-authenticate"), /error="invalid_token".*resource=/);
  });

  test("a token without the scope is refused with the scope", async () => {
    const refused = await ask(await token(resource, "more"));
    assert.equal(refused.status, 403);
    assert.match(refused.headers.get("www-authenticate"), /scope="echo", error="insufficient_scope"/);
  });
}
