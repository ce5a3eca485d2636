// A real authorization server for the tests: oidc-provider, which the OpenID foundation has
// certified, with dynamic registration, PKCE and resource indicators. Its own pages for
// development take any name and password; signIn fills them in as a person would.
import { createServer } from "node:http";

import Provider from "oidc-provider";

// startAuthorizationServer starts one that issues tokens for the resources, an object of URLs
// and the scope that their tokens may have. format is "jwt" or "opaque", lifetime gives the
// seconds for a client, and clients are those that need not register.
export async function startAuthorizationServer(resources, { format, lifetime, clients }) {
  const listener = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => listener.once("listening", resolve));
  const issuer = `http://127.0.0.1:${listener.address().port}`;
  const provider = new Provider(issuer, {
    clients,
    scopes: ["openid", "offline_access", ...new Set(Object.values(resources))],
    features: {
      registration: { enabled: true },
      introspection: { enabled: true, allowedPolicy: () => true },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: (ctx, client, oneOf) => oneOf,
        useGrantedResource: () => true,
        getResourceServerInfo: (ctx, resource, client) => ({ audience: resource, scope: resources[resource], accessTokenFormat: format, accessTokenTTL: lifetime(client), jwt: { sign: { alg: "RS256" } } }),
      },
    },
    clientBasedCORS: () => true,
    findAccount: (ctx, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    pkce: { required: () => true },
  });
  listener.on("request", provider.callback());
  return {
    issuer,
    // stop ends the server, with the connections that clients keep.
    stop: () => new Promise((resolve) => {
      listener.close(resolve);
      listener.closeAllConnections();
    }),
  };
}

// signIn follows an authorization URL as a browser would, gives the name and agrees, and
// returns the URL that leads back to the client.
export async function signIn(authorizationUrl, redirectUrl, login = "alice") {
  const cookies = new Map();
  let url = String(authorizationUrl);
  let form;
  for (let step = 0; step < 20; step++) {
    const response = await fetch(url, {
      method: form ? "POST" : "GET",
      body: form,
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
      redirect: "manual",
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie);
      if (value) cookies.set(name, value);
      else cookies.delete(name);
    }
    form = undefined;
    const location = response.headers.get("location");
    if (location?.startsWith(redirectUrl)) return new URL(location);
    if (location) {
      url = new URL(location, url).href;
      continue;
    }
    const page = await response.text();
    const action = /<form[^>]*action="([^"]+)"/.exec(page);
    if (!action) throw new Error(`no form at ${url} (${response.status}): ${page.slice(0, 500)}`);
    const prompt = /name="prompt" value="([^"]+)"/.exec(page)[1];
    form = new URLSearchParams(prompt === "login" ? { prompt, login, password: "any" } : { prompt });
    url = new URL(action[1], url).href;
  }
  throw new Error("signing in leads nowhere");
}
