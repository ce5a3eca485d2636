// An MCP client over streamable HTTP (2025-11-25, basic/transports) that keeps the exact
// text of what it sent and got. Arguments and answers are text, never JavaScript values.
import { Document, JsonError } from "./json.js";
import { inSlices } from "./slices.js";
import { byteLength, encoding } from "./utf8.js";

const PROTOCOL = "2025-11-25";

// Unauthorized means that the server wants a bearer token. refused says that it was given
// one, and it is not a right one.
export class Unauthorized extends Error {
  constructor(refused) {
    super(refused ? "The server refused the token." : "The server asks for a bearer token.");
    this.refused = refused;
  }
}

// Failure is an answer that is no result. exchange, if there is one, holds what was sent and
// got.
export class Failure extends Error {
  constructor(message, exchange) {
    super(message);
    this.exchange = exchange;
  }
}

// Gone means that there was no answer at all: the server, or the way to it, is not there.
export class Gone extends Failure {}

export class Client {
  #token = "";
  #session = "";
  #protocol = "";
  #ready;
  #id = 0;

  // url is the absolute address of the server's endpoint.
  constructor(url) {
    this.url = url;
  }

  // setToken sets the bearer token of the requests to come. It is kept in memory only.
  setToken(token) {
    this.#token = token;
    this.#ready = undefined;
  }

  // forget begins a new session with the next request.
  forget() {
    this.#ready = undefined;
  }

  // connect opens a session, once. Result: { name, version } of the server.
  connect() {
    this.#ready ??= this.#initialize().catch((error) => {
      this.#ready = undefined;
      throw error;
    });
    return this.#ready;
  }

  async #initialize() {
    this.#session = this.#protocol = "";
    const { doc, exchange } = await this.#request(
      "initialize",
      `{"protocolVersion":${JSON.stringify(PROTOCOL)},"capabilities":{},"clientInfo":{"name":"echo-mcp-inspector","version":"1"}}`,
    );
    const result = doc.get(doc.root, "result");
    this.#session = exchange.session;
    this.#protocol = doc.string(doc.get(result, "protocolVersion")) ?? PROTOCOL;
    await this.#post(`{"jsonrpc":"2.0","method":"notifications/initialized"}`);
    const of = (name) => doc.string(doc.get(result, "serverInfo", name)) ?? "";
    return { name: of("title") || of("name"), version: of("version") };
  }

  // call calls a tool. args is the text of the arguments object; what it holds goes out
  // character for character. Result: { doc, envelope, exchange }, where envelope is the node
  // of structuredContent in doc.
  async call(tool, args) {
    await this.connect();
    const params = callParams(tool, args);
    let answer;
    try {
      answer = await this.#request("tools/call", params);
    } catch (error) {
      // The specification's way to say that the session has ended: begin another.
      if (error.exchange?.status !== 404) throw error;
      this.#ready = undefined;
      await this.connect();
      answer = await this.#request("tools/call", params);
    }
    const { doc, exchange } = answer;
    const envelope = doc.get(doc.root, "result", "structuredContent");
    if (!envelope) throw new Failure("The answer has no structured content.", exchange);
    return { doc, envelope, exchange };
  }

  // callBytes is the size in bytes of the message by which call would call a tool next, with
  // short arguments.
  callBytes(tool, args) {
    return byteLength(message(this.#id + 1, "tools/call", callParams(tool, args)));
  }

  // prompt gives the text of a prompt. args is the text of the arguments object.
  async prompt(name, args) {
    await this.connect();
    const { doc } = await this.#request("prompts/get", `{"name":${JSON.stringify(name)},"arguments":${args}}`);
    const messages = doc.get(doc.root, "result", "messages")?.items ?? [];
    return messages.map((message) => doc.string(doc.get(message, "content", "text")) ?? "").join("\n\n");
  }

  async #request(method, params) {
    const id = ++this.#id;
    const exchange = await this.#post(message(id, method, params));
    let doc;
    try {
      doc = await Document.read(exchange.message);
    } catch (error) {
      if (!(error instanceof JsonError)) throw error;
      throw new Failure(notMcp(exchange), exchange);
    }
    const error = doc.get(doc.root, "error");
    if (error) throw new Failure(doc.string(doc.get(error, "message")) ?? "The server refused the request.", exchange);
    return { doc, exchange };
  }

  // #post sends one message. The exchange it gives holds the text of both bodies, and
  // message, the JSON-RPC answer within the received one.
  async #post(sent) {
    const headers = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };
    if (this.#protocol) headers["MCP-Protocol-Version"] = this.#protocol;
    if (this.#session) headers["Mcp-Session-Id"] = this.#session;
    const exchange = { url: this.url, headers, authorized: this.#token !== "", sent, sentBytes: 0, status: 0, received: "", receivedBytes: 0 };
    const body = await inSlices(encoding(sent));
    exchange.sentBytes = body.length;
    const began = performance.now();
    try {
      const response = await fetch(this.url, {
        method: "POST",
        headers: this.#token ? { ...headers, Authorization: `Bearer ${this.#token}` } : headers,
        body,
        cache: "no-store",
        credentials: "same-origin",
        redirect: "error",
      });
      const bytes = await response.arrayBuffer();
      const media = response.headers.get("Content-Type") ?? "";
      exchange.status = response.status;
      exchange.media = media;
      exchange.retryAfter = response.headers.get("Retry-After") ?? "";
      exchange.session = response.headers.get("Mcp-Session-Id") ?? "";
      exchange.receivedBytes = bytes.byteLength;
      exchange.received = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
      exchange.message = media.startsWith("text/event-stream") ? lastEvent(exchange.received) : exchange.received;
    } catch (error) {
      if (exchange.status) throw new Failure(`The answer, ${exchange.status}, is not UTF-8, so it is not one of an MCP server.`, exchange);
      throw new Gone(`No answer from ${this.url}: ${error.message}`, exchange);
    } finally {
      exchange.milliseconds = performance.now() - began;
    }
    if (exchange.status === 401) throw new Unauthorized(exchange.authorized);
    return exchange;
  }
}

// STATUSES words what to do about an answer that is not of MCP: one of a proxy, mostly.
const STATUSES = {
  403: "access is not allowed. Ask whoever runs the server or the proxy before it.",
  404: "there is no MCP server at this address.",
  413: "the message is too large for what stands before the server. Send a smaller payload, or raise its limit.",
  429: "too many requests. Wait a little and send again.",
  502: "the server behind the proxy does not answer. Send again later.",
  503: "the server is not ready. Send again later.",
  504: "the server behind the proxy did not answer in time. Send again later.",
};

function notMcp({ status, media, received, retryAfter }) {
  const text = media.startsWith("text/plain") ? received.trim().slice(0, 200) : "";
  const wait = status === 429 && /^\d+$/.test(retryAfter) ? `too many requests. Send again in ${retryAfter} s.` : undefined;
  return `The answer is ${status}: ${text || wait || STATUSES[status] || "it is not one of an MCP server."}`;
}

const callParams = (tool, args) => `{"name":${JSON.stringify(tool)},"arguments":${args}}`;
const message = (id, method, params) => `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`;

// lastEvent is the data of the last event of a stream that has any: the answer, which ends
// the stream.
function lastEvent(stream) {
  const events = stream.split(/\r?\n\r?\n/).map((event) =>
    event
      .split(/\r?\n/)
      .filter((line) => line.startsWith("data:"))
      .map((line) => line.slice(line[5] === " " ? 6 : 5))
      .join("\n"),
  );
  return events.findLast((data) => data !== "") ?? "";
}
