import type { Clock } from '#kernel/clock.ts';
import { TenantMap } from '#kernel/tenant-map.ts';

const KEPT_MS = 10 * 60_000;
const MAX_KEPT = 2000;

type Kept<T> = { readonly at: number; readonly value: Promise<T> };

/** What a tenant asks. */
type Question = { readonly tenant: string; readonly key: string };

/** Answers of the last ten minutes, by tenant and what was asked; equal questions at one time are asked once. */
export class RecentAnswers<T> {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #kept = new TenantMap<Kept<T>>(MAX_KEPT);

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** The answer to a question, asked anew unless `mayReuse`; one that failed or that `isKept` refuses is forgotten. */
  async get(
    { tenant, key }: Question,
    {
      mayReuse,
      ask,
      isKept,
    }: { readonly mayReuse: boolean; readonly ask: () => Promise<T>; readonly isKept: (value: T) => boolean },
  ): Promise<{ readonly value: T; readonly isReused: boolean }> {
    const known = this.#kept.get(tenant, key);
    if (mayReuse && known !== undefined && this.#clock.monotonic() - known.at < KEPT_MS) {
      const value = await known.value.catch(() => null);
      if (value !== null && isKept(value)) return { value, isReused: true };
    }
    const kept = { at: this.#clock.monotonic(), value: ask() };
    this.#kept.set(tenant, key, kept);
    try {
      const value = await kept.value;
      if (!isKept(value)) this.#forget({ tenant, key }, kept);
      return { value, isReused: false };
    } catch (error) {
      this.#forget({ tenant, key }, kept);
      throw error;
    }
  }

  #forget({ tenant, key }: Question, kept: Kept<T>): void {
    if (this.#kept.get(tenant, key) === kept) this.#kept.delete(tenant, key);
  }
}
