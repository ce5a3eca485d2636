// Numbers that meet limits, worked out in decimal: a limit of 9007199254740993 is not
// rounded, and neither is a multiple of 0.0001.

const MAX_EXPONENT = 400; // beyond this a limit's own text is the proposal

// number proposes the text of a number. limits holds keyword → texts. Numbers of different
// salt differ. Result undefined if there is none that is simple to find.
export function number(limits, integer, salt) {
  const parse = (keyword) => (limits.get(keyword) ?? []).filter((text) => text !== "true" && text !== "false").map(decimal);
  const flag = (keyword) => (limits.get(keyword) ?? []).includes("true"); // draft 4
  const all = ["minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf"].flatMap(parse);
  if (all.includes(undefined)) return limits.get("minimum")?.[0] ?? limits.get("maximum")?.[0];

  const steps = parse("multipleOf");
  // In whole units of 10^-scale every limit and every step is an integer.
  const finer = integer || steps.length > 0 ? 0 : 1; // so that there is room between two limits
  const scale = Math.max(integer ? 0 : 2, ...all.map((each) => -each.exponent)) + finer;
  const units = (each) => each.digits * 10n ** BigInt(each.exponent + scale);
  const step = steps.map(units).reduce(leastCommon, integer ? 10n ** BigInt(scale) : 1n);
  const loose = integer || steps.length > 0 ? step : 0n;

  let low;
  let high;
  const raise = (value) => (low = low === undefined || value > low ? value : low);
  const lower = (value) => (high = high === undefined || value < high ? value : high);
  for (const each of parse("minimum")) raise(units(each) + (flag("exclusiveMinimum") ? 1n : 0n));
  for (const each of parse("exclusiveMinimum")) raise(units(each) + 1n);
  for (const each of parse("maximum")) lower(units(each) - (flag("exclusiveMaximum") ? 1n : 0n));
  for (const each of parse("exclusiveMaximum")) lower(units(each) - 1n);

  // A whole number looks best, then a number of the coarsest step that fits.
  const one = 10n ** BigInt(scale);
  for (const grid of loose > 0n ? [leastCommon(loose, one), loose] : [one, 1n]) {
    let from = low ?? (high !== undefined && high < 0n ? undefined : 0n);
    let found = from === undefined ? floor(high, grid) : ceil(from, grid);
    if (low === undefined && high !== undefined && found > high) found = floor(high, grid);
    if (found === 0n && salt === 0 && low === 0n && (high === undefined || grid <= high) && grid === one && !integer) found = grid;
    found += (from === undefined ? -1n : 1n) * BigInt(salt) * grid;
    if ((low === undefined || found >= low) && (high === undefined || found <= high)) return text(found, scale);
  }
  return undefined;
}

// decimal reads a JSON number: digits times ten to the exponent. Result undefined if its
// exponent is beyond what is worth counting with.
function decimal(raw) {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(raw);
  if (!match) return undefined;
  const [, sign, whole, fraction = "", power = "0"] = match;
  const exponent = Number(power) - fraction.length;
  if (Math.abs(exponent) > MAX_EXPONENT) return undefined;
  const digits = BigInt(whole + fraction) * (sign ? -1n : 1n);
  return { digits, exponent };
}

// text writes units of 10^-scale without needless zeros.
function text(units, scale) {
  const sign = units < 0n ? "-" : "";
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, "0");
  const whole = digits.slice(0, digits.length - scale);
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, "");
  return sign + whole + (fraction ? `.${fraction}` : "");
}

function floor(value, grid) {
  const rest = value % grid;
  return rest === 0n ? value : value < 0n ? value - rest - grid : value - rest;
}

const ceil = (value, grid) => -floor(-value, grid);

function leastCommon(a, b) {
  let [x, y] = [a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x === 0n ? 0n : (a / x) * b;
}
