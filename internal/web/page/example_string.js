// Strings that meet a format, a pattern and limits of length.

const FORMATS = new Map(
  Object.entries({
    "date-time": "2026-01-31T09:30:00Z",
    date: "2026-01-31",
    time: "09:30:00Z",
    duration: "PT1H30M",
    email: "ada@example.com",
    "idn-email": "ada@example.com",
    hostname: "host.example.com",
    "idn-hostname": "host.example.com",
    ipv4: "192.0.2.1",
    ipv6: "2001:db8::1",
    uri: "https://example.com/",
    "uri-reference": "/path",
    iri: "https://example.com/",
    "iri-reference": "/path",
    "uri-template": "https://example.com/{id}",
    uuid: "3f0a6d52-8c1e-4b8a-9d57-0e6c2f4b7a10",
    "json-pointer": "/a/b",
    "relative-json-pointer": "0",
    regex: "^[a-z]+$",
    color: "#336699",
    phone: "+1 555 0100",
  }),
);

// How strings of the formats that have room differ when several are needed.
const VARY = {
  email: (text, n) => text.replace("ada", `ada${n}`),
  "idn-email": (text, n) => text.replace("ada", `ada${n}`),
  hostname: (text, n) => `${n}${text}`,
  uri: (text, n) => text + n,
  iri: (text, n) => text + n,
  "uri-reference": (text, n) => text + n,
  "iri-reference": (text, n) => text + n,
  uuid: (text, n) => text.slice(0, -4) + String(1000 + n).padStart(4, "0"),
  date: (text, n) => `${2026 + n}${text.slice(4)}`,
  "date-time": (text, n) => `${2026 + n}${text.slice(4)}`,
  ipv4: (text, n) => `192.0.2.${1 + n}`,
};

// string proposes a string. limits holds keyword → texts. Strings of different salt differ
// where that is simple. Result undefined if no proposal meets every pattern.
export function string(limits, salt) {
  const least = Math.max(0, ...(limits.get("minLength") ?? []).map(Number));
  const most = Math.min(Infinity, ...(limits.get("maxLength") ?? []).map(Number));
  const patterns = limits.get("pattern") ?? [];
  const format = limits.get("format")?.[0];
  const proposals = [];
  const known = FORMATS.get(format);
  if (known) proposals.push(salt > 0 && VARY[format] ? VARY[format](known, salt) : known);
  for (const pattern of patterns) {
    for (const more of [0, 1, Math.min(least, 200)]) proposals.push(fromPattern(pattern, more + salt, salt));
  }
  const suffix = salt > 0 ? String(salt) : "";
  for (const word of ["text", "abc", "a", "A", "0", "1.0.0", ""]) proposals.push(word + suffix);
  const fits = proposals
    .filter((text) => text !== undefined)
    .map((text) => (patterns.length === 0 && !known ? stretch(text, least, most) : text));
  return fits.find((text) => [...text].length >= least && [...text].length <= most && patterns.every((pattern) => matches(pattern, text)));
}

function stretch(text, least, most) {
  const chars = [...text];
  if (chars.length > most) return chars.slice(0, most).join("");
  return least > chars.length && least <= 100_000 ? text + "x".repeat(least - chars.length) : text;
}

function matches(pattern, text) {
  try {
    return new RegExp(pattern, "u").test(text);
  } catch {
    return false;
  }
}

