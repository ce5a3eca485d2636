// The inspector: an MCP client with a face. The address after # says what is shown:
// #SCHEMA_ID or #SCHEMA_ID/LOCATION, each part percent-encoded.
import { $, copy, h, say, size, tabs } from "./dom.js";
import { Editor } from "./editor.js";
import { examples } from "./example.js";
import { curl, showExchange } from "./exchange.js";
import { Document, JsonError, tidy } from "./json.js";
import { Client, Unauthorized } from "./mcp.js";
import { Schema } from "./schema.js";
import { showAnything, showTables, showText } from "./table.js";

const SCHEMALESS = "__schemaless__";
const SCHEMALESS_EXAMPLE = `{
  "exact": [1.0, 1E400, -0, 9007199254740993],
  "text": "<&> \\u0041 \\/",
  "twice": 1,
  "twice": 2
}`;

const client = new Client(new URL("mcp", document.baseURI).href);
const editor = new Editor($("editor"), edited);
const narrow = matchMedia("(max-width: 74.99rem)"); // the payload is a tab of its own
const listAbove = matchMedia("(max-width: 60rem)"); // the list stands above the schema
const drafts = new Map(); // schema id → payload that a person left
let list = []; // of { id, title, description }
let current; // { id, schema } that is shown; schema undefined if there is none
let faults = []; // of the last answer: { pointer, keyword, message }
let places = []; // of the faults in the text as it is now: { start, end, words }
let exchange; // the last one
let turn = 0; // counts what was begun, so that a late answer to something older is dropped

// ---- connection

async function connect() {
  $("alert").hidden = true;
  $("connection").textContent = "Connecting…";
  delete $("connection").dataset.state;
  try {
    const server = await client.connect();
    const { doc, envelope } = await client.call("list_schemas", "{}");
    const text = (node, name) => doc.string(doc.get(node, name)) ?? "";
    list = (doc.get(envelope, "schemas")?.items ?? []).map((node) => ({
      id: text(node, "schema_id"),
      title: text(node, "title"),
      description: text(node, "description"),
    }));
    $("connection").textContent = `Connected to ${server.name} ${server.version}`;
    $("connection").dataset.state = "good";
    $("auth").hidden = true;
    showList();
    await route();
  } catch (error) {
    failed(error);
  }
}

// failed shows an error that is none of a payload.
function failed(error) {
  $("main").setAttribute("aria-busy", "false");
  if (error instanceof Unauthorized) {
    $("connection").textContent = "Not authorized";
    $("connection").dataset.state = "bad";
    $("auth").hidden = false;
    $("token").focus();
    return;
  }
  $("alert-text").textContent = error.message;
  $("alert").hidden = false;
  if (list.length === 0) {
    $("connection").textContent = "Not connected";
    $("connection").dataset.state = "bad";
  }
}

$("auth").addEventListener("submit", (event) => {
  event.preventDefault();
  client.setToken($("token").value.trim());
  $("token").value = "";
  connect();
});
$("retry").addEventListener("click", connect);

// ---- list

const link = (id, location) => `#${encodeURIComponent(id)}${location ? `/${encodeURIComponent(location)}` : ""}`;

function showList() {
  const wanted = $("filter").value.trim().toLowerCase();
  const found = list.filter(({ id, title, description }) => `${id}\n${title}\n${description}`.toLowerCase().includes(wanted));
  $("schemas").replaceChildren(
    ...found.map(({ id, title, description }) =>
      h(
        "li",
        {},
        h(
          "a",
          { href: link(id), "aria-current": id === current?.id ? "true" : undefined },
          h("b", {}, title || (id === SCHEMALESS ? "Anything" : id)),
          h("code", {}, id),
          ...(description ? [h("span", {}, description)] : []),
        ),
      ),
    ),
  );
  $("none").hidden = found.length > 0 || list.length === 0;
  const marked = $("schemas").querySelector("[aria-current]");
  if (marked) scrollWithin(marked);
  return found;
}

