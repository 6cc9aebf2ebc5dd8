/** What FTS5 takes for the weight of a word that half of all pages have. */
const MIN_WEIGHT = 1e-6;

/** The numbers of a record of FTS5: each has seven bits a byte, the highest first. */
function numbersIn(record: unknown): readonly number[] {
  const numbers: number[] = [];
  let value = 0;
  for (const byte of record instanceof Uint8Array ? record : []) {
    value = value * 128 + (byte & 0x7f);
    if (byte >= 0x80) continue;
    numbers.push(value);
    value = 0;
  }
  return numbers;
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0);
}

/** The words of a page by its record of sizes, those of all columns together. */
export function wordsCounted(sizes: unknown): number {
  return sumOf(numbersIn(sizes));
}

/** How many pages there are, by the record of FTS5 that begins with that. */
export function pagesOfAll(averages: unknown): number {
  return numbersIn(averages)[0] ?? 0;
}

/** How many words a page has on the mean, by the same record. */
export function meanOfAll(averages: unknown): number {
  const [pages = 0, ...words] = numbersIn(averages);
  return sumOf(words) / Math.max(1, pages);
}

/** What FTS5 multiplies the rank of a part with that `hits` of the pages have. */
export function weightOfAll(pages: unknown, hits: unknown): number {
  return Math.max(MIN_WEIGHT, Math.log((Number(pages) - Number(hits) + 0.5) / (Number(hits) + 0.5)));
}
