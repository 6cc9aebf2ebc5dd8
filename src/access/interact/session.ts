import type { BrowserContext, Frame, Locator, Page } from 'patchright-core';
import { stateWhenStill, take } from '#access/browser/scripts.ts';
import { showsLittle } from '#access/browser/stillness.ts';
import { failed, pageTooLarge } from '#access/failure.ts';
import type { Artifact } from '#access/page.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import { act } from './acts.ts';
import type { At } from './acts.ts';
import { ActionFailed } from './actions.ts';
import type { Brought, PageAction, Target } from './actions.ts';
import type { Domains } from './domains.ts';
import { toActionFailure } from './faults.ts';
import { shootPage } from './pictures.ts';
import { lookAtFrames } from './numbering.ts';
import { toSnapshot } from './snapshot.ts';
import { locate } from './targets.ts';

/** The page that a session is at, as a browser shows it now. */
export type ShownPage = { readonly url: string; readonly html: string };

/** A page that is worked with; all of it ends with its signal. */
export type InteractSession = {
  /** Fires with the call's signal, and when the browser or a rule of ours ends the session. */
  readonly signal: AbortSignal;
  /** Does one action. Throws `ActionFailed` where the page does not let it happen, and the signal's reason. */
  readonly act: (action: PageAction, timeoutMs: number) => Promise<Brought>;
  /** Whether an element is there and can be seen now. */
  readonly has: (target: Target) => Promise<boolean>;
  /**
   * The page, once nothing stirs any more; one that shows next to nothing and may fill itself gets so long for it, ms. Throws
   * `content_too_large`.
   */
  readonly look: (patienceMs: number) => Promise<ShownPage>;
  /** Where it is now. */
  readonly url: () => string;
  /**
   * What the page shows once nothing stirs, as lines `[n] role "name"`; one that shows nothing gets so long to fill
   * itself, ms. Until the next one, targets may be `{ element: n }`.
   */
  readonly snapshot: (patienceMs: number) => Promise<string>;
  /** A picture of what the window shows; null where the page gives none. */
  readonly shoot: () => Promise<Artifact | null>;
  /** The tab that it works in, and the frame in it that was switched to. */
  readonly page: () => Page;
  readonly frame: () => Frame | null;
};

export type SessionParts = {
  readonly context: BrowserContext;
  readonly domains: Domains;
  readonly readTarget: (url: string) => URL;
  /** The longest HTML of a page. */
  readonly mostChars: number;
  readonly signal: AbortSignal;
  readonly fail: (error: Error) => void;
  /** Where the gate of the context did not let its page go since the last time that this was asked. */
  readonly refused: () => URL | null;
};

const MOST_TABS = 10;
/** A page whose images never end is taken as it is after so long, and so is one that never is still, ms. */
const MOST_LOADING_MS = 8_000;
const QUIET_MS = 100;
const MOST_STIRRING_MS = 3_000;
/** The same for a snapshot, of which there is one a step. */
const GLANCE_MS = 700;
/** What was clicked needs a moment to open another tab, ms. */
const OPENING_MS = 5_000;
const SHOT_MS = 5_000;
const LOOK_MS = 10_000;
/** Pages that follow each other by themselves while one is looked at. */
const MOST_PAGES = 5;
const REPLACED = /context was destroyed|Cannot find context|frame (?:was|got) detached|because of a navigation/i;
/** The driver's own time ends first, since it knows why. */
const GRACE_MS = 500;

