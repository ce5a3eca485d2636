// Keeps the payloads of schemas that are not shown, and what a person wrote also while the
// page is reloaded: in the tab's own session storage, which ends with the tab.

const KEY = "echo-mcp-draft:";

export class Drafts {
  #drafts = new Map(); // schema id → { text, own }
  #storage = storage(); // undefined where the browser has none for this page

  // leaving is called when the page may be left, to set the draft of what is shown.
  constructor(leaving) {
    for (const key of this.#keys()) this.set(key.slice(KEY.length), this.#storage.getItem(key), true);
    // Where there is no room the browser asks whether to leave all the same.
    window.addEventListener("beforeunload", (event) => {
      leaving();
      if (!this.#save()) event.preventDefault();
    });
    // A phone may end a page in the background without telling it again.
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) return;
      leaving();
      this.#save();
    });
  }

  // get gives { text, own }, undefined where there is no draft.
  get(id) {
    return this.#drafts.get(id);
  }

  // set keeps a text. own says that a person wrote it; an example can be made again.
  set(id, text, own) {
    this.#drafts.set(id, { text, own });
  }

  #keys() {
    return Object.keys(this.#storage ?? {}).filter((key) => key.startsWith(KEY));
  }

  // #save gives whether all that a person wrote is stored, short texts first.
  #save() {
    for (const key of this.#keys()) this.#storage.removeItem(key);
    const own = [...this.#drafts].filter(([, draft]) => draft.own).sort(([, a], [, b]) => a.text.length - b.text.length);
    try {
      for (const [id, { text }] of own) this.#storage.setItem(KEY + id, text);
      return true;
    } catch {
      return false;
    }
  }
}

function storage() {
  try {
    return window.sessionStorage;
  } catch {
    return undefined;
  }
}