// scrollWithin brings an entry of the list into view without scrolling the page.
function scrollWithin(entry) {
  const box = listAbove.matches ? $("schemas") : document.querySelector("nav");
  const [inner, outer] = [entry.getBoundingClientRect(), box.getBoundingClientRect()];
  if (inner.top < outer.top) box.scrollTop -= outer.top - inner.top + 8;
  else if (inner.bottom > outer.bottom) box.scrollTop += inner.bottom - outer.bottom + 8;
}

$("filter").addEventListener("input", () => {
  const { length } = showList();
  $("count").textContent = `${length} ${length === 1 ? "schema" : "schemas"}`;
});
$("filter").addEventListener("keydown", (event) => {
  if (event.key === "Enter") $("schemas").querySelector("a")?.click();
});
document.querySelector("nav").addEventListener("keydown", (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  const stops = [$("filter"), ...$("schemas").querySelectorAll("a")];
  stops[stops.indexOf(document.activeElement) + step]?.focus();
  event.preventDefault();
});

// ---- schema

// route shows what the address asks for.
async function route() {
  const [id, location] = location_();
  const wanted = list.some((each) => each.id === id) ? id : (list.find((each) => each.id !== SCHEMALESS) ?? list[0])?.id;
  if (wanted === undefined) return;
  if (wanted !== current?.id && !(await open(wanted))) return;
  if (location !== undefined) goTo(location);
}

function location_() {
  return window.location.hash
    .slice(1)
    .split("/")
    .map((part) => {
      try {
        return decodeURIComponent(part);
      } catch {
        return part;
      }
    });
}

// open shows another schema. Result: whether it is shown.
async function open(id) {
  const mine = ++turn;
  const main = $("main");
  main.setAttribute("aria-busy", "true");
  let schema, doc, node;
  try {
    const answer = await client.call("get_schema", `{"schema_id":${JSON.stringify(id)}}`);
    if (mine !== turn) return false;
    doc = answer.doc;
    node = doc.get(answer.envelope, "schema");
    const refusal = doc.string(doc.get(answer.envelope, "error", "message"));
    if (!node) throw new Error(refusal ?? "The answer holds no schema.");
    if (node.kind !== "null") schema = new Schema(doc, node);
  } catch (error) {
    if (mine === turn) failed(error);
    return false;
  }
  const first = current === undefined;
  if (!first) drafts.set(current.id, editor.text);
  current = { id, schema };
  const about = list.find((each) => each.id === id);
  $("title").textContent = about.title || (id === SCHEMALESS ? "Anything" : id);
  $("id").replaceChildren(h("code", {}, id));
  $("description").textContent = about.description;
  document.title = `${about.title || id} · Echo MCP inspector`;
  if (schema) showTables($("panel-members"), schema, (location) => link(id, location));
  else showAnything($("panel-members"));
  showText($("schema-text"), doc, node);
  $("text-size").textContent = size(new TextEncoder().encode(doc.raw(node)).length);
  showList();
  main.setAttribute("aria-busy", "false");
  if (!first) $("title").focus({ preventScroll: listAbove.matches });
  clearAnswer();
  if (drafts.has(id)) {
    editor.set(drafts.get(id));
    edited();
  } else {
    await example();
  }
  return true;
}

// goTo shows a definition.
function goTo(location) {
  chooseView($("tab-members"));
  const section = [...$("panel-members").querySelectorAll("section")].find((each) => each.dataset.location === location);
  section?.scrollIntoView({ block: "start" });
  section?.querySelector("h4")?.focus({ preventScroll: true });
}

window.addEventListener("hashchange", () => {
  route().catch(failed);
});

// ---- payload

