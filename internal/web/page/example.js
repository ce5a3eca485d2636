// Makes examples of a schema. They are proposals: whether one is valid is for the server to
// say, so what a keyword asks for is met where that is simple and left to the verdict else.
import { number } from "./example_number.js";
import { string } from "./example_string.js";

const MAX_STEPS = 50_000; // of one proposal, so that no schema can hang the page
const MAX_DEPTH = 12;
const MAX_ELEMENTS = 1000;

// What distinguishes the proposals: how deep optional members are put in, whether the
// author's own examples and defaults, which may be wrong, are used, and at which branch of
// the root to begin.
const PROPOSALS = [
  { optional: 4, written: true, branch: 0 },
  { optional: 1, written: true, branch: 0 },
  { optional: 0, written: false, branch: 0 },
  { optional: 1, written: false, branch: 1 },
  { optional: 1, written: false, branch: 2 },
];

// Unsatisfiable means that this way to build the value leads nowhere.
class Unsatisfiable extends Error {}

// examples proposes payloads, the fullest first, each as JSON text on one line.
export function* examples(schema) {
  const tried = new Set();
  for (const options of PROPOSALS) {
    let text;
    try {
      text = new Builder(schema, options).value([schema.root], 0);
    } catch (error) {
      if (!(error instanceof Unsatisfiable)) throw error;
      continue;
    }
    if (!tried.has(text)) yield text;
    tried.add(text);
  }
}

class Builder {
  #steps = 0;
  #open = new Map(); // definition → how often it is being built right now

  constructor(schema, { optional, written, branch }) {
    this.schema = schema;
    this.optional = optional;
    this.written = written;
    this.branch = branch;
  }

