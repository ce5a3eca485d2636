// The payload's editor: a plain textarea, so that every habit and every assistive device
// works, over a layer that paints line numbers and marks. Only the lines in view are
// painted. A textarea takes seconds to lay out a text of megabytes, so of a long text it
// holds one part; the rest stays before and after it, and counts with it.
import { $, h, say } from "./dom.js";
import { Lines } from "./lines.js";

const LONGEST = 400; // of a line for which a mark is drawn beneath its very characters

const TYPED = 300; // lines that are quick to put in as if typed

const LONG = 400_000; // characters, from which on the textarea holds a part only
const PART = 100_000; // characters of a part

const PAUSE = 400; // ms without a change after which a long text is looked at

export class Editor {
  #marks = new Map(); // line → { start, end, words }
  #lines = new Lines();
  #head = ""; // what stands before the part in the textarea
  #tail = ""; // and after it
  #whole = ""; // all of it
  #replaces = false; // whether the change that begins replaces all
  #changed;
  #pause;
  #frame;

  // changed is called after every change that a person made, for a long text when no other
  // follows within PAUSE.
  constructor(root, changed) {
    this.area = root.querySelector("textarea");
    this.paint = root.querySelector(".paint");
    this.#changed = changed;
    this.area.addEventListener("beforeinput", () => (this.#replaces = this.#allSelected()));
    this.area.addEventListener("input", (event) => this.#input(event));
    this.area.addEventListener("paste", (event) => this.#paste(event));
    for (const type of ["copy", "cut"]) this.area.addEventListener(type, (event) => this.#takeAll(event));
    this.area.addEventListener("scroll", () => this.#repaint());
    $("part-before").addEventListener("click", () => this.#turn(-1));
    $("part-after").addEventListener("click", () => this.#turn(1));
    new ResizeObserver(() => this.#repaint()).observe(this.area);
    this.#index();
  }

  get text() {
    return this.#whole;
  }

  // set replaces the text. A browser keeps what a person can undo only for changes made as
  // if typed, so a text that a person has at hand is replaced that way, unless it has so
  // many lines that this would take seconds.
  set(text) {
    if (text.length <= LONG && !this.#inParts() && this.area.value !== "" && document.activeElement === this.area && text.split("\n", TYPED + 1).length <= TYPED) {
      this.area.select();
      document.execCommand("insertText", false, text);
    }
    this.#put(text, 0);
    this.area.setSelectionRange(0, 0);
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
    return this.#lines.at(offset);
  }

  // select goes to a range and selects it, up to the end of its first line.
  select(start, end) {
    const line = this.line(start);
    const till = Math.min(end, this.#lines.end(line));
    if (start < this.#head.length || Math.min(till, start + 1) > this.#end()) this.#put(this.#whole, start);
    this.area.focus({ preventScroll: true });
    this.area.setSelectionRange(this.#inArea(start), this.#inArea(Math.min(till, this.#end())));
    const { height } = this.#metrics();
    const y = (line - this.line(this.#head.length)) * height;
    if (y < this.area.scrollTop || y + 2 * height > this.area.scrollTop + this.area.clientHeight) {
      this.area.scrollTop = Math.max(0, y - this.area.clientHeight / 3);
    }
    this.area.scrollIntoView({ block: "nearest" });
    this.#repaint();
  }

  #inParts() {
    return this.#head !== "" || this.#tail !== "";
  }

  // #end is the offset at which the part ends.
  #end() {
    return this.#whole.length - this.#tail.length;
  }

  // #inArea is where an offset within the part is in the textarea, to which a CRLF, as a file
  // may have it, is one character.
  #inArea(offset) {
    const before = this.#whole.slice(this.#head.length, offset);
    return before.length - (before.split("\r\n").length - 1);
  }

  // #allSelected says whether all of the part is selected, which means all of the text.
  #allSelected() {
    const { selectionStart, selectionEnd, value } = this.area;
    return selectionStart === 0 && selectionEnd === value.length;
  }

  // #put sets the text, and for a long one the part around an offset.
  #put(text, offset) {
    this.#whole = text;
    let [from, to] = [0, text.length];
    if (text.length > LONG) {
      from = this.#cut(Math.max(0, offset - PART / 2));
      to = this.#cut(Math.min(text.length, from + PART));
    }
    [this.#head, this.#tail] = [text.slice(0, from), text.slice(to)];
    const part = text.slice(from, to);
    if (this.area.value !== part) this.area.value = part;
    this.area.scrollTo(0, 0);
    this.#index();
  }

  // #cut moves an offset to the beginning of its line if that is near, and never into the
  // middle of a character.
  #cut(offset) {
    if (offset === 0 || offset === this.#whole.length) return offset;
    const line = this.#whole.lastIndexOf("\n", offset - 1) + 1;
    if (offset - line < PART / 4) return line;
    return /[\udc00-\udfff]/.test(this.#whole[offset]) ? offset - 1 : offset;
  }

  // #turn shows the part before or after the one shown.
  #turn(step) {
    const from = this.#head.length;
    this.#put(this.#whole, step < 0 ? Math.max(0, from - PART / 2) : this.#end() + PART / 2);
    this.area.setSelectionRange(0, 0);
    say($("part").textContent);
  }

  #input(event) {
    // Whoever sets the value by program, an extension for example, means all of it.
    const all = this.#replaces || !event.isTrusted;
    this.#replaces = false;
    if (all) [this.#head, this.#tail] = ["", ""];
    this.#took(this.#head + this.area.value + this.#tail, this.#head.length + this.area.selectionEnd);
  }

  // #took takes a text that a person changed, with the caret at an offset.
  #took(text, caret) {
    this.#whole = text;
    if (text.length > LONG ? !this.#inParts() || this.area.value.length > 2 * PART : this.#inParts()) {
      this.#put(text, caret);
      const at = Math.min(caret - this.#head.length, this.area.value.length);
      this.area.setSelectionRange(at, at);
    } else {
      this.#index();
    }
    clearTimeout(this.#pause);
    if (text.length > LONG) this.#pause = setTimeout(this.#changed, PAUSE);
    else this.#changed();
  }

  // #paste keeps a long text from the textarea.
  #paste(event) {
    const pasted = event.clipboardData?.getData("text/plain").replaceAll("\r\n", "\n") ?? "";
    if (pasted.length <= LONG / 4) return;
    event.preventDefault();
    const { selectionStart, selectionEnd, value } = this.area;
    const all = this.#allSelected();
    const before = all ? "" : this.#head + value.slice(0, selectionStart);
    const after = all ? "" : value.slice(selectionEnd) + this.#tail;
    this.#put(before + pasted + after, before.length + pasted.length);
    this.#took(this.#whole, before.length + pasted.length);
  }

  // #takeAll copies or cuts all of a text of which only a part is in the textarea.
  #takeAll(event) {
    if (!this.#inParts() || !this.#allSelected()) return;
    event.preventDefault();
    event.clipboardData.setData("text/plain", this.#whole);
    if (event.type === "cut") {
      this.#put("", 0);
      this.#changed();
    }
  }

  #index() {
    this.#lines = this.#lines.of(this.#head, this.#whole.slice(this.#head.length, this.#end()), this.#tail);
    this.area.parentElement.dataset.digits = Math.min(8, Math.max(2, String(this.#lines.count).length));
    $("parts").hidden = !this.#inParts();
    if (this.#inParts()) {
      const [from, to] = [this.#head.length, this.#end()];
      const n = (number) => number.toLocaleString("en");
      $("part").textContent = `Lines ${n(this.line(from) + 1)}–${n(this.line(to) + 1)} of ${n(this.#lines.count)}: characters ${n(from + 1)}–${n(to)} of ${n(this.#whole.length)}. All of them are sent.`;
      $("part-before").disabled = this.#head === "";
      $("part-after").disabled = this.#tail === "";
    }
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
    const base = this.line(this.#head.length);
    const end = this.line(this.#end());
    const first = base + Math.max(0, Math.floor((scrollTop - top) / height));
    const last = Math.min(end, base + Math.ceil((scrollTop + clientHeight) / height));
    const out = [];
    for (let line = first; line <= last; line++) {
      const mark = this.#marks.get(line);
      const row = h("div", { class: mark ? "row fault" : "row", "data-line": line + 1 }, h("span", { class: "number" }, String(line + 1)));
      if (mark) row.append(this.#annotation(line, mark, scrollLeft));
      row.style.top = `${top + (line - base) * height - scrollTop}px`;
      out.push(row);
    }
    this.paint.replaceChildren(...out);
  }

  // #annotation draws a line beneath the marked characters and says beside the line's text
  // what is wrong. The text itself is there to take its room, unseen.
  #annotation(line, { start, end, words }, scrollLeft) {
    const from = Math.max(this.#lines.start(line), this.#head.length);
    const to = this.#lines.end(line);
    const text = this.#whole.slice(from, Math.min(to, from + LONGEST));
    const cut = (offset) => Math.min(Math.max(offset - from, 0), text.length);
    const [a, b] = [cut(start), Math.max(cut(Math.min(end, to)), cut(start + 1))];
    const annotation = h("span", { class: "annotation" }, text.slice(0, a), h("u", {}, text.slice(a, b)), text.slice(b), h("em", {}, words));
    annotation.style.transform = `translateX(${-scrollLeft}px)`;
    return h("span", { class: "clip" }, annotation);
  }
}
