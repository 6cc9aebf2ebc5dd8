import { type Clock, toTimestamp } from '#kernel/clock.ts';

/** The last run of one round of upkeep in this process. */
export type RoundRecord = {
  readonly name: string;
  readonly started_at: string;
  readonly duration_ms: number;
  readonly outcome: 'done' | 'failed';
};

/** Runs of one round since the start of the process. */
export type RoundTotals = { readonly done: number; readonly failed: number; readonly doneAt: number | null };

/** Starts all rounds of this process. */
export type UpkeepRunner = { readonly start: () => void; readonly isRunning: () => boolean };

/** Records what upkeep has done in this process, and starts it on demand. */
export class UpkeepLog {
  readonly #clock: Clock;
  readonly #last = new Map<string, RoundRecord>();
  readonly #totals = new Map<string, RoundTotals>();
  /** Stored bytes by kind, at the last count. */
  stored: ReadonlyMap<string, number> = new Map();
  /** Null if this process runs no upkeep. */
  #tidying: UpkeepRunner | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Runs a round and records its outcome. Rethrows its error. */
  async record(name: string, round: () => Promise<void>): Promise<void> {
    const [startedAt, begun] = [this.#clock.now(), this.#clock.monotonic()];
    const end = (outcome: RoundRecord['outcome']): void => {
      const duration = Math.round(this.#clock.monotonic() - begun);
      this.#last.set(name, { name, started_at: toTimestamp(startedAt), duration_ms: duration, outcome });
      const before = this.#totals.get(name) ?? { done: 0, failed: 0, doneAt: null };
      const doneAt = outcome === 'done' ? this.#clock.now() : before.doneAt;
      this.#totals.set(name, { ...before, [outcome]: before[outcome] + 1, doneAt });
    };
    try {
      await round();
    } catch (error) {
      end('failed');
      throw error;
    }
    end('done');
  }

  /** Lists the last run of each round. */
  rounds(): readonly RoundRecord[] {
    return [...this.#last.values()];
  }

  totals(): ReadonlyMap<string, RoundTotals> {
    return this.#totals;
  }

  /** Sets how rounds are started; null when upkeep has stopped. */
  setRunner(tidying: UpkeepRunner | null): void {
    this.#tidying = tidying;
  }

  get isRunning(): boolean {
    return this.#tidying?.isRunning() ?? false;
  }

  /** Starts all rounds now unless they are running; null if this process runs no upkeep. */
  runNow(): 'started' | 'running' | null {
    if (this.#tidying === null) return null;
    if (this.#tidying.isRunning()) return 'running';
    this.#tidying.start();
    return 'started';
  }
}
