import { type Clock, toTimestamp } from '#kernel/clock.ts';
import type { Db, StoreKind } from '#store/db.ts';
import { bulk } from '#store/dialect.ts';

/** Keys whose last use is kept in memory until it is written; one of more is noted at its next use. */
const MAX_KEYS = 10_000;

type KeyUsesParts = { readonly db: Db; readonly clock: Clock };

/** When keys were used last: noted in memory by each call, and written by upkeep, once a minute at most. */
export class KeyUses {
  readonly #parts: KeyUsesParts;
  #used = new Map<string, number>();

  constructor(parts: KeyUsesParts) {
    this.#parts = parts;
  }

  note(keyId: string): void {
    if (this.#used.size < MAX_KEYS || this.#used.has(keyId)) this.#used.set(keyId, this.#parts.clock.now());
  }

  /** Writes what was noted since the last time, in one statement. */
  async write(): Promise<void> {
    const { db } = this.#parts;
    if (this.#used.size === 0) return;
    const used = this.#used;
    this.#used = new Map();
    const cells = [...used]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([id, at]) => [id, toTimestamp(at)]);
    await db.query(writingOn(db.kind), [JSON.stringify(cells)]);
  }
}

function writingOn(kind: StoreKind): string {
  return `update api_keys set last_used_at = u.at
    from ${bulk(kind, '$1', { name: 'u', columns: { key: 'text', at: 'text' } })}
    where api_keys.id = u.key and (last_used_at is null or last_used_at < u.at)`;
}
