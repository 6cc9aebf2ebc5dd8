import type { Clock } from '#kernel/clock.ts';

const KEPT_MS = 10 * 60_000;
const MOST_KEPT = 2000;

type Kept<T> = { readonly at: number; readonly value: Promise<T> };

/** Answers of the last ten minutes, by what was asked; equal questions at one time are asked once. */
export class RecentAnswers<T> {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #kept = new Map<string, Kept<T>>();

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** The answer to a question, asked anew unless `mayReuse`; one that failed or that `isKept` refuses is forgotten. */
  async get(
    key: string,
    {
      mayReuse,
      ask,
      isKept,
    }: { readonly mayReuse: boolean; readonly ask: () => Promise<T>; readonly isKept: (value: T) => boolean },
  ): Promise<{ readonly value: T; readonly isReused: boolean }> {
    const known = this.#kept.get(key);
    if (mayReuse && known !== undefined && this.#clock.monotonic() - known.at < KEPT_MS) {
      const value = await known.value.catch(() => null);
      if (value !== null && isKept(value)) return { value, isReused: true };
    }
    const kept = { at: this.#clock.monotonic(), value: ask() };
    this.#keep(key, kept);
    try {
      const value = await kept.value;
      if (!isKept(value)) this.#forget(key, kept);
      return { value, isReused: false };
    } catch (error) {
      this.#forget(key, kept);
      throw error;
    }
  }

  #keep(key: string, kept: Kept<T>): void {
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest);
  }

  #forget(key: string, kept: Kept<T>): void {
    if (this.#kept.get(key) === kept) this.#kept.delete(key);
  }
}