  // value builds the text of a value that satisfies all the schemas given.
  value(nodes, depth, salt = 0) {
    const atRoot = this.#steps === 0;
    if (++this.#steps > MAX_STEPS || depth > MAX_DEPTH) throw new Unsatisfiable();
    const entered = [];
    try {
      let last = new Unsatisfiable();
      for (const layers of this.#ways(nodes, entered, atRoot ? this.branch : 0)) {
        try {
          return this.#build(layers, depth, salt);
        } catch (error) {
          if (!(error instanceof Unsatisfiable)) throw error;
          last = error;
        }
      }
      throw last;
    } finally {
      for (const node of entered) this.#open.set(node, this.#open.get(node) - 1);
    }
  }

  // #ways gives the lists of schemas that may apply together: references followed, a branch
  // chosen of each oneOf and anyOf. begin is which comes first.
  *#ways(nodes, entered, begin = 0) {
    let ways = [[]];
    const todo = [...nodes];
    const seen = new Set();
    while (todo.length > 0) {
      const node = todo.pop();
      if (node.kind === "false" || ++this.#steps > MAX_STEPS) throw new Unsatisfiable();
      if (!node.members || seen.has(node)) continue;
      seen.add(node);
      if (this.schema.reference(node) !== undefined) {
        const target = this.schema.target(node);
        if (!target) throw new Unsatisfiable(); // it leads out of the document
        const times = this.#open.get(target) ?? 0;
        if (times >= 2) throw new Unsatisfiable();
        this.#open.set(target, times + 1);
        entered.push(target);
        todo.push(target);
        if (this.schema.refAlone) continue;
      }
      ways.forEach((way) => way.push(node));
      todo.push(...this.schema.items(node, "allOf"));
      const choices = [];
      for (const keyword of ["oneOf", "anyOf"]) {
        const branches = this.schema.items(node, keyword).filter((branch) => branch.kind !== "false");
        if (this.schema.get(node, keyword)) choices.push(branches.map((branch) => [branch]));
      }
      const [condition, then, otherwise] = ["if", "then", "else"].map((keyword) => this.schema.get(node, keyword));
      if (condition) choices.push([[condition, ...(then ? [then] : [])], otherwise ? [otherwise] : []]);
      for (const alternatives of choices) {
        ways = ways.flatMap((way) => alternatives.map((alternative) => [...way, ...alternative])).slice(0, 64);
      }
    }
    const from = begin % (ways.length || 1);
    for (const way of [...ways.slice(from), ...ways.slice(0, from)]) {
      const rest = way.filter((node) => node.members && !seen.has(node));
      if (way.some((node) => node.kind === "false")) continue;
      if (rest.length === 0) {
        yield way.filter((node) => node.members);
        continue;
      }
      // A chosen branch may be a reference or a choice itself.
      const fixed = way.filter((node) => seen.has(node));
      try {
        for (const inner of this.#ways(rest, entered)) yield [...fixed, ...inner];
      } catch (error) {
        if (!(error instanceof Unsatisfiable)) throw error;
      }
    }
  }

  #build(layers, depth, salt) {
    const fixed = this.#fixed(layers, salt);
    if (fixed !== undefined) return fixed;
    const type = this.#type(layers);
    switch (type) {
      case "object":
        return this.#object(layers, depth);
      case "array":
        return this.#array(layers, depth);
      case "string": {
        const text = string(this.#limits(layers), salt);
        if (text === undefined) throw new Unsatisfiable();
        return JSON.stringify(text);
      }
      case "number":
      case "integer": {
        const text = number(this.#limits(layers), type === "integer", salt);
        if (text === undefined) throw new Unsatisfiable();
        return text;
      }
      case "boolean":
        return salt % 2 === 0 ? "true" : "false";
      default:
        return "null";
    }
  }

  // #fixed is a value that the schema's author wrote down, if there is one.
  #fixed(layers, salt) {
    const { schema } = this;
    const raw = (node) => squeeze(schema, node);
    let allowed;
    for (const layer of layers) {
      const constant = schema.get(layer, "const");
      const list = constant ? [constant] : schema.get(layer, "enum")?.items;
      if (!list) continue;
      const texts = list.map(raw);
      allowed = allowed ? allowed.filter((text) => texts.includes(text)) : texts;
    }
    if (allowed) {
      if (allowed.length === 0) throw new Unsatisfiable();
      return allowed[salt % allowed.length];
    }
    for (const layer of this.written ? layers : []) {
      const example = schema.items(layer, "examples")[salt] ?? (salt === 0 ? schema.get(layer, "default") : undefined);
      if (example) return raw(example);
    }
    return undefined;
  }

  #type(layers) {
    let types;
    for (const layer of layers) {
      const own = this.schema.types(layer);
      if (own.length === 0) continue;
      types = types ? types.filter((t) => own.includes(t) || (t === "integer" && own.includes("number"))) : own;
      if (types.length === 0 && own.includes("integer")) types = ["integer"];
    }
    if (types?.length === 0) throw new Unsatisfiable();
    const keywords = new Set(layers.flatMap((layer) => layer.members.map((member) => member.name)));
    const implied = IMPLIED.find(([, names]) => names.some((name) => keywords.has(name)))?.[0];
    return types?.find((t) => t !== "null") ?? types?.[0] ?? implied ?? "string";
  }

  // #limits gathers the keywords of strings and numbers: name → texts.
  #limits(layers) {
    const out = new Map();
    for (const layer of layers) {
      for (const { name, value } of layer.members) {
        if (!out.has(name)) out.set(name, []);
        out.get(name).push(value.kind === "string" ? this.schema.doc.string(value) : this.schema.doc.raw(value));
      }
    }
    return out;
  }

