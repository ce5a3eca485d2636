// Guesses what a person meant where a text is not JSON, and says what to write instead.
// The reader says only what it expected; this looks at the characters around the place.

// The guesses, in order: what the rest of the text must look like, and what to say then.
const STARTS = [
  [/^\ufeff/, "a byte order mark (U+FEFF), which can't be seen, stands here: delete it"],
  [/^[\u00a0\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u2060\u3000]/, (found) => `an unusual space (${codePoint(found)}) stands here: write an ordinary one`],
  [/^[“”„‟«»]/, 'a typographic quote stands here: write a straight one (")'],
  [/^[‘’‚‛]/, 'a typographic quote stands here: write a straight double quote (")'],
  [/^'/, 'JSON strings need double quotes ("), not single ones'],
  [/^```/, "a Markdown fence stands here: put in only what is between the fences"],
  [/^`/, 'JSON strings need double quotes ("), not backticks'],
  [/^(?:\/\/|\/\*|#)/, "JSON has no comments: remove this one"],
  [/^True\b/, "this is Python's True: write true"],
  [/^False\b/, "this is Python's False: write false"],
  [/^None\b/, "this is Python's None: write null"],
  [/^(?:TRUE|FALSE|NULL|Null)\b/, (found) => `${found} must be in lower case: ${found.toLowerCase()}`],
  [/^[+-]?(?:NaN|Infinity|nan|inf)\b/, (found) => `JSON has no ${found}: write null or a number`],
  [/^undefined\b/, "JSON has no undefined: write null, or leave the member out"],
];
const NUMBERS = [
  [/^\+/, "a JSON number has no leading +"],
  [/^-?0[xX][0-9a-fA-F]/, "JSON has no hexadecimal numbers: write it in decimal"],
  [/^-?0[0-9]/, "a JSON number has no leading zeros"],
  [/^-?\.[0-9]/, "a JSON number needs a digit before the point, as in 0.5"],
  [/^-?[0-9]+\.(?![0-9])/, "a JSON number needs a digit after the point, as in 1.0"],
  [/^-?[0-9]+(?:\.[0-9]+)?[eE][+-]?(?![0-9])/, "the exponent has no digits"],
];

// guess gives words for a person. text is what was read, offset where the reader stopped,
// open the offset of the innermost bracket that is not closed there, undefined if none is.
// Result: { words, offset }, or undefined if there is nothing to add to what was expected.
// offset may be before the reader's: it is the character to change.
export function guess(text, offset, open) {
  const rest = text.slice(offset, offset + 40);
  const before = back(text, offset);
  const last = text[before];
  if (last === "," && /^[}\]]/.test(rest)) return { words: "a comma before the closing bracket: remove it", offset: before };
  if (rest === "") return atEnd(text, open);
  for (const [pattern, words] of STARTS) {
    const found = pattern.exec(rest)?.[0];
    if (found) return { words: typeof words === "string" ? words : words(found), offset };
  }
  if (open !== undefined) return inside(text, offset, open, rest, last, before);
  if (last === undefined && /^(?:---|- |[\p{L}_$][\p{L}\p{N}_$.-]*:(?:\s|$))/u.test(rest)) {
    return { words: 'this looks like YAML, and a payload is JSON: write {"name": value}', offset };
  }
  if (/^[0-9+.-]/.test(rest)) return number(rest, offset);
  if (last === undefined && rest[0] === "<") return { words: "this is XML or HTML, and a payload is JSON", offset };
  if (last === undefined) return /^[\p{L}_$]/u.test(rest) ? { words: 'text needs double quotes (")', offset } : undefined;
  if (/^[}\]]/.test(rest)) return { words: `this ${rest[0]} closes nothing: remove it`, offset };
  if (/^[{["0-9tfn-]/.test(rest)) return { words: "a second value begins here, and a payload is one: put them into an array, or send one at a time", offset };
  if (rest[0] === ",") return { words: "the value ends before this comma: remove it, or put the values into an array", offset };
  return undefined;
}

// inside guesses within an object or an array.
function inside(text, offset, open, rest, last, before) {
  const object = text[open] === "{";
  const wantsName = object && (last === "{" || last === ",");
  if (/^[}\]]/.test(rest) && (rest[0] === "}") !== object) {
    return { words: `this ${rest[0]} does not close the ${text[open]} opened on ${place(text, open)}: a ${object ? "}" : "]"} is missing`, offset };
  }
  if (rest[0] === "," && "{[,".includes(last)) return { words: "a comma with nothing before it: remove it", offset };
  if (wantsName) {
    if (/^[\p{L}\p{N}_$-]/u.test(rest)) return { words: 'member names need double quotes (")', offset };
    return undefined;
  }
  if (object && last === '"' && /^[=]/.test(rest)) return { words: "write : between a name and its value", offset };
  if (":[,".includes(last)) {
    if (/^[0-9+.-]/.test(rest)) return number(rest, offset);
    if (/^[\p{L}_$]/u.test(rest)) return { words: 'text needs double quotes (")', offset };
    if (/^[},]/.test(rest) && last === ":") return { words: "the value is missing after the colon", offset };
    return undefined;
  }
  if (rest[0] === ";") return { words: "write a comma, not a semicolon", offset };
  if (/^["{[0-9tfn-]/.test(rest)) return { words: "a comma is missing before this", offset };
  if (/^[\p{L}_$]/u.test(rest)) return { words: 'a comma is missing before this, or a quote in the text before it needs a backslash (\\")', offset };
  return undefined;
}

function number(rest, offset) {
  const found = NUMBERS.find(([pattern]) => pattern.test(rest));
  return found && { words: found[1], offset };
}

function atEnd(text, open) {
  if (open === undefined) return undefined;
  return { words: `the text ends here, and the ${text[open]} opened on ${place(text, open)} is not closed`, offset: text.length };
}

// back is the offset of the last character before another that is no white space.
function back(text, offset) {
  let at = offset - 1;
  while (at >= 0 && " \t\n\r".includes(text[at])) at--;
  return at;
}

const codePoint = (c) => `U+${c.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`;

// place words where an offset is: line and column count from 1, columns in characters.
export function place(text, offset) {
  const { line, column } = lineAndColumn(text, offset);
  return `line ${line}, column ${column}`;
}

// lineAndColumn counts both from 1; a column is a character, an emoji one.
export function lineAndColumn(text, offset) {
  let line = 1;
  let start = 0;
  for (let at = text.indexOf("\n"); at >= 0 && at < offset; at = text.indexOf("\n", at + 1)) {
    line++;
    start = at + 1;
  }
  let column = 1;
  for (let at = start; at < offset; column++) at += text.codePointAt(at) > 0xffff ? 2 : 1;
  return { line, column };
}