// fromPattern walks an ECMA-262 pattern and writes a string that it matches: more is how
// many repetitions beyond the least an open quantifier takes, salt chooses among branches
// and characters. What it does not know, look-around say, it passes over; the caller
// checks the outcome.
function fromPattern(pattern, more, salt) {
  const chars = [...pattern];
  let at = 0;
  let groups = 0;
  const captured = new Map();

  function alternatives() {
    const out = [sequence()];
    while (chars[at] === "|") {
      at++;
      out.push(sequence());
    }
    return out[salt % out.length];
  }

  function sequence() {
    let out = "";
    while (at < chars.length && chars[at] !== "|" && chars[at] !== ")") {
      const begin = at;
      const once = atom();
      const end = at;
      const times = quantifier(more);
      if (times === undefined) {
        out += once;
        continue;
      }
      const after = at;
      for (let i = 0; i < Math.min(times, 1000); i++) {
        at = begin;
        out += atom();
        at = end;
      }
      at = after;
    }
    return out;
  }

  function quantifier(extra) {
    let least;
    let most;
    const counts = /^\{(\d+)(,(\d*))?\}/.exec(chars.slice(at, at + 24).join(""));
    if (chars[at] === "*") [least, most, at] = [0, Infinity, at + 1];
    else if (chars[at] === "+") [least, most, at] = [1, Infinity, at + 1];
    else if (chars[at] === "?") [least, most, at] = [0, 1, at + 1];
    else if (counts) {
      least = Number(counts[1]);
      most = counts[2] === undefined ? least : counts[3] === "" ? Infinity : Number(counts[3]);
      at += counts[0].length;
    } else return undefined;
    if (chars[at] === "?") at++;
    return Math.min(least + extra, most);
  }

  function atom() {
    const c = chars[at++];
    if (c === "^" || c === "$") return "";
    if (c === ".") return "a";
    if (c === "[") return set();
    if (c === "(") return group();
    if (c === "\\") return pick(escape());
    return c;
  }

  function group() {
    const look = /^\?(?:<?[=!])/.exec(chars.slice(at, at + 3).join(""));
    const named = /^\?<([^>=!]+)>/.exec(chars.slice(at, at + 80).join(""));
    const plain = chars[at] === "?" && chars[at + 1] === ":";
    at += look ? [...look[0]].length : named ? [...named[0]].length : plain ? 2 : 0;
    const number = look || plain ? undefined : ++groups;
    const text = alternatives();
    at++; // the closing parenthesis
    if (number !== undefined) captured.set(String(number), text);
    if (named) captured.set(named[1], text);
    return look ? "" : text;
  }

  // escape gives the ranges of characters that an escape means, or a text.
  function escape() {
    const c = chars[at++];
    const simple = { d: "0", D: "a", w: "a", W: "-", s: " ", S: "a", n: "\n", t: "\t", r: "\r", f: "\f", v: "\v", b: "", B: "" };
    if (c === "d") return [["0", "9"]];
    if (c === "w") return [["a", "z"]];
    if (Object.hasOwn(simple, c)) return simple[c];
    const rest = chars.slice(at, at + 40).join("");
    const unicode = c === "u" && (/^\{([0-9a-fA-F]+)\}/.exec(rest) ?? /^([0-9a-fA-F]{4})/.exec(rest));
    const hex = c === "x" && /^([0-9a-fA-F]{2})/.exec(rest);
    const code = unicode || hex;
    if (code) {
      at += code[0].length;
      return String.fromCodePoint(Number.parseInt(code[1], 16));
    }
    const property = (c === "p" || c === "P") && /^\{([^}]*)\}/.exec(rest);
    if (property) {
      at += property[0].length;
      return PROPERTIES.find((sample) => matches(`^\\${c}{${property[1]}}$`, sample)) ?? "a";
    }
    if (c === "k") {
      const name = /^<([^>]+)>/.exec(rest);
      at += name ? name[0].length : 0;
      return captured.get(name?.[1]) ?? "";
    }
    if (/[1-9]/.test(c)) return captured.get(c) ?? "";
    return c ?? "";
  }

  const pick = (what) => (typeof what === "string" ? what : nth(what, salt));

  function set() {
    const negated = chars[at] === "^";
    if (negated) at++;
    const ranges = [];
    while (at < chars.length && chars[at] !== "]") {
      const from = chars[at] === "\\" ? (at++, escape()) : chars[at++];
      if (typeof from !== "string") {
        ranges.push(...from);
      } else if (chars[at] === "-" && chars[at + 1] !== "]") {
        at++;
        const to = chars[at] === "\\" ? (at++, escape()) : chars[at++];
        ranges.push([from, String(to)]);
      } else {
        ranges.push([from, from]);
      }
    }
    at++;
    if (!negated) return ranges.length > 0 ? nth(ranges, salt) : "";
    const inside = (c) => ranges.some(([from, to]) => c >= from && c <= to);
    return [..."a0A- _.é"].find((c) => !inside(c)) ?? "";
  }

  return alternatives();
}

const PROPERTIES = ["a", "A", "1", " ", "-", "_", "é", "α", "я", "中", "€", "+", "あ", "😀"];

// nth is a character of the ranges, another one for another n.
function nth(ranges, n) {
  const [from, to] = ranges[n % ranges.length];
  const [low, high] = [from.codePointAt(0) ?? 97, to.codePointAt(0) ?? 97];
  return String.fromCodePoint(low + (Math.floor(n / ranges.length) % (high - low + 1)));
}
