// Shows what went over the wire, and words it as a curl command.
import { $, size } from "./dom.js";

const MAX_SHOWN = 200_000; // characters of a body that are shown; copies are whole
const MAX_ARGUMENT = 100_000; // bytes that every system takes as one argument

// showExchange fills the panels of the last exchange.
export function showExchange(exchange) {
  $("exchange").hidden = false;
  const request = { ...exchange.headers, ...(exchange.authorized ? { Authorization: "Bearer ••••" } : {}) };
  const { pathname, host } = new URL(exchange.url);
  $("request-head").textContent = [`POST ${pathname} HTTP/1.1`, `Host: ${host}`, ...Object.entries(request).map(([name, value]) => `${name}: ${value}`), `Content-Length: ${exchange.sentBytes}`].join("\n");
  $("response-head").textContent = exchange.status
    ? [`HTTP ${exchange.status}`, `Content-Type: ${exchange.media}`, `${size(exchange.receivedBytes)} in ${exchange.milliseconds.toFixed(1)} ms`].join("\n")
    : "no answer";
  $("request-body").textContent = shown(exchange.sent);
  $("response-body").textContent = shown(exchange.received);
}

function shown(text) {
  if (text.length <= MAX_SHOWN) return text;
  return `${text.slice(0, MAX_SHOWN)}\n… ${(text.length - MAX_SHOWN).toLocaleString("en")} more characters; Copy takes all of them`;
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
