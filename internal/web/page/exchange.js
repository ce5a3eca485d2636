// Shows what went over the wire, and words it as a curl command.
import { $, h, size } from "./dom.js";

// Of each part of a body this many characters are shown, from its beginning and from its
// end, once it is longer than both together. More would take a browser a tenth of a second
// and longer to break into lines. Copies are whole.
const FIRST = 20_000;
const LAST = 5_000;

const MAX_ARGUMENT = 100_000; // bytes that every system takes as one argument

// showExchange fills the panels of the last exchange.
export function showExchange(exchange) {
  $("exchange").hidden = false;
  const request = { ...exchange.headers, ...(exchange.authorized ? { Authorization: "Bearer ••••" } : {}) };
  const { pathname, host } = new URL(exchange.url);
  $("request-head").textContent = [`POST ${pathname} HTTP/1.1`, `Host: ${host}`, ...Object.entries(request).map(([name, value]) => `${name}: ${value}`), `Content-Length: ${exchange.sentBytes}`].join("\n");
  $("response-head").textContent = exchange.status
    ? [`HTTP ${exchange.status}`, `Content-Type: ${exchange.media}`, ...(exchange.retryAfter ? [`Retry-After: ${exchange.retryAfter}`] : []), `${size(exchange.receivedBytes)} in ${exchange.milliseconds.toFixed(1)} ms`].join("\n")
    : "no answer";
  $("request-body").replaceChildren(...shown(exchange.sent));
  const { received, payload } = exchange;
  $("response-body").hidden = received === "";
  $("message-note").hidden = $("copy-message").hidden = payload === undefined;
  if (payload === undefined) {
    $("response-body").replaceChildren(...shown(received));
    return;
  }
  $("message-note").textContent = `Marked below: the message, ${size(payload.bytes)} in structuredContent. All around it is MCP.`;
  $("response-body").replaceChildren(
    ...shown(received.slice(0, payload.start)),
    h("mark", { "aria-label": "the message" }, ...shown(received.slice(payload.start, payload.end))),
    ...shown(received.slice(payload.end)),
  );
}

function shown(text) {
  const out = text.length - FIRST - LAST;
  if (out <= 0) return [text];
  return [text.slice(0, FIRST), h("span", { class: "left-out" }, `\n… ${out.toLocaleString("en")} more characters; Copy takes all of them …\n`), text.slice(-LAST)];
}

// curl is a command for a POSIX shell that sends the request again, byte for byte. A token
// is not part of it: the command takes it from the environment.
export function curl(exchange) {
  const headers = Object.entries(exchange.headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`);
  if (exchange.authorized) headers.push('-H "Authorization: Bearer $ECHO_MCP_TOKEN"');
  const command = ["curl -sS", quote(exchange.url), ...headers].join(" \\\n  ");
  if (exchange.sentBytes <= MAX_ARGUMENT) return `${command} \\\n  --data-binary ${quote(exchange.sent)}`;
  // printf is built into shells, for which the limit on an argument does not hold.
  return `printf %s ${quote(exchange.sent)} |\n${command} \\\n  --data-binary @-`;
}

const quote = (text) => `'${text.replaceAll("'", `'\\''`)}'`;
