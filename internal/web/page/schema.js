// What a JSON Schema says, in words for a table. Works on the nodes of json.js, so limits
// are shown as their author wrote them.

const MAPS = ["properties", "patternProperties", "dependentSchemas", "dependencies", "$defs", "definitions"];
const LISTS = ["prefixItems", "items", "allOf", "anyOf", "oneOf"];
const ONES = ["additionalProperties", "unevaluatedProperties", "propertyNames", "items", "additionalItems", "unevaluatedItems", "contains", "not", "if", "then", "else", "contentSchema"];

const BASE = "https://schema.invalid/";

// Schema is one schema document with its references resolved.
export class Schema {
  #at = new Map(); // node of a subschema → { location, resource }
  #names = new Map(); // absolute URI, with or without anchor → node

  constructor(doc, root) {
    this.doc = doc;
    this.root = root;
    const dialect = doc.string(doc.get(root, "$schema")) ?? "";
    // Up to draft 7 nothing beside $ref counts.
    this.refAlone = /draft-0[3-7]/.test(dialect);
    this.#index(root, "#", { node: root, base: BASE, location: "#" });
  }

  // get is the value of a keyword.
  get(node, keyword) {
    return this.doc.get(node, keyword);
  }

  members(node, keyword) {
    return this.get(node, keyword)?.members ?? [];
  }

  items(node, keyword) {
    return this.get(node, keyword)?.items ?? [];
  }

  text(node, keyword) {
    return this.doc.string(this.get(node, keyword));
  }

  // location is the pointer of a subschema, with # before it.
  location(node) {
    return this.#at.get(node)?.location ?? "#";
  }

  // children are the direct subschemas of a schema, by what they are for.
  children(node) {
    const out = [];
    if (!node?.members) return out;
    for (const { name: keyword, value } of node.members) {
      const at = (step) => `/${keyword}/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`;
      if (value.members && MAPS.includes(keyword)) {
        for (const { name, value: each } of value.members) if (isSchema(each)) out.push({ keyword, name, node: each, path: at(name) });
      } else if (value.items && LISTS.includes(keyword)) {
        value.items.forEach((each, i) => out.push({ keyword, name: i, node: each, path: at(i) }));
      } else if (isSchema(value) && ONES.includes(keyword)) {
        out.push({ keyword, node: value, path: `/${keyword}` });
      }
    }
    return out;
  }

  #index(node, location, resource) {
    if (this.#at.has(node)) return;
    const id = this.text(node, "$id") ?? this.text(node, "id");
    if (id !== undefined && !(this.refAlone && this.get(node, "$ref"))) {
      const uri = resolve(id, resource.base);
      if (uri && !id.startsWith("#")) {
        resource = { node, base: uri, location };
        this.#names.set(strip(uri), node);
      } else if (uri) {
        this.#names.set(uri, node);
      }
    }
    for (const keyword of ["$anchor", "$dynamicAnchor"]) {
      const anchor = this.text(node, keyword);
      if (anchor !== undefined) this.#names.set(`${strip(resource.base)}#${anchor}`, node);
    }
    this.#at.set(node, { location, resource });
    for (const child of this.children(node)) this.#index(child.node, location + child.path, resource);
  }

  // reference is the text of a schema's $ref, or $dynamicRef, if it has one.
  reference(node) {
    return this.text(node, "$ref") ?? this.text(node, "$dynamicRef") ?? this.text(node, "$recursiveRef");
  }

  // target is the subschema that a schema's reference leads to; undefined if it has none or
  // if it leads out of this document.
  target(node) {
    const ref = this.reference(node);
    if (ref === undefined) return undefined;
    const { resource } = this.#at.get(node) ?? { resource: { node: this.root, base: BASE, location: "#" } };
    const uri = resolve(ref, resource.base);
    if (!uri) return undefined;
    const [, fragment = ""] = ref.split("#");
    const home = strip(uri) === strip(resource.base) ? resource.node : this.#names.get(strip(uri));
    if (!home || fragment === "") return home;
    if (!fragment.startsWith("/")) return this.#names.get(`${strip(uri)}#${fragment}`);
    let found = home;
    for (const step of decode(fragment).split("/").slice(1)) found = this.doc.get(found, step.replaceAll("~1", "/").replaceAll("~0", "~"));
    const at = this.#at.get(home);
    if (found) this.#index(found, at.location + decode(fragment), at.resource);
    return found;
  }

