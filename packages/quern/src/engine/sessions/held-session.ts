import { type SessionChange, type SessionState, WebSession } from '#access/web-session.ts';
import type { Clock } from '#kernel/clock.ts';

/** A stored session and the version of its row. */
export type StoredSession = { readonly state: SessionState; readonly version: number };

export type SessionHandleParts = {
  readonly stored: StoredSession;
  /** Merges a change into the stored session; null where that is deleted. */
  readonly store: (change: SessionChange) => Promise<StoredSession | null>;
  /** The stored session where it is another version than this one; null for none. */
  readonly loadOther: (version: number) => Promise<StoredSession | null>;
  readonly clock: Pick<Clock, 'monotonic'>;
};

/** After this time others may have changed the stored session, ms. */
const MAX_AGE_MS = 1_000;

/** A session in the hands of one call: what its visits change is stored as it goes, and what others store comes in. */
export class HeldSession {
  readonly web: WebSession;
  readonly #parts: SessionHandleParts;
  #version: number;
  #syncedAt: number;
  #saving: Promise<void> = Promise.resolve();

  constructor(parts: SessionHandleParts) {
    this.#parts = parts;
    this.web = new WebSession(parts.stored.state);
    this.#version = parts.stored.version;
    this.#syncedAt = parts.clock.monotonic();
  }

  /** Takes over what other calls have stored meanwhile. */
  async refresh(): Promise<void> {
    const { clock, loadOther } = this.#parts;
    if (clock.monotonic() - this.#syncedAt < MAX_AGE_MS) return;
    const other = await loadOther(this.#version);
    this.#syncedAt = clock.monotonic();
    if (other !== null && other.version > this.#version) this.#take(other);
  }

  /** Stores what has changed, and waits for what is being stored: a visit that waits here is safe from a kill. */
  async save(): Promise<void> {
    const saved = this.#saving.then(async () => this.#store());
    this.#saving = saved.catch(() => undefined);
    return saved;
  }

  async #store(): Promise<void> {
    const change = this.web.takeChange();
    if (change === null) return;
    try {
      // Of a deleted session nothing is kept; the call that holds it goes on with what it has.
      const stored = await this.#parts.store(change);
      if (stored !== null) this.#take(stored);
    } catch (error) {
      this.web.putBack(change);
      throw error;
    }
  }

  #take({ state, version }: StoredSession): void {
    this.#version = version;
    this.#syncedAt = this.#parts.clock.monotonic();
    this.web.rebase(state);
  }
}
