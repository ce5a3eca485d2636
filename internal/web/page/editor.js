// The payload's editor: a plain textarea, so that every habit and every assistive device
// works, over a layer that paints line numbers and marks. Only the lines in view are
// painted, so a payload of megabytes costs no more than a small one.
import { h } from "./dom.js";

const LONGEST = 400; // of a line for which a mark is drawn beneath its very characters

const TYPED = 300; // lines that are quick to put in as if typed

export class Editor {
  #marks = new Map(); // line → { start, end, words }
  #lines = [0]; // offsets at which lines begin
  #frame;

  // changed is called after every change that a person made.
  constructor(root, changed) {
    this.area = root.querySelector("textarea");
    this.paint = root.querySelector(".paint");
    this.area.addEventListener("input", () => {
      this.#index();
      changed();
    });
    this.area.addEventListener("scroll", () => this.#repaint());
    new ResizeObserver(() => this.#repaint()).observe(this.area);
    this.#index();
  }

  get text() {
    return this.area.value;
  }

  // set replaces the text. A browser keeps what a person can undo only for changes made as
  // if typed, so a text that a person has at hand is replaced that way, unless it has so
  // many lines that this would take seconds.
  set(text) {
    if (this.area.value !== "" && document.activeElement === this.area && text.split("\n", TYPED + 1).length <= TYPED) {
      this.area.select();
      document.execCommand("insertText", false, text);
    }
    if (this.area.value !== text) this.area.value = text;
    this.area.setSelectionRange(0, 0);
    this.area.scrollTo(0, 0);
    this.#index();
  }

  // mark marks ranges of the text: a list of { start, end, words }.
  mark(list) {
    this.#marks.clear();
    for (const { start, end, words } of list) {
      const line = this.line(start);
      const other = this.#marks.get(line);
      if (other) other.words += `; ${words}`;
      else this.#marks.set(line, { start, end, words });
    }
    this.area.setAttribute("aria-invalid", list.length > 0);
    this.#repaint();
  }

  // line is the line, from 0, of an offset.
  line(offset) {
    let [low, high] = [0, this.#lines.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#lines[middle] <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  // select goes to a range and selects it, up to the end of its first line.
  select(start, end) {
    const line = this.line(start);
    this.area.focus({ preventScroll: true });
    this.area.setSelectionRange(start, Math.min(end, this.#lineEnd(line)));
    const { height } = this.#metrics();
    if (line * height < this.area.scrollTop || (line + 2) * height > this.area.scrollTop + this.area.clientHeight) {
      this.area.scrollTop = Math.max(0, line * height - this.area.clientHeight / 3);
    }
    this.area.scrollIntoView({ block: "nearest" });
    this.#repaint();
  }

  #lineEnd(line) {
    return line + 1 < this.#lines.length ? this.#lines[line + 1] - 1 : this.area.value.length;
  }

  #index() {
    const text = this.area.value;
    this.#lines = [0];
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) this.#lines.push(at + 1);
    this.area.parentElement.dataset.digits = Math.min(6, Math.max(2, String(this.#lines.length).length));
    this.#repaint();
  }

  #metrics() {
    const style = getComputedStyle(this.area);
    return { height: Number.parseFloat(style.lineHeight), top: Number.parseFloat(style.paddingTop) };
  }

  #repaint() {
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined;
      this.#paintNow();
    });
  }

  #paintNow() {
    const { height, top } = this.#metrics();
    const { scrollTop, scrollLeft, clientHeight } = this.area;
    const first = Math.max(0, Math.floor((scrollTop - top) / height));
    const last = Math.min(this.#lines.length - 1, Math.ceil((scrollTop + clientHeight) / height));
    const out = [];
    for (let line = first; line <= last; line++) {
      const mark = this.#marks.get(line);
      const row = h("div", { class: mark ? "row fault" : "row", "data-line": line + 1 }, h("span", { class: "number" }, String(line + 1)));
      if (mark) row.append(this.#annotation(line, mark, scrollLeft));
      row.style.top = `${top + line * height - scrollTop}px`;
      out.push(row);
    }
    this.paint.replaceChildren(...out);
  }

  // #annotation draws a line beneath the marked characters and says beside the line's text
  // what is wrong. The text itself is there to take its room, unseen.
  #annotation(line, { start, end, words }, scrollLeft) {
    const from = this.#lines[line];
    const to = this.#lineEnd(line);
    const text = this.area.value.slice(from, Math.min(to, from + LONGEST));
    const cut = (offset) => Math.min(Math.max(offset - from, 0), text.length);
    const [a, b] = [cut(start), Math.max(cut(Math.min(end, to)), cut(start + 1))];
    const annotation = h("span", { class: "annotation" }, text.slice(0, a), h("u", {}, text.slice(a, b)), text.slice(b), h("em", {}, words));
    annotation.style.transform = `translateX(${-scrollLeft}px)`;
    return h("span", { class: "clip" }, annotation);
  }
}
