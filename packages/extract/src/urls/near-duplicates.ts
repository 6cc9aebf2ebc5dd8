import { computeDistance, type Simhash } from './simhash.ts';

/** The most bits by which near-duplicates differ. */
const MAX_DIFFERING_BITS = 3;
/** The number of 16-bit bands, one more than the bits that may differ: two near-duplicates share at least one band. */
const BANDS = MAX_DIFFERING_BITS + 1;
const BAND_VALUES = 65_536;
/** Up to this many pages are compared one by one, without an index. */
const MAX_PAGES_WITHOUT_INDEX = 1_024;
const MAX_PAGES = 1_000_000;
/** The most pages compared per band; a site could make all of its pages share one. */
const MAX_COMPARED = 2_000;

/** An index of simhashes. */
export type NearDuplicateIndex = {
  /** The number of the latest page within 3 bits; null if there is none. */
  readonly find: (simhash: Simhash) => number | null;
  /** Adds a page under a number below 2³²; false if the index is full with a million pages. */
  readonly add: (simhash: Simhash, page: number) => boolean;
};

/**
 * Creates an index that finds simhashes within 3 bits in a few comparisons. It takes 28 bytes per page, and another
 * mebibyte above 1,024 pages.
 */
export function createNearDuplicateIndex(): NearDuplicateIndex {
  let rows = createRows(MAX_PAGES_WITHOUT_INDEX);
  let heads: Int32Array | null = null;
  let count = 0;

  function link(row: number, into: Int32Array): void {
    for (let band = 0; band < BANDS; band++) {
      const place = getSlot(getSimhash(rows, row), band);
      rows.before[row * BANDS + band] = into[place] ?? -1;
      into[place] = row;
    }
  }

  return {
    find(simhash) {
      if (heads === null) return findLatest(rows, count, simhash);
      let latest = -1;
      for (let band = 0; band < BANDS; band++) {
        let row = heads[getSlot(simhash, band)] ?? -1;
        for (let compared = 0; row > latest && compared < MAX_COMPARED; compared++) {
          if (computeDistance(getSimhash(rows, row), simhash) <= MAX_DIFFERING_BITS) latest = row;
          row = rows.before[row * BANDS + band] ?? -1;
        }
      }
      return latest < 0 ? null : (rows.pages[latest] ?? null);
    },
    add(simhash, page) {
      if (count >= MAX_PAGES) return false;
      if (count === rows.pages.length) rows = growRows(rows);
      rows.high[count] = simhash.high;
      rows.low[count] = simhash.low;
      rows.pages[count] = page;
      count++;
      if (heads !== null) link(count - 1, heads);
      else if (count > MAX_PAGES_WITHOUT_INDEX) {
        heads = new Int32Array(BANDS * BAND_VALUES).fill(-1);
        for (let row = 0; row < count; row++) link(row, heads);
      }
      return true;
    },
  };
}

type Rows = {
  readonly high: Uint32Array;
  readonly low: Uint32Array;
  readonly pages: Uint32Array;
  /** For each row and band, the previous row with the same value. */
  readonly before: Int32Array;
};

function createRows(length: number): Rows {
  const [high, low, pages] = [new Uint32Array(length), new Uint32Array(length), new Uint32Array(length)];
  return { high, low, pages, before: new Int32Array(length * BANDS) };
}

function growRows(rows: Rows): Rows {
  const larger = createRows(Math.min(rows.pages.length * 2, MAX_PAGES));
  larger.high.set(rows.high);
  larger.low.set(rows.low);
  larger.pages.set(rows.pages);
  larger.before.set(rows.before);
  return larger;
}

function getSimhash({ high, low }: Rows, row: number): Simhash {
  return { high: high[row] ?? 0, low: low[row] ?? 0 };
}

function getSlot({ high, low }: Simhash, band: number): number {
  const half = band < 2 ? low : high;
  return band * BAND_VALUES + ((half >>> ((band % 2) * 16)) & 0xffff);
}

function findLatest(rows: Rows, count: number, simhash: Simhash): number | null {
  for (let row = count - 1; row >= 0; row--) {
    if (computeDistance(getSimhash(rows, row), simhash) <= MAX_DIFFERING_BITS) return rows.pages[row] ?? null;
  }
  return null;
}
