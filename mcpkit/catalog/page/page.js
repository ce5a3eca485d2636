
"use strict";
// Finding: every word must stand somewhere in the item, in any case.
const find = document.querySelector("#find");
const found = document.querySelector("#found");
const items = [...document.querySelectorAll("article")].map((article) => ({
  article,
  link: document.querySelector(`nav a[data-item="${article.id}"]`),
  text: article.textContent.toLowerCase(),
}));
const groups = [...document.querySelectorAll("section")];

function look() {
  const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const { article, link, text } of items) {
    const fits = words.every((word) => text.includes(word));
    article.hidden = !fits;
    link.parentElement.hidden = !fits;
    if (fits) count++;
  }
  for (const group of groups) group.hidden = !group.querySelector("article:not([hidden]), li:not([hidden])");
  found.hidden = words.length === 0;
  found.textContent = count === 0 ? "Nothing has all these words. Try fewer." : `${count} of ${items.length}`;
}

find.addEventListener("input", look);
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && document.activeElement !== find && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    find.focus();
    find.select();
  }
  if (event.key === "Escape" && document.activeElement === find) {
    find.value = "";
    look();
  }
});
document.querySelector("#find-box").hidden = items.length < 2;
