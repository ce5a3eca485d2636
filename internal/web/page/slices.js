// Long work on the page's only thread, in slices between which the browser takes what is
// typed and paints. Work is a generator that yields wherever it may be interrupted, so
// the same code runs at once where a text is short.

const SLICE = 25; // ms

// atOnce does work without a break. Result: what it returns.
export function atOnce(work) {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

// inSlices does work in slices; what fits into one is done within this very task. Result:
// what it returns. It throws the signal's reason where that is aborted between two slices.
export async function inSlices(work, signal) {
  for (;;) {
    const until = performance.now() + SLICE;
    do {
      const { done, value } = work.next();
      if (done) return value;
    } while (performance.now() < until);
    await breathe();
    signal?.throwIfAborted();
  }
}

// breathe lets the browser do what waits.
export const breathe = () => new Promise((resolve) => setTimeout(resolve));
