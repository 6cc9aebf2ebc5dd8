/** The label values of a metric, in the order of its labels, and its number for them. */
export type MetricSample = readonly [values: readonly string[], n: number];

/** A metric: a `total` only grows (counter), a `level` goes up and down (gauge). */
export type Metric = {
  readonly name: string;
  readonly help: string;
  readonly kind: 'total' | 'level';
  readonly labels: readonly string[];
  readonly read: () => Promise<Iterable<MetricSample>>;
};

/** The sample of a metric without labels. */
export function toUnlabelledSamples(n: number): readonly MetricSample[] {
  return [[[], n]];
}

/** The samples of a metric with one label, from a map of label value to number. */
export function toLabelledSamples(numbers: ReadonlyMap<string, number>): readonly MetricSample[] {
  return [...numbers].map(([value, n]) => [[value], n]);
}

/** Maximum number of label combinations of one tally; further ones are counted as `other`. */
const MAX_SAMPLES = 2000;

/** A counter with labels, in memory. */
export class Tally {
  readonly #samples = new Map<string, { readonly values: readonly string[]; n: number }>();

  add(values: readonly string[], n = 1): void {
    const known = this.#samples.get(values.join('\n'));
    if (known !== undefined) {
      known.n += n;
      return;
    }
    const isFull = this.#samples.size >= MAX_SAMPLES;
    if (isFull && values.some((value) => value !== 'other'))
      this.add(
        values.map(() => 'other'),
        n,
      );
    else this.#samples.set(values.join('\n'), { values, n });
  }

  samples(): readonly MetricSample[] {
    return [...this.#samples.values()].map(({ values, n }) => [values, n]);
  }
}
