import type { SearchIndex } from './search-index.ts';
import type { IndexShares } from './shares.ts';
import type { IndexSources } from './sources.ts';

/** Sources that are looked at together, and looks of one round. */
const SOURCES_AT_ONCE = 500;
const LOOKS_AT_ONCE = 20;

export type TidyingParts = {
  readonly index: SearchIndex;
  readonly sources: Pick<IndexSources, 'there'>;
  readonly mostBytes: number;
  /** What each tenant may have of it while there is too little. */
  readonly shares: IndexShares;
};

/** Removes from an index what is gone from the store, and what it holds beyond its bound. */
export class IndexTidying {
  readonly #parts: TidyingParts;
  /** The last source that was looked at: a round of many sources goes on in the next. */
  #last = '';

  constructor(parts: TidyingParts) {
    this.#parts = parts;
  }

  async tidy(signal: AbortSignal): Promise<void> {
    const { index, sources, mostBytes, shares } = this.#parts;
    for (let looks = 0; looks < LOOKS_AT_ONCE; looks += 1) {
      const some = await index.sourcesAfter(this.#last, SOURCES_AT_ONCE, signal);
      const there = await sources.there(some);
      await index.drop(
        some.filter((source) => !there.has(source)),
        signal,
      );
      const isEnd = some.length < SOURCES_AT_ONCE;
      this.#last = isEnd ? '' : (some.at(-1) ?? '');
      if (isEnd) break;
    }
    await index.trim(mostBytes, shares, signal);
  }
}