  // #count is the strictest value of a keyword that holds a count.
  #count(layers, keyword, pick, otherwise) {
    const found = layers.map((layer) => this.schema.get(layer, keyword)).filter((node) => node?.kind === "number");
    return found.reduce((so, node) => pick(so, Number(this.schema.doc.raw(node))), otherwise);
  }

  #object(layers, depth) {
    const { schema } = this;
    const required = new Set();
    const known = new Set();
    for (const layer of layers) {
      for (const { name } of schema.members(layer, "properties")) known.add(name);
      for (const each of schema.items(layer, "required")) required.add(schema.doc.string(each));
    }
    const most = this.#count(layers, "maxProperties", Math.min, Infinity);
    const least = this.#count(layers, "minProperties", Math.max, 0);
    const out = new Map();
    for (const name of new Set([...known, ...required])) {
      const must = required.has(name);
      if (!must && (depth >= this.optional || out.size + required.size >= most)) continue;
      try {
        out.set(name, this.value(this.#member(layers, name), depth + 1));
      } catch (error) {
        if (must || !(error instanceof Unsatisfiable)) throw error;
      }
    }
    this.#depend(layers, out, depth);
    for (let i = 1; out.size < least; i++) {
      if (i > MAX_ELEMENTS) throw new Unsatisfiable();
      const name = [...known].find((each) => !out.has(each)) ?? this.#otherName(layers, i);
      out.set(name, this.value(this.#member(layers, name), depth + 1));
    }
    return `{${[...out].map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(",")}}`;
  }

  // #depend adds the members that others need.
  #depend(layers, out, depth) {
    for (const layer of layers) {
      for (const keyword of ["dependentRequired", "dependencies"]) {
        for (const { name, value } of this.schema.members(layer, keyword)) {
          if (!out.has(name)) continue;
          for (const each of value.items ?? []) {
            const needed = this.schema.doc.string(each);
            if (!out.has(needed)) out.set(needed, this.value(this.#member(layers, needed), depth + 1));
          }
        }
      }
    }
  }

  // #member lists the schemas that apply to the member of this name.
  #member(layers, name) {
    const { schema } = this;
    const out = [];
    for (const layer of layers) {
      const before = out.length;
      const own = schema.members(layer, "properties").find((each) => each.name === name);
      if (own) out.push(own.value);
      for (const each of schema.members(layer, "patternProperties")) {
        if (matches(each.name, name)) out.push(each.value);
      }
      const rest = schema.get(layer, "additionalProperties");
      if (out.length === before && rest) out.push(rest);
    }
    return out;
  }

  // #otherName is a name that no properties keyword knows.
  #otherName(layers, i) {
    for (const layer of layers) {
      for (const { name: pattern } of this.schema.members(layer, "patternProperties")) {
        const name = string(new Map([["pattern", [pattern]]]), i);
        if (name !== undefined) return name;
      }
      const names = this.schema.get(layer, "propertyNames");
      if (names) return JSON.parse(this.value([names], MAX_DEPTH - 1, i));
    }
    return `name${i}`;
  }

  #array(layers, depth) {
    const { schema } = this;
    const most = Math.min(this.#count(layers, "maxItems", Math.min, Infinity), MAX_ELEMENTS);
    const least = this.#count(layers, "minItems", Math.max, 0);
    const contains = layers.map((layer) => schema.get(layer, "contains")).filter(Boolean);
    const holding = contains.length > 0 ? this.#count(layers, "minContains", Math.max, layers.some((layer) => schema.get(layer, "minContains")) ? 0 : 1) : 0;
    const distinct = layers.some((layer) => schema.get(layer, "uniqueItems")?.kind === "true");
    const tuple = Math.max(0, ...layers.map((layer) => this.#tuple(layer).length));
    const wanted = Math.max(least, holding, depth < this.optional ? Math.max(1, tuple) : 0);
    if (least > MAX_ELEMENTS) throw new Unsatisfiable();
    const out = [];
    for (let i = 0; i < Math.min(wanted, most); i++) {
      const nodes = layers.map((layer) => this.#tuple(layer)[i] ?? this.#rest(layer)).filter(Boolean);
      if (i >= wanted - holding) nodes.push(...contains);
      try {
        let text = this.value(nodes, depth + 1);
        for (let salt = 1; distinct && out.includes(text) && salt < MAX_ELEMENTS; salt++) text = this.value(nodes, depth + 1, salt);
        out.push(text);
      } catch (error) {
        if (!(error instanceof Unsatisfiable) || i < least || holding > 0) throw error;
        break;
      }
    }
    return `[${out.join(",")}]`;
  }

  #tuple(layer) {
    const items = this.schema.items(layer, "items");
    return items.length > 0 ? items : this.schema.items(layer, "prefixItems");
  }

  #rest(layer) {
    const items = this.schema.get(layer, "items");
    return items?.items ? this.schema.get(layer, "additionalItems") : items;
  }
}

// IMPLIED says what a schema without a type speaks about.
const IMPLIED = [
  ["object", ["properties", "required", "additionalProperties", "patternProperties", "minProperties", "propertyNames"]],
  ["array", ["items", "prefixItems", "minItems", "contains", "uniqueItems"]],
  ["string", ["pattern", "format", "minLength", "maxLength"]],
  ["number", ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]],
];

// squeeze is the text of a node without white space between its tokens.
function squeeze(schema, node) {
  if (node.members) return `{${node.members.map(({ name, value }) => `${JSON.stringify(name)}:${squeeze(schema, value)}`).join(",")}}`;
  if (node.items) return `[${node.items.map((each) => squeeze(schema, each)).join(",")}]`;
  return schema.doc.raw(node);
}

function matches(pattern, text) {
  try {
    return new RegExp(pattern, "u").test(text);
  } catch {
    return false;
  }
}
