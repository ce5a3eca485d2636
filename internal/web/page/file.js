// Takes a payload from a file, chosen with the button or dropped on the editor.
import { $ } from "./dom.js";

// chooseFile calls took with the exact text of each file that a person gives, failed with an
// error where it can't be read or isn't UTF-8.
export function chooseFile(took, failed) {
  const take = async (file) => {
    if (!file) return;
    try {
      const bytes = await file.arrayBuffer();
      took(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
    } catch (error) {
      failed(new Error(error instanceof TypeError ? `${file.name} is not UTF-8, which JSON must be. Save it as UTF-8 and open it again.` : `${file.name} could not be read: ${error.message}`));
    }
  };
  $("open").addEventListener("click", () => $("file").click());
  $("file").addEventListener("change", () => {
    take($("file").files[0]);
    $("file").value = ""; // so that the same file can be chosen again
  });
  $("editor").addEventListener("dragover", (event) => {
    if (event.dataTransfer.types.includes("Files")) event.preventDefault();
  });
  $("editor").addEventListener("drop", (event) => {
    if (event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    take(event.dataTransfer.files[0]);
  });
}
