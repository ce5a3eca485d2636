// The parts of the inspector page by themselves, in the browser that they are written for:
// its JSON reader, its words for schemas.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { describePage, openInspector, shows } from "./browser.mjs";
import { servers } from "./server.mjs";

describePage("inspector page, modules", (shared) => {
  let page, done;
  before(async () => {
    ({ page, done } = await openInspector(shared.browser, shared.server));
    await shows(page, servers.shipped.schemas[0].id);
  });
  after(() => done?.());

  // What each text says when read, and where: null if it is JSON.
  const texts = {
    "null": null, " [ ] ": null, "{}\n": null, '{"a":[1,{"b":2}],"a":3}': null, "-0": null, "0.0e-0": null, "1E+400": null, '"\\ud800"': null, '"\u2028 \u007f"': null,
    "": 0, " ": 1, "[": 1, "[1": 2, "[1,": 3, "[1,]": 3, "[1 2]": 3, "[,1]": 1, "]": 0, "{": 1, '{"a"': 4, '{"a":': 5, '{"a":1': 6, '{"a":1,': 7, '{"a":1,}': 7, "{a:1}": 1, "{'a':1}": 1, '{"a" 1}': 5,
    "[}": 1, '{"a":1]': 6, "1 1": 2, "01": 0, "-": 0, "+1": 0, "1.": 0, ".5": 0, "1e": 0, "0x1": 1, "NaN": 0, "tru": 0, "nul": 0, "truex": 4,
    '"a': 0, '"\\': 1, '"\\x"': 1, '"\\u12g4"': 1, '"\t"': 1, '"\n"': 1, "\u00a01": 0, "\ufeff1": 0, "/**/1": 0, '["a\ud800"]': 3, "😀": 0, '["😀" 1]': 6,
  };
  test("reads JSON and says where it is none", async () => {
    const found = await page.evaluate(async (texts) => {
      const { JsonError, read } = await import(new URL("inspector/json.js", document.baseURI));
      return texts.map((text) => {
        try {
          read(text);
          return null;
        } catch (error) {
          if (!(error instanceof JsonError)) throw error;
          return error.offset;
        }
      });
    }, Object.keys(texts).map((text) => text));
    assert.deepEqual(Object.fromEntries(Object.keys(texts).map((text, i) => [text, found[i]])), texts);
  });

  test("finds what a pointer means", async () => {
    const text = '{"a/b":{"m~n":[10,{"":1}]},"":{"x":2},"\\u0061":3,"a":4,"__proto__":{"length":5},"list":[0,1,2,3,4,5,6,7,8,9,"ten"]}';
    const found = await page.evaluate(async (text) => {
      const { Document } = await import(new URL("inspector/json.js", document.baseURI));
      const doc = new Document(text);
      const at = (pointer) => {
        const { start, end, found, first } = doc.locate(pointer);
        return [text.slice(start, end), found, first && text.slice(first.start, first.value.end)];
      };
      return ["/a~1b/m~0n/1/", "/a~1b/m~0n/0", "//x", "/a", "/__proto__/length", "/list/10", "/list/01", "/list/-", "/list/length", "/toString", "/a~1b/m~0n/7/deep"].map(at);
    }, text);
    const list = "[0,1,2,3,4,5,6,7,8,9,\"ten\"]";
    assert.deepEqual(found, [
      ['"":1', true, undefined],
      ["10", true, undefined],
      ['"x":2', true, undefined],
      ['"a":4', true, '"\\u0061":3'],
      ['"length":5', true, undefined],
      ['"ten"', true, undefined],
      [list, false, undefined],
      [list, false, undefined],
      [list, false, undefined],
      [text, false, undefined],
      ['[10,{"":1}]', false, undefined],
    ]);
  });

  test("tidies white space only", async () => {
    const tidied = await page.evaluate(async () => {
      const [{ Document, tidying }, { atOnce }] = await Promise.all(["json", "slices"].map((name) => import(new URL(`inspector/${name}.js`, document.baseURI))));
      const tidy = (text) => atOnce(tidying(new Document(text)));
      const deep = "[".repeat(20_000) + "]".repeat(20_000);
      return [tidy('{"a":1.0,"a" : [ ] ,"b":[1E400,{"\\u0041":{}}]}'), tidy(deep).replace(/\s/g, "") === deep];
    });
    assert.deepEqual(tidied, ['{\n  "a": 1.0,\n  "a": [],\n  "b": [\n    1E400,\n    {\n      "\\u0041": {}\n    }\n  ]\n}', true]);
  });

  test("reads and tidies long texts in slices, between which other things happen", async () => {
    const happened = await page.evaluate(async () => {
      const [{ Document, tidying }, { inSlices }] = await Promise.all(["json", "slices"].map((name) => import(new URL(`inspector/${name}.js`, document.baseURI))));
      let ticks = 0;
      setInterval(() => ticks++);
      const during = async (work) => {
        const before = ticks;
        const result = await work;
        return [ticks > before, result];
      };
      const list = JSON.stringify(Array.from({ length: 500_000 }, (_, i) => `line ${i} ${"x".repeat(22)}`));
      const [read, doc] = await during(Document.read(list));
      const [readString] = await during(Document.read(JSON.stringify("x".repeat(1e8))));
      const [tidied, text] = await during(inSlices(tidying(doc)));
      const given = new AbortController();
      const dropped = Document.read(list, given.signal).then(() => "read", (error) => error.name);
      given.abort();
      return { read, readString, tidied, same: text.replaceAll("\n  ", "").replaceAll("\n", "") === list, dropped: await dropped };
    });
    assert.deepEqual(happened, { read: true, readString: true, tidied: true, same: true, dropped: "AbortError" });
  });

  test("finds the lines of a text in pieces", async () => {
    const wrong = await page.evaluate(async () => {
      const { Lines } = await import(new URL("inspector/lines.js", document.baseURI));
      const wrong = [];
      const long = Array.from({ length: 9000 }, (_, i) => "x".repeat(i % 7)).join("\n");
      let lines = new Lines();
      for (const pieces of [["", "", ""], ["", "a", ""], ["a\n", "b", "\nc"], ["", long, "\n"], [long, "\n\n", long], [long, "", `${"y".repeat(40_000)}\n`], ["\n".repeat(40_000), "z", long]]) {
        lines = lines.of(...pieces);
        const text = pieces.join("");
        const ends = [...text.matchAll(/\n/g)].map(({ index }) => index);
        const starts = [0, ...ends.map((at) => at + 1)];
        if (lines.count !== starts.length) wrong.push(`count ${lines.count}`);
        starts.forEach((start, line) => {
          const [at, first, last] = [lines.at(start), lines.start(line), lines.end(line)];
          if (at !== line || first !== start || last !== (ends[line] ?? text.length)) wrong.push(`line ${line}: ${at}, ${first}–${last}`);
        });
      }
      return wrong.slice(0, 5);
    });
    assert.deepEqual(wrong, []);
  });

  test("words every limit, as it was written", async () => {
    const text = `{"exclusiveMinimum":9007199254740993,"maximum":1E400,"multipleOf":0.010,"minLength":1,"maxLength":2,"uniqueItems":true,"additionalProperties":false,
      "dependentRequired":{"a":["b","c"]},"const":{"x":1.0},"constructor":1,"toString":2,"unknown":3}`;
    const facts = await page.evaluate(async (text) => {
      const [{ Document }, { Schema }] = await Promise.all(["json", "schema"].map((name) => import(new URL(`inspector/${name}.js`, document.baseURI))));
      const doc = new Document(text);
      return new Schema(doc, doc.root).facts(doc.root).map(({ words, values = [] }) => [words, ...values].join(" "));
    }, text);
    assert.deepEqual(facts, [
      "> 9007199254740993", "≤ 1E400", "multiple of 0.010", "at least 1 character", "at most 2 characters", "no two elements equal", "no other members", "a needs b, c", 'always {"x":1.0}',
    ]);
  });
});
