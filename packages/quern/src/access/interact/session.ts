import type { BrowserContext, Dialog, Locator, Page } from 'patchright-core';
import { take } from '#access/browser/scripts.ts';
import { pageTooLarge } from '#access/failure.ts';
import type { Artifact } from '#access/page.ts';
import type { Clock } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import { act, type At } from './acts.ts';
import type { Brought, PageAction, Target } from './actions.ts';
import type { Domains } from './domains.ts';
import type { DownloadedFile, Downloads } from './downloads.ts';
import { type PageAfter, toActionFailure } from './faults.ts';
import { lookAtFrames } from './numbering.ts';
import { DRIVER_GRACE_MS, MAX_STIRRING_MS, PageWaits } from './page-waits.ts';
import { shootPage } from './pictures.ts';
import { SessionTabs } from './session-tabs.ts';
import { toSnapshot } from './snapshot.ts';

/** The page that a session is at, as a browser shows it now. */
export type ShownPage = { readonly url: string; readonly html: string };

export type SessionParts = {
  readonly context: BrowserContext;
  readonly domains: Domains;
  readonly readTarget: (url: string) => URL;
  /** The longest HTML of a page. */
  readonly mostChars: number;
  readonly clock: Clock;
  /** Fires with the call's signal, and when the browser or a rule of ours ends the session. */
  readonly signal: AbortSignal;
  /** Ends the session. */
  readonly fail: (error: Error) => void;
  /** The address that the gate of the context refused since the last call of this. */
  readonly refused: () => URL | null;
  /** The files that its pages download. */
  readonly downloads: Downloads;
};

/** A page that keeps changing is taken as it is after this time for a snapshot, of which there is one a step, ms. */
const GLANCE_MS = 700;
/** A document that is still asked for after a click or a key, in a frame or a new tab, may be a file within this time, ms. */
const DOWNLOAD_START_MS = 1_500;
/** A page that says nothing in this time does not answer, ms. */
const PING_MS = 1_000;
const SHOT_MS = 5_000;
const LOOK_MS = 10_000;

/** The prepared answer to the next dialog. */
type DialogAnswer = { readonly accept: boolean; readonly text: string | undefined };

/** A page that is acted on; all of it ends with its signal. */
export class InteractSession {
  readonly signal: AbortSignal;
  readonly #parts: SessionParts;
  readonly #tabs: SessionTabs;
  readonly #waits: PageWaits;
  #dialogAnswer: DialogAnswer | null = null;