/** Opens a tab of a context as a session. */
export async function openSession(parts: SessionParts): Promise<InteractSession> {
  const { context, domains, readTarget, mostChars, signal, fail, refused } = parts;
  let page = await context.newPage();
  let frame: Frame | null = null;
  let numbered: ReadonlyMap<number, Frame> = new Map();
  let armed: { readonly accept: boolean; readonly text: string | undefined } | null = null;

  context.on('dialog', (dialog) => {
    // A page that asks whether it may be left is left; every other question is answered with no.
    const { accept, text } = armed ?? { accept: dialog.type() === 'beforeunload', text: undefined };
    armed = null;
    (accept ? dialog.accept(text) : dialog.dismiss()).catch(ignore);
  });
  context.on('page', (opened) => watch(opened));
  watch(page);

  function watch(tab: Page): void {
    tab.on('crash', () => fail(failed('render_failed', 'the browser failed at this page', { reason: 'crash' })));
    if (context.pages().length > MOST_TABS) tab.close().catch(ignore);
  }

  function tabNow(): Page {
    if (!page.isClosed()) return page;
    const last = context.pages().at(-1);
    if (last === undefined) throw new ActionFailed('the last tab is closed');
    [page, frame] = [last, null];
    return page;
  }

  function rootNow(): Page | Frame {
    const tab = tabNow();
    if (frame?.isDetached() === true) throw new ActionFailed('the frame that was switched to is gone');
    return frame ?? tab;
  }

  const find = (target: Target): Locator => locate({ root: rootNow(), numbered }, target);

  async function goTo(text: string, timeout: number): Promise<void> {
    const url = readTarget(text);
    if (!domains.admits(url.hostname)) throw offDomains(url);
    frame = null;
    await tabNow().goto(url.href, { waitUntil: 'domcontentloaded', timeout });
  }

  /** A tab that was opened a moment ago is waited for. */
  async function tabOf(tab: number | 'last', timeout: number): Promise<Page> {
    const at = tab === 'last' ? -1 : tab;
    const chosen = context.pages().at(at);
    if (chosen !== undefined && (tab !== 'last' || chosen !== page)) return chosen;
    const opened = await context.waitForEvent('page', { timeout: Math.min(timeout, OPENING_MS) }).catch(() => null);
    const there = context.pages().at(at) ?? opened;
    if (there === null) throw new ActionFailed(`there is no tab ${tab}`);
    return there;
  }

  async function switchTo(action: Extract<PageAction, { readonly type: 'switch' }>, timeout: number): Promise<void> {
    if ('tab' in action) {
      [page, frame] = [await tabOf(action.tab, timeout), null];
      await page.bringToFront();
      // A tab is known before it shows what it was opened for.
      return page.waitForLoadState('domcontentloaded', { timeout });
    }
    if (action.frame === 'main') {
      frame = null;
      return undefined;
    }
    const element = await find(action.frame).elementHandle({ timeout });
    frame = (await element?.contentFrame()) ?? null;
    if (frame === null) throw new ActionFailed('the target is no frame');
    return undefined;
  }

  async function actIn(action: PageAction, at: At): Promise<Brought> {
    if (action.type === 'goto') await goTo(action.url, at.timeout);
    else if (action.type === 'switch') await switchTo(action, at.timeout);
    else if (action.type === 'dialog') armed = { accept: action.accept, text: action.text };
    else return act(action, at);
    return { kind: 'nothing' };
  }

  return {
    signal,
    async act(action, timeoutMs) {
      let used: Locator | null = null;
      refused();
      try {
        const at: At = {
          page: tabNow(),
          root: rootNow(),
          locate(target) {
            used = find(target);
            return used;
          },
          timeout: timeoutMs,
          signal,
        };
        const brought = await within(actIn(action, at), { ms: timeoutMs + GRACE_MS, signal });
        const url = refused();
        if (url !== null) throw offDomains(url);
        return brought;
      } catch (error) {
        signal.throwIfAborted();
        const url = refused();
        throw url === null ? await toActionFailure(error, used) : offDomains(url);
      }
    },
    async has(target) {
      const locator = find(target);
      const one = target.nth === undefined ? locator.first() : locator;
      return within(one.isVisible(), { ms: LOOK_MS, signal }).catch((error: unknown) => {
        signal.throwIfAborted();
        return toActionFailure(error, null).then((failure) => Promise.reject(failure));
      });
    },
    look: async (patienceMs) =>
      withNextPage(signal, async () => {
        const root = rootNow();
        await settled(root, { mostStirringMs: MOST_STIRRING_MS, signal });
        await filled(root, { patienceMs, signal });
        const { expression, result } = take(mostChars, 'as it is');
        const shown = result.parse(await within(root.evaluate(expression), { ms: LOOK_MS, signal }));
        if (shown.html !== null) return { url: shown.url, html: shown.html };
        throw pageTooLarge(mostChars, { reason: 'decoded_bytes' });
      }),
    url: () => (page.isClosed() ? '' : page.url()),
    snapshot: async (patienceMs) =>
      withNextPage(signal, async () => {
        const tab = tabNow();
        await settled(rootNow(), { mostStirringMs: GLANCE_MS, signal });
        let looked = await within(lookAtFrames(tab), { ms: LOOK_MS, signal });
        if (looked.frames.every(({ items }) => items.length === 0)) {
          await filled(rootNow(), { patienceMs, signal });
          looked = await within(lookAtFrames(tab), { ms: LOOK_MS, signal });
        }
        ({ numbered } = looked);
        return toSnapshot(looked.frames);
      }),
    async shoot() {
      if (page.isClosed()) return null;
      const shot = shootPage(page, { fullPage: false, timeout: SHOT_MS });
      return within(shot, { ms: SHOT_MS, signal }).catch(() => null);
    },
    page: tabNow,
    frame: () => frame,
  };
}

