/** Half-counts up to this many are looked up: words count in halves, and most blocks are short. */
const KNOWN = 4096;

/** As precise as features are. */
const LOGARITHMS = Float32Array.from({ length: KNOWN }, (_, halves) => Math.log1p(halves / 2));

/** The logarithm of one more than a count, so that none is 0; as a feature, the same number as `Math.log1p` gives. */
export function logOf(count: number): number {
  const halves = count * 2;
  const at = halves | 0;
  return at === halves && at >= 0 && at < KNOWN ? (LOGARITHMS[at] ?? 0) : Math.log1p(count);
}
