import { type SessionChange, type SessionState, WebSession } from '#access/web-session.ts';
import type { Clock } from '#kernel/clock.ts';

/** A stored session and the version of its row. */
export type StoredSession = { readonly state: SessionState; readonly version: number };

export type SessionHandleParts = {
  readonly stored: StoredSession;
  /** Merges a change into the stored session; null if it was deleted. */
  readonly store: (change: SessionChange) => Promise<StoredSession | null>;
  /** Loads the stored session if it has another version; null otherwise. */
  readonly loadOther: (version: number) => Promise<StoredSession | null>;
  readonly clock: Pick<Clock, 'monotonic'>;
};

/** After this time, changes of other calls are loaded. */
const MAX_AGE_MS = 1_000;

/** A session as used by one call. Changes of its visits are stored, and changes of other calls are merged. */
export class SessionHandle {
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

  /** Merges changes that other calls have stored meanwhile. */
  async refresh(): Promise<void> {
    const { clock, loadOther } = this.#parts;
    if (clock.monotonic() - this.#syncedAt < MAX_AGE_MS) return;
    const other = await loadOther(this.#version);
    this.#syncedAt = clock.monotonic();
    if (other !== null && other.version > this.#version) this.#take(other);
  }

  /** Stores all changes and waits until they are written. */
  async save(): Promise<void> {
    const saved = this.#saving.then(async () => this.#store());
    this.#saving = saved.catch(() => undefined);
    return saved;
  }

  async #store(): Promise<void> {
    const change = this.web.takeChange();
    if (change === null) return;
    try {
      // Changes of a deleted session are not stored; the call continues with its own state.
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