/** Asks a page again whose place another takes meanwhile, which is what its driver then says; throws `ServiceError`. */
async function withNextPage<T>(signal: AbortSignal, ask: () => Promise<T>): Promise<T> {
  for (let asked = 1; ; asked += 1) {
    try {
      return await ask();
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof Error) || error instanceof ServiceError || error instanceof ActionFailed) throw error;
      if (asked >= MOST_PAGES || !REPLACED.test(error.message)) {
        throw failed('timeout', 'the page does not answer', { reason: 'render', cause: error });
      }
    }
    await SYSTEM_CLOCK.sleep(QUIET_MS, signal);
  }
}

type Stirring = { readonly mostStirringMs: number; readonly signal: AbortSignal };

/** Waits until nothing stirs, or has stirred for long enough. */
async function settled(root: Page | Frame, { mostStirringMs, signal }: Stirring): Promise<void> {
  const ms = MOST_LOADING_MS + mostStirringMs + GRACE_MS;
  await within(settle(root, mostStirringMs), { ms, signal }).catch(() => signal.throwIfAborted());
}

async function settle(root: Page | Frame, mostStirringMs: number): Promise<void> {
  await root.waitForLoadState('load', { timeout: MOST_LOADING_MS }).catch(ignore);
  await root.evaluate(stateWhenStill(QUIET_MS, mostStirringMs).expression).catch(ignore);
}

type Filling = { readonly patienceMs: number; readonly signal: AbortSignal };

/** Waits until a page shows some text or something to act on, for as long as it may still fill itself. */
async function filled(root: Page | Frame, { patienceMs, signal }: Filling): Promise<void> {
  if (patienceMs > 0) await within(fill(root), { ms: patienceMs, signal }).catch(() => signal.throwIfAborted());
}

async function fill(root: Page | Frame): Promise<void> {
  const { expression, result } = stateWhenStill(QUIET_MS, MOST_STIRRING_MS);
  for (;;) {
    const look = result.parse(await root.evaluate(expression));
    if (!look.isAlive || look.hasControls || !showsLittle(look)) return;
    await SYSTEM_CLOCK.sleep(QUIET_MS);
  }
}

/** Waits no longer than `ms` and the signal; what is left behind ends with the context. */
async function within<T>(
  work: Promise<T>,
  { ms, signal }: { readonly ms: number; readonly signal: AbortSignal },
): Promise<T> {
  const late = new AbortController();
  const waiting = SYSTEM_CLOCK.sleep(ms, AbortSignal.any([signal, late.signal])).then(() => {
    throw new Error('timed out');
  });
  try {
    return await Promise.race([work, waiting]);
  } finally {
    late.abort();
    waiting.catch(ignore);
    work.catch(ignore);
  }
}

function offDomains(url: URL): ServiceError {
  return new ServiceError('invalid_request', `it leads to ${url.hostname}, which is none of allowed_domains`);
}

/** Whoever waits for it learns of it where it ends. */
function ignore(): void {}