  // name is what a definition is called: the last step of its location, or its title.
  name(node) {
    const location = this.location(node);
    if (location === "#") return this.text(node, "title") ?? "the whole";
    return decode(location.slice(location.lastIndexOf("/") + 1)).replaceAll("~1", "/").replaceAll("~0", "~");
  }

  // definitions are the targets of all references, in the order in which a reader meets them.
  definitions() {
    const found = new Set();
    const seen = new Set();
    const queue = [this.root];
    while (queue.length > 0) {
      const node = queue.shift();
      if (seen.has(node)) continue;
      seen.add(node);
      const target = this.target(node);
      if (target && target !== this.root) found.add(target);
      if (target) queue.push(target);
      for (const child of this.children(node)) if (child.keyword !== "$defs" && child.keyword !== "definitions") queue.push(child.node);
    }
    return [...found];
  }

  // complete says whether every reference leads to a place in this document.
  complete() {
    return [...this.#at.keys()].every((node) => this.reference(node) === undefined || this.target(node) !== undefined);
  }

  // type says which values a schema takes: a list of strings and of { node, name }, a link
  // to a definition, or { outside }, a reference that leaves the document.
  type(node) {
    if (node.kind === "true") return ["anything"];
    if (node.kind === "false") return ["nothing"];
    const ref = this.reference(node);
    if (ref !== undefined) {
      const target = this.target(node);
      return [target ? { node: target, name: this.name(target) } : { outside: ref }];
    }
    const types = this.types(node);
    const items = this.get(node, "items");
    if (types.length === 1 && types[0] === "array" && items && isSchema(items) && items.kind !== "true" && items.kind !== "false") {
      return ["array of ", ...this.type(items)];
    }
    if (types.length > 0) return [types.join(" or ")];
    for (const [keyword, words] of [["oneOf", "one of "], ["anyOf", "any of "], ["allOf", "all of "]]) {
      const branches = this.items(node, keyword);
      if (branches.length > 0) return [words, ...branches.flatMap((branch, i) => [...(i > 0 ? [", "] : []), ...this.type(branch)])];
    }
    return [this.get(node, "const") ? "constant" : this.get(node, "enum") ? "value" : "anything"];
  }

  // types are the names of the types that a schema allows, those it only implies included.
  types(node) {
    const type = this.get(node, "type");
    if (type?.kind === "string") return [this.doc.string(type)];
    if (type?.items) return type.items.map((each) => this.doc.string(each)).filter((name) => name !== undefined);
    if (this.get(node, "properties")) return ["object"];
    if (this.get(node, "prefixItems") || this.get(node, "items")) return ["array"];
    return [];
  }

  // rows are the subschemas that deserve a row below a schema's own: { label, kind, required,
  // node }. kind is member, pattern or rule.
  rows(node) {
    if (!node.members || (this.refAlone && this.get(node, "$ref"))) return [];
    const required = new Set(this.items(node, "required").map((each) => this.doc.string(each)));
    const out = [];
    for (const { keyword, name, node: each } of this.children(node)) {
      const label = ROWS[keyword]?.(name);
      if (label === undefined || each.kind === "false" || (each.kind === "true" && keyword !== "properties")) continue;
      // The type of the array says it all about elements without limits of their own, the
      // type of a union about branches that are references.
      const plain = this.reference(each) !== undefined || (this.facts(each).length === 0 && this.rows(each).length === 0 && !this.text(each, "description"));
      if (plain && (keyword === "items" || UNIONS.has(keyword)) && this.saidByType(node, keyword)) continue;
      out.push({ label, kind: keyword === "properties" ? "member" : keyword === "patternProperties" ? "pattern" : "rule", required: keyword === "properties" ? required.has(name) : undefined, node: each });
      if (keyword === "properties") required.delete(name);
    }
    const missing = [...required].map((label) => ({ label, kind: "member", required: true, node: undefined }));
    return [...out, ...missing];
  }

  saidByType(node, keyword) {
    return keyword === "items" ? this.types(node).length === 1 : this.types(node).length === 0;
  }

  // facts are the limits of a schema: { words, values? }, values being exact JSON text.
  facts(node) {
    const out = [];
    for (const { name, value } of node.members ?? []) {
      const raw = this.doc.raw(value);
      const fact = Object.hasOwn(FACTS, name) ? FACTS[name](raw, value, this, node) : undefined;
      if (typeof fact === "string") out.push({ words: fact });
      else if (fact) out.push(fact);
    }
    return out;
  }
}

const UNIONS = new Set(["oneOf", "anyOf", "allOf"]);

// ROWS words the label of a subschema's row.
const ROWS = {
  properties: (name) => name,
  patternProperties: (name) => name,
  additionalProperties: () => "every other member",
  unevaluatedProperties: () => "every other member",
  propertyNames: () => "each name",
  prefixItems: (i) => `element ${i}`,
  items: (i) => (i === undefined ? "each element" : `element ${i}`),
  additionalItems: () => "every other element",
  unevaluatedItems: () => "every other element",
  contains: () => "some element",
  oneOf: (i) => `one of: option ${i + 1}`,
  anyOf: (i) => `any of: option ${i + 1}`,
  allOf: (i) => `all of: part ${i + 1}`,
  not: () => "but not",
  if: () => "if",
  then: () => "then",
  else: () => "else",
  dependentSchemas: (name) => `if ${name} is there`,
  dependencies: (name) => `if ${name} is there`,
};

const counted = (raw, one, many) => `${raw} ${raw === "1" ? one : many}`;
const said = (words) => (raw, value) => (value.kind === "true" ? words : undefined);
const values = (words) => (raw, value, schema) => ({ words, values: value.items ? value.items.map((each) => schema.doc.raw(each)) : [raw] });
const needs = (name, list) => `${name} needs ${list.join(", ")}`;

// FACTS words a keyword's value.
const FACTS = {
  const: (raw) => ({ words: "always", values: [raw] }),
  enum: values("one of"),
  minimum: (raw, value, schema, node) => (schema.get(node, "exclusiveMinimum")?.kind === "true" ? `> ${raw}` : `≥ ${raw}`),
  maximum: (raw, value, schema, node) => (schema.get(node, "exclusiveMaximum")?.kind === "true" ? `< ${raw}` : `≤ ${raw}`),
  exclusiveMinimum: (raw, value) => (value.kind === "number" ? `> ${raw}` : undefined),
  exclusiveMaximum: (raw, value) => (value.kind === "number" ? `< ${raw}` : undefined),
  multipleOf: (raw) => `multiple of ${raw}`,
  minLength: (raw) => `at least ${counted(raw, "character", "characters")}`,
  maxLength: (raw) => `at most ${counted(raw, "character", "characters")}`,
  pattern: (raw, value, schema) => ({ words: "matches", values: [schema.doc.string(value) ?? raw] }),
  format: (raw, value, schema) => `format ${schema.doc.string(value) ?? raw}`,
  minItems: (raw) => `at least ${counted(raw, "element", "elements")}`,
  maxItems: (raw) => `at most ${counted(raw, "element", "elements")}`,
  uniqueItems: said("no two elements equal"),
  minContains: (raw) => `contains at least ${raw}`,
  maxContains: (raw) => `contains at most ${raw}`,
  minProperties: (raw) => `at least ${counted(raw, "member", "members")}`,
  maxProperties: (raw) => `at most ${counted(raw, "member", "members")}`,
  additionalProperties: (raw, value) => (value.kind === "false" ? "no other members" : undefined),
  unevaluatedProperties: (raw, value) => (value.kind === "false" ? "no other members" : undefined),
  additionalItems: (raw, value) => (value.kind === "false" ? "no other elements" : undefined),
  unevaluatedItems: (raw, value) => (value.kind === "false" ? "no other elements" : undefined),
  dependentRequired: (raw, value, schema) => dependent(value, schema),
  dependencies: (raw, value, schema) => dependent(value, schema),
  contentMediaType: (raw, value, schema) => `content ${schema.doc.string(value) ?? raw}`,
  contentEncoding: (raw, value, schema) => `encoded as ${schema.doc.string(value) ?? raw}`,
  default: (raw) => ({ words: "default", values: [raw] }),
  examples: values("such as"),
  deprecated: said("deprecated"),
  readOnly: said("read only"),
  writeOnly: said("write only"),
};

function dependent(value, schema) {
  const parts = (value.members ?? [])
    .filter((member) => member.value.items)
    .map((member) => needs(member.name, member.value.items.map((each) => schema.doc.string(each))));
  return parts.length > 0 ? parts.join("; ") : undefined;
}

const isSchema = (node) => node.members !== undefined || node.kind === "true" || node.kind === "false";

const strip = (uri) => uri.split("#")[0];

function resolve(ref, base) {
  try {
    return new URL(ref, base).href;
  } catch {
    return undefined;
  }
}

function decode(fragment) {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