  private constructor(parts: SessionParts, tabs: SessionTabs) {
    this.signal = parts.signal;
    this.#parts = parts;
    this.#tabs = tabs;
    this.#waits = new PageWaits(parts.clock, parts.signal);
    parts.context.on('dialog', (dialog) => this.#onDialog(dialog));
  }

  /** Opens a tab of a context as a session. */
  static async open(parts: SessionParts): Promise<InteractSession> {
    return new InteractSession(parts, await SessionTabs.open(parts));
  }

  /** Does one action. Throws `ActionFailed` where the page does not let it happen, and the signal's reason. */
  async act(action: PageAction, timeoutMs: number): Promise<Brought> {
    const { refused, clock, downloads } = this.#parts;
    const { signal } = this;
    const late = clock.deadline(timeoutMs);
    const before = downloads.begun();
    let used: Locator | null = null;
    refused();
    downloads.forgetAsking();
    try {
      const at: At = {
        page: this.#tabs.page(),
        root: this.#tabs.root(),
        locate: (target) => {
          used = this.#tabs.find(target);
          return used;
        },
        timeout: timeoutMs,
        clock,
        signal,
      };
      const mayStart = async (): Promise<boolean> => {
        await downloads.started(before, AbortSignal.any([signal, late, clock.deadline(DOWNLOAD_START_MS)]));
        return downloads.begun() > before;
      };
      const work = this.#actIn(action, at).catch(async (error: unknown): Promise<Brought> => {
        // An address that is a file is saved, and its page stays.
        if (isAborted(error) && (await mayStart())) return { kind: 'nothing' };
        throw error;
      });
      const brought = await this.#waits.within(work, timeoutMs + DRIVER_GRACE_MS);
      if (action.type === 'click' || action.type === 'press') await mayStart();
      const url = refused();
      if (url !== null) throw offDomains(url);
      if (action.type !== 'screenshot' && action.type !== 'pdf') {
        await downloads.settle(AbortSignal.any([signal, late]));
      }
      return brought;
    } catch (error) {
      signal.throwIfAborted();
      const url = refused();
      throw url === null ? await this.#toFailure(error, used) : offDomains(url);
    }
  }

  async #toFailure(error: unknown, used: Locator | null): Promise<unknown> {
    const failure = await toActionFailure(error, async () => this.#lookAgain(used));
    this.signal.throwIfAborted();
    return failure;
  }

  /**
   * Looks at a page after an action that took too long. While a document is asked for, a page answers nothing: one that
   * stays away is given up, so that the session goes on with the page that is there.
   */
  async #lookAgain(used: Locator | null): Promise<PageAfter> {
    const page = this.#tabs.openPage();
    if (page === null) return { kind: 'silent' };
    if (await this.#answers(page)) {
      const matches = used === null ? null : await this.#waits.within(used.count(), PING_MS).catch(() => 0);
      return { kind: 'answers', matches };
    }
    await this.#waits.within(stopLoading(page), PING_MS).catch(ignore);
    return { kind: (await this.#answers(page)) ? 'stalled' : 'silent' };
  }

  async #answers(page: Page): Promise<boolean> {
    return this.#waits.within(page.evaluate('0'), PING_MS).then(
      () => true,
      () => false,
    );
  }

  /** The files that its pages have downloaded since the last call. */
  downloads(): AsyncIterable<DownloadedFile> {
    return this.#parts.downloads.take();
  }

  /** Waits for downloads that are under way, at most `ms`. Throws `ActionFailed` where one does not end well. */
  async settleDownloads(ms: number): Promise<void> {
    const { downloads, clock } = this.#parts;
    await downloads.settle(AbortSignal.any([this.signal, clock.deadline(ms)]));
  }

  /** Whether an element is there and can be seen now. */
  async has(target: Target): Promise<boolean> {
    const locator = this.#tabs.find(target);
    const one = target.nth === undefined ? locator.first() : locator;
    try {
      return await this.#waits.within(one.isVisible(), LOOK_MS);
    } catch (error) {
      this.signal.throwIfAborted();
      throw await this.#toFailure(error, null);
    }
  }

  /**
   * The page, once it is still; one that shows next to nothing and may fill itself gets up to `patienceMs` for it. Throws
   * `content_too_large`.
   */
  async look(patienceMs: number): Promise<ShownPage> {
    const { mostChars } = this.#parts;
    return this.#waits.withNextPage(async () => {
      const root = this.#tabs.root();
      await this.#waits.settled(root, MAX_STIRRING_MS);
      await this.#waits.filled(root, patienceMs);
      const { expression, result } = take(mostChars, 'as it is');
      const shown = result.parse(await this.#waits.within(root.evaluate(expression), LOOK_MS));
      if (shown.html !== null) return { url: shown.url, html: shown.html };
      throw pageTooLarge(mostChars, { reason: 'decoded_bytes' });
    });
  }

  /** The address of the page; empty where its tab is closed. */
  url(): string {
    return this.#tabs.openPage()?.url() ?? '';
  }

  /**
   * What the page shows once it is still, as lines `[n] role "name"`; one that shows nothing gets up to `patienceMs` to
   * fill itself. Until the next one, targets may be `{ element: n }`.
   */
  async snapshot(patienceMs: number): Promise<string> {
    return this.#waits.withNextPage(async () => {
      const page = this.#tabs.page();
      await this.#waits.settled(this.#tabs.root(), GLANCE_MS);
      let looked = await this.#lookAt(page);
      if (looked.frames.every(({ items }) => items.length === 0)) {
        await this.#waits.filled(this.#tabs.root(), patienceMs);
        looked = await this.#lookAt(page);
      }
      this.#tabs.number(looked.numbered);
      return toSnapshot(looked.frames);
    });
  }

  /** A picture of what the window shows; null where the page gives none. */
  async shoot(): Promise<Artifact | null> {
    const page = this.#tabs.openPage();
    if (page === null) return null;
    const shot = shootPage(page, { fullPage: false, timeout: SHOT_MS });
    return this.#waits.within(shot, SHOT_MS).catch(() => null);
  }

  /** The tab that it works in. */
  page(): Page {
    return this.#tabs.page();
  }

  async #lookAt(page: Page): ReturnType<typeof lookAtFrames> {
    return this.#waits.within(lookAtFrames(page, this.#parts.clock), LOOK_MS);
  }

  async #actIn(action: PageAction, at: At): Promise<Brought> {
    if (action.type === 'goto') await this.#goTo(action.url, at.timeout);
    else if (action.type === 'switch') await this.#tabs.switchTo(action, at.timeout);
    else if (action.type === 'dialog') this.#dialogAnswer = { accept: action.accept, text: action.text };
    else return act(action, at);
    return { kind: 'nothing' };
  }

  async #goTo(text: string, timeout: number): Promise<void> {
    const { readTarget, domains } = this.#parts;
    const url = readTarget(text);
    if (!domains.admits(url.hostname)) throw offDomains(url);
    await this.#tabs.goTo(url, timeout);
  }

  /** Without a prepared answer, a page that asks whether it may be left is left, and every other dialog is dismissed. */
  #onDialog(dialog: Dialog): void {
    const { accept, text } = this.#dialogAnswer ?? { accept: dialog.type() === 'beforeunload', text: undefined };
    this.#dialogAnswer = null;
    (accept ? dialog.accept(text) : dialog.dismiss()).catch(ignore);
  }
}

/** Gives up what a page loads. A session of its own is answered by the browser where the page is silent. */
async function stopLoading(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Page.stopLoading');
  await session.detach();
}

function isAborted(error: unknown): boolean {
  return error instanceof Error && /Download is starting|ERR_ABORTED/.test(error.message);
}

function offDomains(url: URL): ServiceError {
  return new ServiceError('invalid_request', `it leads to ${url.hostname}, which is none of allowed_domains`);
}

/** A dialog that is gone already is answered, and a page that is gone loads nothing. */
function ignore(): void {}
