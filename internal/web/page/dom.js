// Small helpers for the document. Text only ever becomes text nodes: nothing that a server
// sends is parsed as HTML.

export const $ = (id) => document.getElementById(id);

// h makes an element. Properties named on… are listeners, the others are attributes; those
// that are undefined or false are left out.
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== undefined));
  return element;
}

// breakable is a name that may be broken after its words, in parts for h.
export const breakable = (name) => name.split(/(?<=[_./-])/).flatMap((part, i) => (i > 0 ? [h("wbr"), part] : [part]));

// tabs makes a tablist work as the ARIA Authoring Practices ask: arrow keys move, the tab
// that has focus is shown. chosen is called with the id of the tab shown.
export function tabs(list, chosen = () => {}) {
  const shown = () => [...list.querySelectorAll('[role="tab"]')].filter((tab) => !tab.hidden);
  const choose = (tab) => {
    for (const each of list.querySelectorAll('[role="tab"]')) {
      const selected = each === tab;
      each.setAttribute("aria-selected", selected);
      each.tabIndex = selected ? 0 : -1;
      $(each.getAttribute("aria-controls")).hidden = !selected;
    }
    chosen(tab.id);
  };
  list.addEventListener("click", (event) => {
    const tab = event.target.closest('[role="tab"]');
    if (tab) choose(tab);
  });
  list.addEventListener("keydown", (event) => {
    const all = shown();
    const at = all.indexOf(document.activeElement);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    const tab = all[(to + all.length) % all.length];
    choose(tab);
    tab.focus();
  });
  return choose;
}

let forget;

// say tells a screen reader something that eyes see elsewhere.
export function say(words) {
  $("said").textContent = words;
  clearTimeout(forget);
  forget = setTimeout(() => ($("said").textContent = ""), 4000);
}

// copy puts text on the clipboard and says so on the button.
export async function copy(button, text) {
  let done = true;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    done = copyTheOldWay(text); // without TLS, away from localhost, there is no clipboard
  }
  button.focus();
  say(done ? "Copied." : "The browser did not let the page copy.");
  const label = (button.dataset.label ??= button.textContent);
  button.textContent = done ? "Copied" : "Not copied";
  clearTimeout(button.restore);
  button.restore = setTimeout(() => (button.textContent = label), 1500);
}

function copyTheOldWay(text) {
  const area = h("textarea", { class: "unseen", "aria-hidden": "true" });
  area.value = text;
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  return done;
}

// size words a number of bytes.
export const size = (bytes) => `${bytes.toLocaleString("en")} ${bytes === 1 ? "byte" : "bytes"}`;