// example proposes payloads until the server accepts one.
async function example() {
  const { schema } = current;
  if (!schema) {
    editor.set(SCHEMALESS_EXAMPLE);
    await send();
    return;
  }
  let found = false;
  for (const text of examples(schema)) {
    found = true;
    const mine = turn + 1;
    const proposal = tidy(new Document(text));
    editor.set(proposal);
    if ((await send()) || turn !== mine || editor.text !== proposal) return;
  }
  if (!found) {
    editor.set("");
    clearAnswer();
    verdict("plain", "No example", "The page could not make one from this schema.");
  }
}

// edited keeps the marks where their pointers lead while the text changes. What is not JSON
// is marked at once.
function edited() {
  const text = editor.text;
  $("state").textContent = size(new TextEncoder().encode(text).length);
  $("verdict").classList.toggle("stale", exchange !== undefined);
  let doc;
  try {
    doc = new Document(text);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    places = [{ start: error.offset, end: error.offset + 1, words: error.message }];
    if (text.trim() !== "") $("state").textContent = `Line ${editor.line(error.offset) + 1}: not JSON, ${error.message}`;
    editor.mark(text.trim() === "" ? [] : places);
    return undefined;
  }
  places = faults.map(({ pointer, message }) => ({ ...doc.locate(pointer), words: message, pointer }));
  const earlier = places.filter((place) => place.first).map(({ first }) => ({ start: first.start, end: first.value.end, words: "the same name is here" }));
  editor.mark([...places.map((place) => (place.found ? place : { ...place, words: `${place.pointer} ${place.words}` })), ...earlier]);
  return doc;
}

// send sends the payload as it stands. Result: whether it was accepted.
async function send() {
  clearAnswer();
  $("alert").hidden = true;
  const { id } = current;
  const { text } = editor;
  const mine = ++turn;
  if (!edited()) {
    const [{ start, words }] = places;
    verdict("bad", "Not JSON", text.trim() === "" ? "The payload is empty." : `Line ${editor.line(start) + 1}: ${words}. Nothing was sent.`);
    return false;
  }
  $("send").setAttribute("aria-busy", "true");
  try {
    // The payload's own text, white space around it included, stands in the request.
    const answer = await client.call("echo", `{"schema_id":${JSON.stringify(id)},"payload":${text}}`);
    if (mine !== turn) return false;
    exchange = answer.exchange;
    return answered(answer, text);
  } catch (error) {
    if (mine !== turn) return false;
    exchange = error.exchange;
    if (!exchange || exchange.status === 0) failed(error);
    else verdict("bad", "Refused", error.message);
    return false;
  } finally {
    if (mine === turn) {
      $("send").removeAttribute("aria-busy");
      if (exchange) showExchange($, exchange);
    }
  }
}

// answered shows an answer of echo. Result: whether the payload was accepted.
function answered({ doc, envelope }, sent) {
  if (doc.get(envelope, "ok")?.kind === "true") {
    accepted(doc.raw(doc.get(envelope, "payload")), sent.trim());
    return true;
  }
  const error = doc.get(envelope, "error");
  const text = (node, name) => doc.string(doc.get(node, name)) ?? "";
  faults = (doc.get(error, "details")?.items ?? []).map((node) => ({
    pointer: text(node, "path"),
    message: text(node, "message"),
    keyword: text(node, "keyword"),
  }));
  edited();
  $("verdict").classList.remove("stale");
  verdict("bad", text(error, "code") || "Refused", text(error, "message"));
  showFaults();
  return false;
}

// accepted says whether what came back is what was sent, character for character.
function accepted(got, sent) {
  const bytes = size(new TextEncoder().encode(got).length);
  if (got === sent) verdict("good", "Accepted", `${bytes} came back, each as it was sent.`);
  else if (sent.startsWith('"') && got === JSON.parse(sent).trim()) verdict("good", "Accepted", "The server took the JSON that the string holds.");
  else verdict("bad", "Accepted, but altered", "What came back is not what was sent: something between this page and the server changes payloads.");
}

