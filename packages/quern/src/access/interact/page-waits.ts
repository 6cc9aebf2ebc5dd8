import type { Frame, Page } from 'patchright-core';
import { buildStableStateScript } from '#access/browser/scripts.ts';
import { isNearlyEmpty } from '#access/browser/page-stability.ts';
import { buildFailure } from '#access/failure.ts';
import type { Clock } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import { ActionFailed } from './actions.ts';

/** A page whose images never end loading is taken as it is after this time, ms. */
const MAX_LOADING_MS = 8_000;
/** A page counts as still after this time without a change, ms. */
const STABLE_MS = 100;
/** A page that keeps changing is taken as it is after this time, ms. */
export const MAX_CHANGING_MS = 3_000;
/** Documents that follow each other while one is read. */
const MAX_PAGES = 5;
const PAGE_REPLACED = /context was destroyed|Cannot find context|frame (?:was|got) detached|because of a navigation/i;
/** The driver's own time limit ends first, since its error has the reason. */
export const DRIVER_GRACE_MS = 500;

/** The waits of one session, each with its own limit, and all of them ended by its signal. */
export class PageWaits {
  readonly #clock: Clock;
  readonly #signal: AbortSignal;

  constructor(clock: Clock, signal: AbortSignal) {
    this.#clock = clock;
    this.#signal = signal;
  }

  /** Waits no longer than `ms` and the signal; work that is given up ends with the context. */
  async waitAtMost<T>(work: Promise<T>, ms: number): Promise<T> {
    const late = new AbortController();
    const waiting = this.#clock.sleep(ms, AbortSignal.any([this.#signal, late.signal])).then(() => {
      throw new Error('timed out');
    });
    try {
      return await Promise.race([work, waiting]);
    } finally {
      late.abort();
      waiting.catch(ignoreLateFailure);
      work.catch(ignoreLateFailure);
    }
  }

  /** Asks a page again when another document replaces it meanwhile, as the driver's error then says; throws `ServiceError`. */
  async retryOnNewPage<T>(ask: () => Promise<T>): Promise<T> {
    for (let asked = 1; ; asked += 1) {
      try {
        return await ask();
      } catch (error) {
        this.#signal.throwIfAborted();
        if (!(error instanceof Error) || error instanceof ServiceError || error instanceof ActionFailed) throw error;
        if (asked >= MAX_PAGES || !PAGE_REPLACED.test(error.message)) {
          throw buildFailure('timeout', 'the page does not answer', { reason: 'render', cause: error });
        }
      }
      await this.#clock.sleep(STABLE_MS, this.#signal);
    }
  }

  /** Waits until a page is loaded and still, or has changed for `mostStirringMs`. */
  async waitUntilStable(root: Page | Frame, mostStirringMs: number): Promise<void> {
    await this.#unlessLate(waitForStability(root, mostStirringMs), MAX_LOADING_MS + mostStirringMs + DRIVER_GRACE_MS);
  }

  /** Waits until a page shows some text or something to act on, for as long as it may still fill itself. */
  async waitUntilFilled(root: Page | Frame, patienceMs: number): Promise<void> {
    if (patienceMs > 0) await this.#unlessLate(this.#fill(root), patienceMs);
  }

  async #unlessLate(work: Promise<void>, ms: number): Promise<void> {
    await this.waitAtMost(work, ms).catch(() => this.#signal.throwIfAborted());
  }

  async #fill(root: Page | Frame): Promise<void> {
    const { expression, result } = buildStableStateScript(STABLE_MS, MAX_CHANGING_MS);
    for (;;) {
      const look = result.parse(await root.evaluate(expression));
      if (!look.isAlive || look.hasControls || !isNearlyEmpty(look)) return;
      await this.#clock.sleep(STABLE_MS);
    }
  }
}

async function waitForStability(root: Page | Frame, mostStirringMs: number): Promise<void> {
  await root.waitForLoadState('load', { timeout: MAX_LOADING_MS }).catch(ignoreLateFailure);
  await root.evaluate(buildStableStateScript(STABLE_MS, mostStirringMs).expression).catch(ignoreLateFailure);
}

/** The failure is told by what waits for the work. */
function ignoreLateFailure(): void {}
