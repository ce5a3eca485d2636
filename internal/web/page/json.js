// A reader of JSON (RFC 8259) that keeps positions. Numbers stay text, names may repeat and
// keep their order, and nesting costs no call stack, so what the page says about a payload
// is true of its very characters. Offsets count UTF-16 units, as strings do here.
import { atOnce, inSlices } from "./slices.js";

// Values, and characters of a string, after which long work may be interrupted.
const STEP = 2000;
const PIECE = 200_000;

// JsonError says what was expected at an offset. open is the offset of the innermost bracket
// that is not closed there, undefined if there is none.
export class JsonError extends Error {
  constructor(message, offset) {
    super(message);
    this.name = "JsonError";
    this.offset = offset;
    this.open = undefined;
  }
}

// A node is { kind, start, end } with kind object, array, string, number, true, false or
// null. An array has items: nodes. An object has members: { name, start, value }, where
// start is the offset of the name's quote.

// read reads exactly one value, with white space around it. It throws JsonError.
export const read = (text) => atOnce(reading(text));

// readAt reads the value that begins at an offset, or after white space there, whatever
// follows it. It throws JsonError.
export const readAt = (text, from) => atOnce(readingAt(text, from));

function* reading(text) {
  const root = yield* readingAt(text, 0);
  const rest = skip(text, root.end);
  if (rest < text.length) throw new JsonError("expected the end after the value", rest);
  return root;
}

function* readingAt(text, from) {
  if (!text.isWellFormed()) throw new JsonError("half of a surrogate pair can't be sent: write it as \\u escape", half(text));
  const open = []; // containers that are not closed yet, innermost last
  try {
    return yield* readingInto(open, text, from);
  } catch (error) {
    if (error instanceof JsonError) error.open = open.at(-1)?.start;
    throw error;
  }
}

function* readingInto(open, text, from) {
  let root;
  let at = skip(text, from);
  let add = (node) => (root = node);
  for (let values = 1; ; values++) {
    if (values % STEP === 0) yield;
    let node;
    if (text[at] === '"') {
      let end = at + 1;
      while (text[(end = scan(text, at, end))] !== '"') yield;
      node = { kind: "string", start: at, end: end + 1 };
    } else {
      node = value(text, at);
    }
    add(node);
    at = node.end;
    let ended = true;
    if (node.items || node.members) {
      at = skip(text, at);
      if (text[at] === closer(node)) {
        node.end = ++at;
      } else {
        open.push(node);
        [add, at] = next(text, at, node);
        ended = false;
      }
    }
    while (ended) {
      const parent = open.at(-1);
      if (!parent) return root;
      at = skip(text, at);
      if (text[at] === closer(parent)) {
        parent.end = ++at;
        open.pop();
      } else if (text[at] === ",") {
        [add, at] = next(text, skip(text, at + 1), parent);
        ended = false;
      } else {
        throw new JsonError(`expected "," or "${closer(parent)}"`, at);
      }
    }
  }
}

const closer = (node) => (node.members ? "}" : "]");

// next prepares for a value inside parent: it gives the function that adds it, and where it
// begins. In an object that is after the name.
function next(text, at, parent) {
  if (parent.items) return [(node) => parent.items.push(node), at];
  if (text[at] !== '"') throw new JsonError("expected a member name in quotes", at);
  const end = endOfString(text, at);
  const colon = skip(text, end);
  if (text[colon] !== ":") throw new JsonError('expected ":" after the member name', colon);
  const name = JSON.parse(text.slice(at, end));
  return [(value) => parent.members.push({ name, start: at, value }), skip(text, colon + 1)];
}

function value(text, at) {
  switch (text[at]) {
    case "{":
      return { kind: "object", start: at, end: at + 1, members: [] };
    case "[":
      return { kind: "array", start: at, end: at + 1, items: [] };
  }
  for (const kind of ["true", "false", "null"]) {
    if (text.startsWith(kind, at)) return { kind, start: at, end: at + kind.length };
  }
  const number = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
  number.lastIndex = at;
  if (number.test(text)) {
    const end = number.lastIndex;
    if (/[0-9.eE+-]/.test(text[end] ?? "")) throw new JsonError("this is not a JSON number", at);
    return { kind: "number", start: at, end };
  }
  throw new JsonError(at < text.length ? "expected a value" : "expected a value, found the end", at);
}

function endOfString(text, start) {
  let at = start + 1;
  while (text[(at = scan(text, start, at))] !== '"');
  return at + 1;
}