function showFaults() {
  $("faults").hidden = $("fault-tip").hidden = faults.length === 0;
  $("faults").replaceChildren(
    ...faults.map(({ pointer, message, keyword }, i) =>
      h(
        "li",
        {},
        h(
          "button",
          { type: "button", onclick: () => goToFault(i) },
          h("span", { class: "line" }, `Line ${editor.line(places[i].start) + 1}`),
          h("span", { class: "what" }, h("code", {}, pointer || "the payload"), ` ${message}`),
          ...(keyword ? [h("small", {}, keyword)] : []),
        ),
      ),
    ),
  );
}

function goToFault(i) {
  const place = places[i] ?? places[0];
  if (!place) return;
  editor.select(place.start, place.end);
  say(`Line ${editor.line(place.start) + 1}: ${place.words}`);
}

let fault = -1;

function nextFault(step) {
  if (places.length === 0) return;
  fault = (fault + step + places.length) % places.length;
  goToFault(fault);
}

function clearAnswer() {
  faults = places = [];
  fault = -1;
  exchange = undefined;
  editor.mark([]);
  $("verdict").replaceChildren();
  $("verdict").classList.remove("stale");
  delete $("verdict").dataset.outcome;
  $("faults").hidden = $("fault-tip").hidden = $("exchange").hidden = true;
}

function verdict(outcome, title, words) {
  $("verdict").dataset.outcome = outcome;
  $("verdict").replaceChildren(h("b", {}, title), " ", h("span", {}, words));
}

$("send").addEventListener("click", () => send().catch(failed));
$("example").addEventListener("click", () => example().catch(failed));
$("tidy").addEventListener("click", tidyPayload);

function tidyPayload() {
  const doc = edited();
  if (!doc) return;
  editor.set(tidy(doc));
  edited();
}

// ---- views and keys

const chooseView = tabs($("views"), layOut);
tabs($("sides"));

// layOut shows the payload beside the schema where there is room, else as a third tab.
function layOut() {
  const tab = $("tab-try");
  tab.hidden = !narrow.matches;
  const selected = tab.getAttribute("aria-selected") === "true";
  if (!narrow.matches && selected) return chooseView($("tab-members"));
  const panel = $("panel-try");
  panel.hidden = narrow.matches && !selected;
  panel.setAttribute("role", narrow.matches ? "tabpanel" : "region");
}

narrow.addEventListener("change", layOut);
layOut();

function goToPayload() {
  if (narrow.matches) chooseView($("tab-try"));
  $("payload").focus();
}

$("copy-schema").addEventListener("click", () => copy($("copy-schema"), $("schema-text").textContent));
$("copy-body").addEventListener("click", () => {
  copy($("copy-body"), $("panel-request").hidden ? exchange.received : exchange.sent);
});
$("copy-curl").addEventListener("click", () => copy($("copy-curl"), curl(exchange)));
$("help-open").addEventListener("click", () => $("help").showModal());
$("skip").addEventListener("click", (event) => {
  event.preventDefault(); // the address is for schemas
  $("main").focus();
});

// By the key's place on the keyboard: with Alt a key may type another character.
const ALT_KEYS = { KeyX: () => $("example").click(), KeyT: tidyPayload, KeyC: () => exchange && $("copy-curl").click(), KeyP: goToPayload };

document.addEventListener("keydown", (event) => {
  if ($("help").open || event.isComposing) return;
  const { key, code, altKey, ctrlKey, metaKey, shiftKey, target } = event;
  let act;
  if (key === "Enter" && (ctrlKey || metaKey) && current) act = () => $("send").click();
  else if (key === "F8") act = () => nextFault(shiftKey ? -1 : 1);
  else if (altKey && !ctrlKey && !metaKey && current) act = ALT_KEYS[code];
  else if (!altKey && !ctrlKey && !metaKey && !target.matches("input, textarea")) {
    if (key === "/") act = () => $("filter").focus();
    if (key === "?") act = () => $("help").showModal();
  }
  if (!act) return;
  event.preventDefault();
  act();
});

if (/^(Mac|iP)/.test(navigator.platform)) $("send-key").textContent = "⌘ ↵";
connect();
