import type { Frame, Page } from 'patchright-core';
import { buildStableStateScript } from '#access/browser/scripts.ts';
import { isNearlyEmpty } from '#access/browser/page-stability.ts';
import { buildFailure } from '#access/failure.ts';
import type { Clock } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import { ActionFailed } from './actions.ts';

/** Maximum wait for a page to finish loading, ms; after that it is used as it is. */
const MAX_LOADING_MS = 8_000;
/** A page counts as stable after this time without a change, ms. */
const STABLE_MS = 100;
/** Maximum wait for a page that keeps changing, ms; after that it is used as it is. */
export const MAX_CHANGING_MS = 3_000;
/** Maximum attempts to read a page whose document is replaced while it is read. */
const MAX_PAGES = 5;
const PAGE_REPLACED = /context was destroyed|Cannot find context|frame (?:was|got) detached|because of a navigation/i;
/** Extra time after the driver's own limit, so that the driver reports its more specific error first. */
export const DRIVER_GRACE_MS = 500;

/** The waits of one session. Each has a time limit, and the signal of the session ends all of them. */
export class PageWaits {
  readonly #clock: Clock;
  readonly #signal: AbortSignal;

  constructor(clock: Clock, signal: AbortSignal) {
    this.#clock = clock;
    this.#signal = signal;
  }

  /** Waits for work, at most `ms` or until the signal fires. Abandoned work ends with the context. */
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

  /** Reads a page, and reads it again if another document replaced it meanwhile. Throws `ServiceError`. */
  async retryOnNewPage<T>(read: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await read();
      } catch (error) {
        this.#signal.throwIfAborted();
        if (!(error instanceof Error) || error instanceof ServiceError || error instanceof ActionFailed) throw error;
        if (attempt >= MAX_PAGES || !PAGE_REPLACED.test(error.message)) {
          throw buildFailure('timeout', 'the page does not answer', { reason: 'render', cause: error });
        }
      }
      await this.#clock.sleep(STABLE_MS, this.#signal);
    }
  }

  /** Waits until a page is loaded and stable, or has kept changing for `maxChangingMs`. */
  async waitUntilStable(root: Page | Frame, maxChangingMs: number): Promise<void> {
    await this.#ignoreTimeout(waitForStability(root, maxChangingMs), MAX_LOADING_MS + maxChangingMs + DRIVER_GRACE_MS);
  }

  /** Waits until a page shows some text or a control, at most `patienceMs` and only while scripts may fill it. */
  async waitUntilFilled(root: Page | Frame, patienceMs: number): Promise<void> {
    if (patienceMs > 0) await this.#ignoreTimeout(this.#waitForContent(root), patienceMs);
  }

  async #ignoreTimeout(work: Promise<void>, ms: number): Promise<void> {
    await this.waitAtMost(work, ms).catch(() => this.#signal.throwIfAborted());
  }

  async #waitForContent(root: Page | Frame): Promise<void> {
    const { expression, result } = buildStableStateScript(STABLE_MS, MAX_CHANGING_MS);
    for (;;) {
      const state = result.parse(await root.evaluate(expression));
      if (!state.isAlive || state.hasControls || !isNearlyEmpty(state)) return;
      await this.#clock.sleep(STABLE_MS);
    }
  }
}

async function waitForStability(root: Page | Frame, maxChangingMs: number): Promise<void> {
  await root.waitForLoadState('load', { timeout: MAX_LOADING_MS }).catch(ignoreLateFailure);
  await root.evaluate(buildStableStateScript(STABLE_MS, maxChangingMs).expression).catch(ignoreLateFailure);
}

/** Ignores late failures: the caller that waits for the work reports them. */
function ignoreLateFailure(): void {}
