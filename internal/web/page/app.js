// The inspector: an MCP client with a face. The address after # says what is shown:
// #SCHEMA_ID or #SCHEMA_ID/LOCATION, each part percent-encoded.
import { $, breakable, copy, h, size, tabs } from "./dom.js";
import { Document, JsonError, readAt } from "./json.js";
import { Client, Gone, Unauthorized } from "./mcp.js";
import { Payload } from "./payload.js";
import { Presence } from "./presence.js";
import { Schema } from "./schema.js";
import { showAnything, showTables, showText } from "./table.js";
import { byteLength } from "./utf8.js";

const SCHEMALESS = "__schemaless__";

const client = new Client(new URL("mcp", document.baseURI).href);
const payload = new Payload(client, failed);
const presence = new Presence(new URL("healthz", document.baseURI).href, presenceChanged);
const narrow = matchMedia("(max-width: 74.99rem)"); // the payload is a tab of its own
const listAbove = matchMedia("(max-width: 60rem)"); // the list stands above the schema
let list = []; // of { id, title, description, words, entry }: what is looked through, and the element of the list
let current; // id of the schema that is shown
let turn = 0; // counts schemas that were asked for, so that a late answer is dropped

// ---- connection

// connect begins a session if there is none, and shows what the server has. quietly leaves
// what is shown as it is until that is done.
async function connect(quietly = false) {
  let lost = losesFocus();
  if (!quietly) {
    $("alert").hidden = true;
    connection("Connecting…");
  }
  try {
    const server = await client.connect();
    const { doc, envelope } = await client.call("list_schemas", "{}");
    const text = (node, name) => doc.string(doc.get(node, name)) ?? "";
    list = (doc.get(envelope, "schemas")?.items ?? []).map((node) => entryOf(text(node, "schema_id"), text(node, "title"), text(node, "description")));
    connection("Connected", "good", ` to ${server.name} ${server.version}`);
    presence.set(true);
    lost ||= losesFocus();
    $("auth").hidden = $("alert").hidden = true;
    $("frame").hidden = false;
    if (lost) $("title").focus({ preventScroll: true });
    showList();
    await route();
  } catch (error) {
    failed(error);
  }
}

// losesFocus says whether what has the focus is hidden, or made anew, once the page is connected.
const losesFocus = () => Boolean(document.activeElement?.closest("#auth, #alert, #schemas"));

// connection shows the state of the connection, in words and by a colour: good, bad or
// undefined. more are words that a narrow window has no room for. Screen readers say it, and
// the whole of it where it is cut is in the title.
function connection(words, state, more = "") {
  if ($("connection").textContent !== words + more) $("connection").replaceChildren(words, ...(more ? [h("span", {}, more)] : []));
  $("connection").title = words + more;
  if (state) $("connection").dataset.state = state;
  else delete $("connection").dataset.state;
}

// presenceChanged is told when the server goes and when it comes back. It may be another
// process then, with other schemas, so the page begins a new session.
function presenceChanged(there) {
  if (there) {
    client.forget();
    connect(true);
  } else {
    connection("Disconnected", "bad");
    alert(`No answer from ${client.url}. This page connects again by itself as soon as the server is back. What you wrote is kept.`);
  }
}

// alert shows a message above everything; what is shown already is not said again.
function alert(words) {
  if ($("alert-text").textContent !== words) $("alert-text").textContent = words;
  $("alert").hidden = false;
}

// failed shows an error that is none of a payload.
function failed(error) {
  $("main").setAttribute("aria-busy", "false");
  if (error instanceof Unauthorized) {
    $("alert").hidden = true;
    connection(error.refused ? "Token refused" : "Not authorized", "bad");
    $("auth").hidden = false;
    $("auth").classList.toggle("bad", error.refused);
    $("auth-error").hidden = !error.refused;
    $("token").setAttribute("aria-invalid", error.refused);
    $("token").focus();
    return;
  }
  if (error instanceof Gone) {
    presenceChanged(false);
    presence.set(false);
    return;
  }
  alert(error.message);
  if (list.length === 0) connection("Not connected", "bad");
}

$("auth").addEventListener("submit", (event) => {
  event.preventDefault();
  // As it stands in a header, too.
  const token = $("token").value.trim().replace(/^(?:Authorization:\s*)?Bearer\s+/i, "");
  $("token").value = "";
  $("auth-error").hidden = true;
  if (!/^[\x21-\x7e]+$/.test(token)) {
    failed(new Unauthorized(true)); // no header can hold it
    return;
  }
  client.setToken(token);
  connect();
});
$("retry").addEventListener("click", () => {
  client.forget();
  connect();
});

// ---- list

const link = (id, location) => `#${encodeURIComponent(id)}${location ? `/${encodeURIComponent(location)}` : ""}`;

const SHOWN = 300; // characters of a description, of which an entry has two lines

