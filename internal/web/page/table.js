// Shows a schema as tables: the members of its root, nested members below their parents,
// and a table for each definition that a reference leads to.
import { tokens } from "./json.js";
import { breakable, h } from "./dom.js";

const MAX_COLOURED = 300_000; // characters; a larger text is shown without colours

// showTables fills the panel. link gives the address of a definition on this page.
export function showTables(panel, schema, link) {
  const parts = [section(schema, schema.root, undefined, link)];
  const definitions = schema.definitions();
  if (definitions.length > 0) parts.push(h("h3", { class: "definitions" }, "Definitions"));
  for (const node of definitions) parts.push(section(schema, node, schema.name(node), link));
  panel.replaceChildren(...parts);
}

// showAnything fills the panel for the id without a schema.
export function showAnything(panel) {
  panel.replaceChildren(
    h("p", { class: "lead" }, "There is no schema behind this id: every JSON value is accepted and comes back as it was sent, repeated names, 1E400 and white space included."),
  );
}

function section(schema, node, name, link) {
  const facts = schema.facts(node);
  const location = schema.location(node);
  const heading = name === undefined ? [] : [h("h4", { tabindex: -1 }, h("code", {}, name), h("small", {}, location))];
  const description = name === undefined ? undefined : schema.text(node, "description");
  const rows = [];
  addRows(schema, node, 0, rows, link);
  return h(
    "section",
    { class: "definition", "data-location": location, "aria-label": name === undefined ? "The payload" : `Definition ${name}` },
    ...heading,
    ...(description ? [h("p", { class: "lead" }, description)] : []),
    h("p", { class: "whole" }, h("span", { class: "type" }, type(schema, node, link)), ...spaced(facts.map(fact))),
    ...(rows.length > 0 ? [table(rows, name)] : []),
  );
}

// The roles are written out because narrow places show rows as cards, and a table whose
// parts are no longer displayed as a table would not be told as one.
function table(rows, name) {
  const head = ["Member", "Type", "Required", "Description and limits"].map((words) => h("th", { scope: "col", role: "columnheader" }, words));
  return h(
    "table",
    { class: "members", role: "table", "aria-label": name === undefined ? "Members of the payload" : `Members of ${name}` },
    h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, ...head)),
    h("tbody", { role: "rowgroup" }, ...rows),
  );
}

function addRows(schema, parent, depth, out, link) {
  for (const { label, kind, required, node } of schema.rows(parent)) {
    const facts = node ? schema.facts(node) : [];
    const description = node && (words(schema, node) || words(schema, schema.target(node)));
    const name = kind === "rule" ? h("i", {}, label) : h("code", {}, breakable(kind === "pattern" ? `/${label}/` : label));
    out.push(
      h(
        "tr",
        { role: "row", "data-depth": Math.min(depth, 6), "data-location": node && schema.location(node) },
        h("th", { scope: "row", role: "rowheader" }, ...(depth > 0 ? [h("span", { class: "unseen" }, `level ${depth + 1}: `)] : []), name),
        h("td", { role: "cell", class: "type" }, node ? type(schema, node, link) : "anything"),
        h("td", { role: "cell", class: "need" }, required === undefined ? "" : required ? h("b", { class: "required" }, "required") : h("span", { class: "optional" }, "optional")),
        h("td", { role: "cell", class: "about-it" }, ...(description ? [h("p", {}, description)] : []), ...spaced(facts.map(fact))),
      ),
    );
    if (node) addRows(schema, node, depth + 1, out, link);
  }
}

const words = (schema, node) => [schema.text(node, "title"), schema.text(node, "description")].filter(Boolean).join(": ");

function type(schema, node, link) {
  return schema.type(node).map((part) => {
    if (typeof part === "string") return part;
    if (part.node) return h("a", { href: link(schema.location(part.node)) }, part.name);
    return h("span", { class: "outside", title: "A definition shared between schemas, which the server does not hand out by itself" }, h("code", {}, part.outside), " (shared definition)");
  });
}

// spaced puts a space between elements, for what reads or copies their text.
const spaced = (elements) => elements.flatMap((each) => [" ", each]);

function fact({ words, values = [] }) {
  return h("span", { class: "fact" }, words, ...values.flatMap((value) => [" ", h("code", {}, value)]));
}

// showText shows the schema's own text.
export function showText(pre, doc, root) {
  const text = doc.raw(root);
  if (text.length > MAX_COLOURED) {
    pre.textContent = text;
    return;
  }
  const out = [];
  let at = root.start;
  for (const { kind, start, end } of tokens({ text: doc.text, root })) {
    out.push(doc.text.slice(at, start), h("span", { class: `t-${kind}` }, doc.text.slice(start, end)));
    at = end;
  }
  pre.replaceChildren(...out, doc.text.slice(at, root.end));
}
