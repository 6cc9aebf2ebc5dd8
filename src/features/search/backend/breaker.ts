import type { Clock } from '#kernel/clock.ts';
import type { BackendFailure } from './backend.ts';

const CAPTCHA_MS = 60 * 60_000;
const LIMITED_MS = 3 * 60_000;
const BROKEN_MS = 15_000;
const LONGEST_MS = 60 * 60_000;
/** Failures without a captcha or a limit after which a backend is left alone. */
const MOST_FAILURES = 3;

type State = { readonly failures: number; readonly opened: number; readonly openUntil: number };

const CLOSED: State = { failures: 0, opened: 0, openUntil: 0 };

/**
 * Leaves a backend alone that does not want or cannot serve: an hour after a captcha, three minutes after a 429 or 403 and
 * twice as long each further time, some seconds after three other failures or when others were three times quicker; then one
 * query tries it again.
 */
export class BackendBreaker {
  readonly #clock: Pick<Clock, 'monotonic'>;
  #state = CLOSED;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** Ms until the backend may be asked again, 0 where it may. */
  restMs(): number {
    return Math.max(0, this.#state.openUntil - this.#clock.monotonic());
  }

  succeed(): void {
    this.#state = CLOSED;
  }

  /** Takes note that others had answered long before it, so that waiting for it helped nobody. */
  outrun(): void {
    const { failures, opened, openUntil } = this.#state;
    const isSlow = failures + 1 >= MOST_FAILURES;
    this.#state = {
      failures: failures + 1,
      opened,
      openUntil: isSlow ? this.#clock.monotonic() + BROKEN_MS : openUntil,
    };
  }

  fail({ why, waitSeconds }: Pick<BackendFailure, 'why' | 'waitSeconds'>): void {
    const failures = this.#state.failures + 1;
    if (why === 'other' && failures < MOST_FAILURES) {
      this.#state = { ...this.#state, failures };
      return;
    }
    const { opened } = this.#state;
    const first = why === 'captcha' ? CAPTCHA_MS : why === 'limited' ? LIMITED_MS : BROKEN_MS;
    const ms = Math.min(LONGEST_MS, Math.max(first * 2 ** Math.min(opened, 10), (waitSeconds ?? 0) * 1000));
    this.#state = { failures, opened: opened + 1, openUntil: this.#clock.monotonic() + ms };
  }
}
