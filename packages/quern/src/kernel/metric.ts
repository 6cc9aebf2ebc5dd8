/** Values of the labels of a metric, in their order, and its number there. */
export type Sample = readonly [values: readonly string[], n: number];

/** A number that a part of the service keeps; a total grows, a level goes up and down. */
export type Metric = {
  readonly name: string;
  readonly help: string;
  readonly kind: 'total' | 'level';
  readonly labels: readonly string[];
  readonly read: () => Promise<Iterable<Sample>>;
};

/** The number of a metric without labels. */
export function single(n: number): readonly Sample[] {
  return [[[], n]];
}

/** The numbers of a metric with one label, by its values. */
export function byValue(numbers: ReadonlyMap<string, number>): readonly Sample[] {
  return [...numbers].map(([value, n]) => [[value], n]);
}

/** Different values of labels that one tally holds; more would be a mistake, and are counted together. */
const MAX_SAMPLES = 2000;

/** A total by labels, counted in memory. */
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

  samples(): readonly Sample[] {
    return [...this.#samples.values()].map(({ values, n }) => [values, n]);
  }
}
