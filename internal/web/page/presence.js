// Tells whether the server is there. A request that gets no answer says so at once; while
// nothing is asked, a look at /healthz now and then does, and only while somebody sees the
// page. It needs no token and is answered without a session.

const EVERY = 5000; // ms between looks while the server is there
const SOON = 1000; // ms between looks while it is gone, doubled up to EVERY

export class Presence {
  #url;
  #changed;
  #there;
  #timer;
  #soon = SOON; // ms until the next look while it is gone
  #look = 0; // counts looks, so that a late answer is dropped

  // url is looked at; changed is called with whether the server is there, each time that
  // changes after the first set.
  constructor(url, changed) {
    this.#url = url;
    this.#changed = changed;
    document.addEventListener("visibilitychange", () => this.#plan(0));
    window.addEventListener("online", () => this.#plan(0));
    window.addEventListener("offline", () => this.#plan(0));
  }

  // set says what a request showed.
  set(there) {
    const before = this.#there;
    this.#there = there;
    this.#look++; // what is on its way is older than this
    this.#again();
    if (before !== undefined && before !== there) this.#changed(there);
  }

  // #again sets the next look after one. What comes and goes is looked at less and less
  // until it has stayed.
  #again() {
    this.#plan(this.#there ? EVERY : this.#soon);
    if (!this.#there) this.#soon = Math.min(2 * this.#soon, EVERY);
  }

  // #plan sets the next look, none while nobody sees the page or nothing is known yet.
  #plan(wait) {
    clearTimeout(this.#timer);
    if (document.hidden || this.#there === undefined) return;
    this.#timer = setTimeout(() => this.#lookNow(), wait);
  }

  async #lookNow() {
    const look = ++this.#look;
    const there = await fetch(this.#url, { cache: "no-store", credentials: "same-origin", signal: AbortSignal.timeout(EVERY) }).then(
      // A proxy says 502 to 504 for a server that is gone. Whatever else answers is there,
      // also where a proxy doesn't pass this path on.
      ({ status }) => status < 502 || status > 504,
      () => false,
    );
    if (look !== this.#look) return;
    if (there !== this.#there) {
      this.set(there);
      return;
    }
    if (there) this.#soon = SOON;
    this.#again();
  }
}
