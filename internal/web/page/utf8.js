// Texts as UTF-8, in which they are sent. Halves of surrogate pairs become U+FFFD.

const PIECE = 1 << 19; // characters that are encoded in one go

// encoding makes the bytes of a text: work that returns a Uint8Array.
export function* encoding(text) {
  const pieces = [];
  let length = 0;
  for (let at = 0, till; at < text.length; at = till) {
    till = at + PIECE;
    if (/[\ud800-\udbff]/.test(text[till - 1])) till++; // a pair stays one
    pieces.push(new TextEncoder().encode(text.slice(at, till)));
    length += pieces.at(-1).length;
    yield;
  }
  if (pieces.length === 1) return pieces[0];
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

// byteLength is how many bytes a short text has.
export const byteLength = (text) => new TextEncoder().encode(text).length;
