// The payload of the schema that is shown: its editor, examples of it, what the server
// answers to it, and where its faults are.
import { $, copy, h, say, size } from "./dom.js";
import { Drafts } from "./drafts.js";
import { Editor } from "./editor.js";
import { curl, showExchange } from "./exchange.js";
import { chooseFile } from "./file.js";
import { Document, JsonError, tidying } from "./json.js";
import { guess, place } from "./json_guess.js";
import { Gone } from "./mcp.js";
import { atOnce, inSlices } from "./slices.js";
import { encoding } from "./utf8.js";

// The size in bytes of the largest message that the server takes; 0 if it doesn't say.
const MAX_MESSAGE = Number(document.querySelector('meta[name="echo-max-message-bytes"]')?.content);

// The key of the mark in a result's _meta that says that a string was unwrapped.
const UNWRAPPED = "io.github.zenlix.echo-mcp/unwrapped";

// What the id without a schema is for: everything that must come back unchanged.
const EXACT = `{
  "exact": [1.0, 1E400, -0, 9007199254740993],
  "text": "<&> \\u0041 \\/",
  "twice": 1,
  "twice": 2
}`;

export class Payload {
  #client;
  #failed;
  #editor = new Editor($("editor"), () => this.#edited());
  #drafts = new Drafts(() => this.#keep());
  #proposed; // the text that the page put in by itself last
  #id; // of the schema
  #schema; // undefined if there is none behind the id
  #ask; // for the server's example
  #faults = []; // of the last answer: { pointer, keyword, message }
  #lines = []; // elements of the list of faults that say the line of each
  #places = []; // of the faults in the text as it is now: { start, end, words }
  #known = {}; // what #judge said last
  #reading = new AbortController(); // of the text as it was edited last
  #sent; // the text that the last answer is about
  #fault = -1; // of #places, where a person went last
  #exchange; // the last one
  #turn = 0; // counts what was begun, so that a late answer to something older is dropped