// entryOf makes what the list needs of a schema. Elements are made once, since a server may
// have hundreds of schemas.
function entryOf(id, title, description) {
  const named = h("b", {}, title || (id === SCHEMALESS ? "Anything" : id));
  const about = description ? [h("span", {}, description.slice(0, SHOWN))] : [];
  const entry = h("li", {}, h("a", { href: link(id) }, named, h("code", {}, breakable(id)), ...about));
  return { id, title, description, words: `${id}\n${title}\n${description}`.toLowerCase(), entry };
}

function showList() {
  const wanted = $("filter").value.trim().toLowerCase();
  const found = list.filter(({ words }) => words.includes(wanted));
  $("schemas").querySelector("[aria-current]")?.removeAttribute("aria-current");
  list.find(({ id }) => id === current)?.entry.firstChild.setAttribute("aria-current", "true");
  $("schemas").replaceChildren(...found.map(({ entry }) => entry));
  $("none").hidden = found.length > 0 || list.length === 0;
  $("none").textContent = `No schema matches “${$("filter").value.trim()}”.`;
  const marked = $("schemas").querySelector("[aria-current]");
  if (marked) scrollWithin(marked);
  return found;
}

// scrollWithin brings an entry of the list into view without scrolling the page.
function scrollWithin(entry) {
  const box = $("schemas");
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
  const [id, location] = address();
  const known = list.some((each) => each.id === id);
  const wanted = known ? id : (list.find((each) => each.id !== SCHEMALESS) ?? list[0])?.id;
  if (wanted === undefined) return;
  if (wanted !== current && !(await open(wanted))) return;
  if (id !== "" && !known) alert(`This server has no schema “${id}”. What is shown is another one; choose from the list.`);
  if (location !== undefined) goTo(location);
}

function address() {
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
    if (schema && !schema.complete()) schema = (await told(id)).schema ?? schema;
    if (mine !== turn) return false;
  } catch (error) {
    if (mine === turn) failed(error);
    return false;
  }
  const first = current === undefined;
  current = id;
  const about = list.find((each) => each.id === id);
  $("title").textContent = about.title || (id === SCHEMALESS ? "Anything" : id);
  $("id").replaceChildren(h("code", {}, breakable(id)));
  $("description").textContent = about.description;
  document.title = `${about.title || id} · Echo MCP inspector`;
  if (schema) showTables($("panel-members"), schema, (location) => link(id, location));
  else showAnything($("panel-members"));
  showText($("schema-text"), doc, node);
  $("text-size").textContent = size(byteLength(doc.raw(node)));
  showList();
  $("alert").hidden = true; // of what was asked before
  main.setAttribute("aria-busy", "false");
  if (!first) $("title").focus({ preventScroll: listAbove.matches });
  await payload.open(id, schema, async () => (await told(id)).example);
  return true;
}

// told is what the server's prompt for a schema holds: the schema with all that it refers
// to, and an example. Both are undefined where the server has no such prompt.
async function told(id) {
  try {
    const text = await client.prompt("emit", `{"schema_id":${JSON.stringify(id)}}`);
    const values = [];
    for (let at = text.indexOf("\n\n"); at >= 0; at = text.indexOf("\n\n", at)) {
      at += 2;
      if (!/[[{"\w-]/.test(text[at] ?? "")) continue;
      try {
        const root = readAt(text, at);
        values.push(new Document(text.slice(root.start, root.end)));
        at = root.end;
      } catch (error) {
        if (!(error instanceof JsonError)) throw error; // it is prose
      }
    }
    const [schema, example] = values;
    return { schema: schema && new Schema(schema, schema.root), example: example?.text };
  } catch (error) {
    if (error instanceof Unauthorized) throw error;
    return {};
  }
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
$("help-open").addEventListener("click", () => $("help").showModal());
$("skip").addEventListener("click", (event) => {
  event.preventDefault(); // the address is for schemas
  $("main").focus();
});

// By the key's place on the keyboard: with Alt a key may type another character.
const ALT_KEYS = { KeyX: () => $("example").click(), KeyT: () => payload.tidy(), KeyC: () => $("exchange").hidden || $("copy-curl").click(), KeyP: goToPayload };

document.addEventListener("keydown", (event) => {
  if ($("help").open || event.isComposing) return;
  const { key, code, altKey, ctrlKey, metaKey, shiftKey, target } = event;
  let act;
  if (key === "Enter" && (ctrlKey || metaKey) && current) act = () => $("send").click();
  else if (key === "F8") act = () => payload.nextFault(shiftKey ? -1 : 1);
  else if (altKey && !ctrlKey && !metaKey && current) act = ALT_KEYS[code];
  else if (!altKey && !ctrlKey && !metaKey && !target.matches("input, textarea")) {
    if (key === "/") act = () => $("filter").focus();
    if (key === "?") act = () => $("help").showModal();
  }
  if (!act) return;
  event.preventDefault();
  act();
});

// Macs have other signs on the same keys.
if (/^(Mac|iP)/.test(navigator.platform)) {
  const mac = (words) => words.replace("Ctrl", "⌘").replace(/Alt\+?/, "⌥");
  for (const key of document.querySelectorAll("kbd")) key.textContent = mac(key.textContent);
  for (const button of document.querySelectorAll("button[title]")) button.title = mac(button.title);
}
$("help-open").hidden = false;
connect();
