/** Half-counts up to this many are looked up: words count in halves, and most blocks are short. */
const KNOWN = 4096;

/** As precise as features are. */
const LOGARITHMS = Float32Array.from({ length: KNOWN }, (_, halves) => Math.log1p(halves / 2));

/** The logarithms of one more than a mean of so many values, by their sum in halves. */
export type MeanLogarithms = { readonly of: number; readonly known: Float32Array };

export function meanLogarithms(of: number): MeanLogarithms {
  return { of, known: Float32Array.from({ length: KNOWN }, (_, halves) => Math.log1p(halves / 2 / of)) };
}

/** What {@link logOf} gives for `sum / of`, looked up where there are as many values as the table is for. */
export function logOfMean({ of, known }: MeanLogarithms, sum: number, values: number): number {
  const halves = sum * 2;
  const at = halves | 0;
  return at === halves && values === of && at < KNOWN ? (known[at] ?? 0) : logOf(sum / values);
}

/** The logarithm of one more than a count, so that none is 0; as a feature, the same number as `Math.log1p` gives. */
export function logOf(count: number): number {
  const halves = count * 2;
  const at = halves | 0;
  return at === halves && at >= 0 && at < KNOWN ? (LOGARITHMS[at] ?? 0) : Math.log1p(count);
}