  // failed is called with errors that are none of a payload.
  constructor(client, failed) {
    this.#client = client;
    this.#failed = failed;
    $("send").addEventListener("click", () => this.send().catch(failed));
    $("example").addEventListener("click", () => this.example().catch(failed));
    $("tidy").addEventListener("click", () => this.tidy().catch(failed));
    chooseFile((text) => this.#fill(text), failed);
    $("copy-body").addEventListener("click", () => copy($("copy-body"), $("panel-request").hidden ? this.#exchange.received : this.#exchange.sent));
    $("copy-message").addEventListener("click", () => copy($("copy-message"), this.#exchange.received.slice(this.#exchange.payload.start, this.#exchange.payload.end)));
    $("copy-curl").addEventListener("click", () => copy($("copy-curl"), curl(this.#exchange)));
  }

  // open turns to another schema: to what a person wrote for it before, else to an example.
  // ask asks the server for an example, undefined if it has none.
  async open(id, schema, ask) {
    this.#keep();
    [this.#id, this.#schema, this.#ask] = [id, schema, ask];
    this.#turn++;
    this.#clear();
    const draft = this.#drafts.get(id);
    if (!draft) {
      this.#propose("");
      await this.example();
      return;
    }
    this.#proposed = draft.own ? undefined : draft.text;
    this.#editor.set(draft.text);
    this.#edited();
  }

  // #keep makes a draft of what is shown, if it is anything.
  #keep() {
    const { text } = this.#editor;
    const own = text !== this.#proposed;
    if (this.#id !== undefined && (own || text !== "")) this.#drafts.set(this.#id, text, own);
  }

  // #propose puts in a text of the page's own.
  #propose(text) {
    this.#proposed = text;
    this.#editor.set(text);
  }

  // example puts in the server's example, and sends it.
  async example() {
    const turn = ++this.#turn;
    const { text: before } = this.#editor;
    this.#clear();
    const text = this.#schema ? await this.#asked() : EXACT;
    if (this.#turn !== turn || this.#editor.text !== before) return; // something else was begun meanwhile
    if (text === undefined) {
      this.#propose("");
      this.#verdict("plain", "No example", "The server could not make one from this schema.");
      return;
    }
    this.#propose(this.#schema ? atOnce(tidying(new Document(text))) : text);
    await this.send();
  }

  async #asked() {
    $("example").setAttribute("aria-busy", "true");
    try {
      return await this.#ask();
    } finally {
      $("example").removeAttribute("aria-busy");
    }
  }

  // #fill puts in the text of a file.
  #fill(text) {
    this.#turn++;
    this.#clear();
    this.#editor.set(text);
    this.#edited();
  }

  // tidy puts each member on a line of its own.
  async tidy() {
    const { text } = this.#editor;
    $("tidy").setAttribute("aria-busy", "true");
    try {
      const { doc } = await this.#look();
      const tidied = doc && (await inSlices(tidying(doc)));
      if (tidied === undefined || this.#editor.text !== text) return; // a person went on writing
      this.#editor.set(tidied);
      this.#edited();
    } finally {
      $("tidy").removeAttribute("aria-busy");
    }
  }

  // send sends the payload as it stands. Result: whether it was accepted.
  async send() {
    this.#clear();
    $("alert").hidden = true;
    const { text } = this.#editor;
    const turn = ++this.#turn;
    $("send").setAttribute("aria-busy", "true");
    try {
      const { doc, slip, bytes } = await this.#look();
      if (turn !== this.#turn) return false;
      this.#sent = text;
      if (!doc) {
        this.#notJson(text, slip);
        return false;
      }
      // The payload's own text, white space around it included, stands in the request.
      const args = (payload) => `{"schema_id":${JSON.stringify(this.#id)},"payload":${payload}}`;
      const message = this.#client.callBytes("echo", args("")) + bytes;
      if (MAX_MESSAGE > 0 && message > MAX_MESSAGE) {
        this.#verdict("bad", "Too large", `The message would be ${size(message)}; this server takes at most ${size(MAX_MESSAGE)} (its --max-message-bytes). Nothing was sent.`);
        return false;
      }
      const answer = await this.#client.call("echo", args(text));
      if (turn !== this.#turn) return false;
      this.#exchange = answer.exchange;
      return await this.#answered(answer, text);
    } catch (error) {
      if (turn !== this.#turn) return false;
      this.#exchange = error.exchange;
      if (error.exchange?.status) this.#verdict("bad", "Refused", error.message);
      else this.#failed(error);
      if (error instanceof Gone) this.#verdict("bad", "No answer", "The payload is kept. Send it again once the page is connected.");
      return false;
    } finally {
      if (turn === this.#turn) {
        $("send").removeAttribute("aria-busy");
        if (this.#exchange) showExchange(this.#exchange);
      }
    }
  }

  // nextFault goes to the next fault, or with -1 to the one before.
  nextFault(step) {
    if (this.#places.length === 0) return;
    this.#goTo((Math.max(this.#fault, step < 0 ? 0 : -1) + step + this.#places.length) % this.#places.length);
  }

  // #answered shows an answer of echo. Result: whether the payload was accepted.
  async #answered({ doc, envelope, exchange }, sent) {
    if (doc.get(envelope, "ok")?.kind === "true") {
      const unwrapped = doc.get(doc.root, "result", "_meta", UNWRAPPED)?.kind === "true";
      const node = doc.get(envelope, "payload");
      const shift = exchange.received.indexOf(doc.text); // of the answer within an event stream
      const got = doc.raw(node);
      const bytes = (await inSlices(encoding(got))).length;
      if (shift >= 0) exchange.payload = { start: shift + node.start, end: shift + node.end, bytes };
      this.#accepted(got, sent.trim(), unwrapped, size(bytes));
      return true;
    }
    const error = doc.get(envelope, "error");
    const text = (node, name) => doc.string(doc.get(node, name)) ?? "";
    this.#faults = (doc.get(error, "details")?.items ?? []).map((node) => ({
      pointer: text(node, "path"),
      message: text(node, "message"),
      keyword: text(node, "keyword"),
    }));
    this.#showFaults();
    this.#verdict("bad", text(error, "code") || "Refused", text(error, "message"));
    await this.#look();
    return false;
  }

  // #accepted says whether what came back is what was sent, character for character.
  // unwrapped is the server's mark that it took the JSON which a string holds; bytes words
  // the size of what came back.
  #accepted(got, sent, unwrapped, bytes) {
    if (got === sent) this.#verdict("good", "Accepted", `${bytes} came back, each as it was sent.`);
    else if (unwrapped && sent.startsWith('"') && got === JSON.parse(sent).trim()) this.#verdict("good", "Accepted", `The payload was a string whose text is JSON. The schema takes no string here, so the server took that JSON as the message: ${bytes} came back.`);
    else this.#verdict("bad", "Accepted, but altered", "What came back is not what was sent: something between this page and the server changes payloads.");
  }

  // #edited looks at the text after each change, and no longer at what it was before.
  #edited() {
    this.#reading.abort();
    this.#reading = new AbortController();
    const { signal } = this.#reading;
    this.#look(signal).catch((error) => signal.aborted || this.#failed(error));
  }

  // #look keeps the marks where their pointers lead in the text as it is now. What is not
  // JSON is marked at once. Result and errors are those of #judge.
  async #look(signal) {
    const { text } = this.#editor;
    const faults = this.#faults;
    $("verdict").classList.toggle("stale", this.#sent !== undefined && text !== this.#sent);
    $("state").textContent = "Reading…";
    const judged = await this.#judge(text, signal);
    const { doc, slip, bytes } = judged;
    const places = doc ? await inSlices(placing(doc, faults), signal) : [slip];
    if (text !== this.#editor.text || faults !== this.#faults) return judged; // what is newer is looked at by itself
    this.#places = places;
    const empty = text.trim() === "";
    if (slip && !empty) $("state").replaceChildren(this.#wayTo(text, slip), `: ${slip.words}`);
    else $("state").textContent = size(bytes);
    const earlier = places.flatMap(({ first }) => (first ? [{ start: first.start, end: first.value.end, words: "the same name is here" }] : []));
    this.#editor.mark(empty ? [] : [...places, ...earlier]);
    if (doc) places.forEach(({ start }, i) => (this.#lines[i].textContent = `Line ${this.#editor.line(start) + 1}`));
    return judged;
  }

  // #judge reads a text, unless it was the last one read. Result: { bytes, doc } or { bytes,
  // slip }, the place where it is not JSON with words of what is wrong. It throws the
  // signal's reason where that is aborted.
  async #judge(text, signal) {
    if (this.#known.text === text) return this.#known;
    const bytes = (await inSlices(encoding(text), signal)).length;
    try {
      this.#known = { text, bytes, doc: await Document.read(text, signal) };
    } catch (error) {
      if (!(error instanceof JsonError)) throw error;
      const { words, offset } = guess(text, error.offset, error.open) ?? { words: error.message, offset: error.offset };
      this.#known = { text, bytes, slip: { start: offset, end: offset + 1, words } };
    }
    return this.#known;
  }

  // #wayTo is a button that names a place and leads to it.
  #wayTo(text, { start }) {
    return h("button", { type: "button", class: "place", onclick: () => this.#goTo(0) }, capital(place(text, start)));
  }

  // #notJson says why a text can't be sent, and leads to the place.
  #notJson(text, slip) {
    if (text.trim() === "") this.#verdict("bad", "Not JSON", "The payload is empty.");
    else this.#verdict("bad", "Not JSON", this.#wayTo(text, slip), `: ${slip.words}. Nothing was sent.`);
  }

  #showFaults() {
    $("faults").hidden = $("fault-tip").hidden = this.#faults.length === 0;
    this.#lines = this.#faults.map(() => h("span", { class: "line" }));
    $("faults").replaceChildren(
      ...this.#faults.map(({ pointer, message, keyword }, i) =>
        h(
          "li",
          {},
          h(
            "button",
            { type: "button", onclick: () => this.#goTo(i) },
            this.#lines[i],
            " ",
            h("span", { class: "what" }, h("code", {}, pointer || "the payload"), ` ${message}`),
            ...(keyword ? [" ", h("small", {}, keyword)] : []),
          ),
        ),
      ),
    );
  }

  // #goTo goes to the place of a fault. While the text is not JSON there is one place only.
  #goTo(i) {
    const place = this.#places[i] ?? this.#places[0];
    if (!place) return;
    this.#fault = i;
    this.#editor.select(place.start, place.end);
    say(`Line ${this.#editor.line(place.start) + 1}: ${place.words}`);
  }

  #clear() {
    this.#faults = this.#places = [];
    this.#fault = -1;
    this.#exchange = this.#sent = undefined;
    this.#editor.mark([]);
    $("verdict").replaceChildren();
    $("verdict").classList.remove("stale");
    delete $("verdict").dataset.outcome;
    $("send").removeAttribute("aria-busy");
    $("faults").hidden = $("fault-tip").hidden = $("exchange").hidden = true;
  }

  #verdict(outcome, title, ...words) {
    $("verdict").dataset.outcome = outcome;
    $("verdict").replaceChildren(h("b", {}, title), " ", h("span", {}, ...words));
  }
}

// placing finds the places of faults in a document: work that returns a list of { start, end,
// first, words }.
function* placing(doc, faults) {
  const places = [];
  for (const { pointer, message } of faults) {
    const { start, end, found, first } = doc.locate(pointer);
    places.push({ start, end, first, words: found ? message : `${pointer} ${message}` });
    yield;
  }
  return places;
}

const capital = (words) => words[0].toUpperCase() + words.slice(1);
