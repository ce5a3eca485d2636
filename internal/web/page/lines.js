// Finds the lines of a text that comes in pieces. Line ends are counted by blocks, so that a
// text of millions of lines costs one pass and next to no memory, and a change in one piece
// only a pass over that piece.

const BLOCK = 1 << 14; // characters

class Piece {
  before = [0]; // for each block, how many lines end before it; then how many end at all

  constructor(text) {
    this.text = text;
    let ends = 0;
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) {
      while (this.before.length * BLOCK <= at) this.before.push(ends);
      ends++;
    }
    while (this.before.length * BLOCK < text.length) this.before.push(ends);
    this.before.push(ends);
  }

  get ends() {
    return this.before.at(-1);
  }

  at(offset) {
    const block = Math.floor(offset / BLOCK);
    let line = this.before[block] ?? this.ends;
    for (let at = block * BLOCK; at < offset; at++) if (this.text.charCodeAt(at) === 0x0a) line++;
    return line;
  }

  start(line) {
    if (line === 0) return 0;
    let [low, high] = [0, this.before.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.before[middle] < line) low = middle;
      else high = middle - 1;
    }
    let at = low * BLOCK;
    for (let left = line - this.before[low]; left > 0; left--) at = this.text.indexOf("\n", at) + 1;
    return at;
  }
}

export class Lines {
  #pieces;

  constructor(pieces = []) {
    this.#pieces = pieces;
  }

  // of gives the lines of a text, of which the pieces that are the same need no new look.
  of(...texts) {
    return new Lines(texts.map((text, i) => (this.#pieces[i]?.text === text ? this.#pieces[i] : new Piece(text))));
  }

  // count is how many lines there are. A text without a line end is one line.
  get count() {
    return this.#pieces.reduce((sum, { ends }) => sum + ends, 1);
  }

  // at is the line, from 0, that holds an offset.
  at(offset) {
    let line = 0;
    for (const piece of this.#pieces) {
      if (offset <= piece.text.length) return line + piece.at(offset);
      line += piece.ends;
      offset -= piece.text.length;
    }
    return line;
  }

  // start is the offset at which a line, from 0, begins.
  start(line) {
    let offset = 0;
    for (const piece of this.#pieces) {
      if (line <= piece.ends) return offset + piece.start(line);
      line -= piece.ends;
      offset += piece.text.length;
    }
    return offset;
  }

  // end is the offset at which a line ends: of its line end, or of the end of the text.
  end(line) {
    return this.start(line + 1) - (line + 1 < this.count ? 1 : 0);
  }
}
