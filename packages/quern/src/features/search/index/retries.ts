import type { Clock } from '#kernel/clock.ts';

const FIRST_MS = 60_000;
const MAX_MS = 3_600_000;
const MAX_KNOWN = 10_000;

/** What could not be done, and when each is tried again: after a minute, and each time later, up to an hour. */
export class Retries {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #failed = new Map<string, { readonly restMs: number; readonly until: number }>();

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  rests(id: string): boolean {
    const { until = 0 } = this.#failed.get(id) ?? {};
    return this.#clock.monotonic() < until;
  }

  fail(id: string): void {
    const restMs = Math.min(MAX_MS, 2 * (this.#failed.get(id)?.restMs ?? FIRST_MS / 2));
    this.#failed.delete(id);
    this.#failed.set(id, { restMs, until: this.#clock.monotonic() + restMs });
    const [oldest = ''] = this.#failed.keys();
    if (this.#failed.size > MAX_KNOWN) this.#failed.delete(oldest);
  }

  succeed(id: string): void {
    this.#failed.delete(id);
  }
}