// scan goes on in the string that begins at start: to its closing quote, or to where it may be
// interrupted.
function scan(text, start, from) {
  let at = from;
  for (const till = from + PIECE; at < till; at++) {
    const c = text.charCodeAt(at);
    if (c === 0x22) return at;
    if (Number.isNaN(c)) throw new JsonError("the string is not closed", start);
    if (c < 0x20) throw new JsonError("a control character in a string must be escaped", at);
    if (c === 0x5c) {
      if ('"\\/bfnrt'.includes(text[at + 1] ?? " ")) at++;
      else if (/^u[0-9a-fA-F]{4}/.test(text.slice(at + 1, at + 6))) at += 5;
      else throw new JsonError("unknown escape", at);
    }
  }
  return at;
}

function skip(text, at) {
  while (at < text.length && " \t\n\r".includes(text[at])) at++;
  return at;
}

function half(text) {
  for (let at = 0; ; at++) {
    const c = text.codePointAt(at);
    if (c > 0xffff) at++;
    else if (c >= 0xd800 && c <= 0xdfff) return at;
  }
}

// Document is a text with the value read from it.
export class Document {
  constructor(text, root = read(text)) {
    this.text = text;
    this.root = root;
  }

  // read reads a text that may be long. It throws JsonError, and the signal's reason where
  // that is aborted meanwhile.
  static async read(text, signal) {
    return new Document(text, await inSlices(reading(text), signal));
  }

  // raw is the exact text of a node.
  raw(node) {
    return this.text.slice(node.start, node.end);
  }

  // string is the decoded text of a string node, undefined for other nodes.
  string(node) {
    return node?.kind === "string" ? JSON.parse(this.raw(node)) : undefined;
  }

  // get is the node that the names and indexes lead to, from the node given.
  get(node, ...path) {
    for (const step of path) node = child(node, String(step))?.value;
    return node;
  }

  // locate finds what an RFC 6901 pointer means. Result: the range from the member's name,
  // or the element's start, to the end of its value. Where there is no such member, found
  // is false and the range is that of the nearest value that should hold it. first is the
  // place of an earlier member of the same name, if there is one.
  locate(pointer) {
    let place = { start: this.root.start, end: this.root.end, node: this.root, found: true };
    for (const step of pointer.split("/").slice(1)) {
      const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
      const { start, value, first } = child(place.node, name) ?? {};
      if (!value) return { ...place, start: place.node.start, first: undefined, found: false };
      place = { start, end: value.end, node: value, first, found: true };
    }
    return place;
  }
}

// child is the member of this name, the last if it repeats, or the element at this index.
function child(node, step) {
  if (node?.items) {
    const value = /^(0|[1-9][0-9]*)$/.test(step) ? node.items[step] : undefined;
    return value && { start: value.start, value };
  }
  const same = node?.members?.filter((member) => member.name === step) ?? [];
  const last = same.at(-1);
  return last && { ...last, first: same.length > 1 ? same[0] : undefined };
}

const MAX_INDENT = 200; // characters; deeper nesting is not indented further

// tidying lays a document out with one member or element a line: work that returns the
// text. Only white space between tokens changes.
export function* tidying(doc) {
  let text = "";
  let out = []; // what follows text
  const open = []; // containers that are begun and not yet closed, innermost last
  const begin = (node, indent) => {
    const children = node.members ?? node.items ?? [];
    if (children.length === 0) {
      out.push(node.members ? "{}" : node.items ? "[]" : doc.raw(node));
      return;
    }
    out.push(node.members ? "{" : "[");
    open.push({ node, children, next: 0, indent, inner: indent.length > MAX_INDENT ? indent : `${indent}  ` });
  };
  begin(doc.root, "\n");
  for (let values = 1; open.length > 0; values++) {
    if (values % STEP === 0) {
      text += out.join("");
      out = [];
      yield;
    }
    const top = open.at(-1);
    const { node, children, next, indent, inner } = top;
    if (next === children.length) {
      out.push(indent, closer(node));
      open.pop();
      continue;
    }
    const each = children[top.next++];
    out.push(next > 0 ? "," : "", inner);
    if (node.members) out.push(doc.text.slice(each.start, endOfString(doc.text, each.start)), ": ");
    begin(each.value ?? each, inner);
  }
  return text + out.join("");
}

// tokens gives the coloured parts of a document in order: { kind, start, end }, where kind
// is name, string, number or word.
export function tokens(doc) {
  const out = [];
  const stack = [doc.root];
  while (stack.length > 0) {
    const node = stack.pop();
    if (node.kind === "name") {
      out.push(node);
    } else if (node.members) {
      for (const { start, value } of node.members.toReversed()) {
        stack.push(value, { kind: "name", start, end: endOfString(doc.text, start) });
      }
    } else if (node.items) {
      stack.push(...node.items.toReversed());
    } else {
      out.push({ ...node, kind: node.kind === "string" || node.kind === "number" ? node.kind : "word" });
    }
  }
  return out;
}
