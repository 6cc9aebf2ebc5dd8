import type { BrowserContext, Dialog, Locator, Page } from 'patchright-core';
import { buildReadPageScript } from '#access/browser/scripts.ts';
import { buildPageTooLarge } from '#access/failure.ts';
import type { Artifact } from '#access/page.ts';
import type { Clock } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import { runAction, type ActionContext, screenshotPage } from './run-action.ts';
import { type ActionResult, type PageAction, type Target, type PageStatus, toActionFailure } from './actions.ts';
import type { AllowedDomains } from './domains.ts';
import type { DownloadedFile, Downloads } from './downloads.ts';
import { numberElements, formatSnapshot } from './snapshot.ts';
import { DRIVER_GRACE_MS, MAX_CHANGING_MS, PageWaits } from './page-waits.ts';
import { SessionTabs } from './session-tabs.ts';

/** The page that a session is at, as a browser shows it now. */
export type ShownPage = { readonly url: string; readonly html: string };

export type SessionOptions = {
  readonly context: BrowserContext;
  readonly domains: AllowedDomains;
  readonly readTarget: (url: string) => URL;
  /** The longest HTML of a page. */
  readonly maxChars: number;
  readonly clock: Clock;
  /** Fires with the call's signal, and when the browser or a rule of ours ends the session. */
  readonly signal: AbortSignal;
  /** Ends the session. */
  readonly fail: (error: Error) => void;
  /** The address that the gate of the context refused since the last call of this. */
  readonly takeRefused: () => URL | null;
  /** The files that its pages download. */
  readonly downloads: Downloads;
};

/** A page that keeps changing is taken as it is after this time for a snapshot, of which there is one a step, ms. */
const SNAPSHOT_WAIT_MS = 700;
/** A document that is still asked for after a click or a key, in a frame or a new tab, may be a file within this time, ms. */
const DOWNLOAD_START_MS = 1_500;
/** A page that says nothing in this time does not answer, ms. */
const PING_TIMEOUT_MS = 1_000;
const SCREENSHOT_TIMEOUT_MS = 5_000;
const READ_TIMEOUT_MS = 10_000;

/** The prepared answer to the next dialog. */
type DialogAnswer = { readonly accept: boolean; readonly text: string | undefined };

/** A page that is acted on; all of it ends with its signal. */
export class InteractSession {
  readonly signal: AbortSignal;
  readonly #parts: SessionOptions;
  readonly #tabs: SessionTabs;
  readonly #waits: PageWaits;
  #dialogAnswer: DialogAnswer | null = null;

  private constructor(parts: SessionOptions, tabs: SessionTabs) {
    this.signal = parts.signal;
    this.#parts = parts;
    this.#tabs = tabs;
    this.#waits = new PageWaits(parts.clock, parts.signal);
    parts.context.on('dialog', (dialog) => this.#onDialog(dialog));
  }

  /** Opens a tab of a context as a session. */
  static async open(parts: SessionOptions): Promise<InteractSession> {
    return new InteractSession(parts, await SessionTabs.open(parts));
  }

  /** Does one action. Throws `ActionFailed` where the page does not let it happen, and the signal's reason. */
  async act(action: PageAction, timeoutMs: number): Promise<ActionResult> {
    const { takeRefused, clock, downloads } = this.#parts;
    const { signal } = this;
    const late = clock.deadline(timeoutMs);
    const before = downloads.countBegun();
    let used: Locator | null = null;
    takeRefused();
    downloads.forgetRequests();
    try {
      const at: ActionContext = {
        page: this.#tabs.getPage(),
        root: this.#tabs.getRoot(),
        locate: (target) => {
          used = this.#tabs.locate(target);
          return used;
        },
        timeout: timeoutMs,
        clock,
        signal,
      };
      const mayStart = async (): Promise<boolean> => {
        await downloads.waitForStart(before, AbortSignal.any([signal, late, clock.deadline(DOWNLOAD_START_MS)]));
        return downloads.countBegun() > before;
      };
      const work = this.#actIn(action, at).catch(async (error: unknown): Promise<ActionResult> => {
        // An address that is a file is saved, and its page stays.
        if (isDownloadAbort(error) && (await mayStart())) return { kind: 'nothing' };
        throw error;
      });
      const brought = await this.#waits.waitAtMost(work, timeoutMs + DRIVER_GRACE_MS);
      if (action.type === 'click' || action.type === 'press') await mayStart();
      const url = takeRefused();
      if (url !== null) throw buildOffDomains(url);
      if (action.type !== 'screenshot' && action.type !== 'pdf') {
        await downloads.waitUntilDone(AbortSignal.any([signal, late]));
      }
      return brought;
    } catch (error) {
      signal.throwIfAborted();
      const url = takeRefused();
      throw url === null ? await this.#toFailure(error, used) : buildOffDomains(url);
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
  async #lookAgain(used: Locator | null): Promise<PageStatus> {
    const page = this.#tabs.getOpenPage();
    if (page === null) return { kind: 'silent' };
    if (await this.#answers(page)) {
      const matches = used === null ? null : await this.#waits.waitAtMost(used.count(), PING_TIMEOUT_MS).catch(() => 0);
      return { kind: 'answers', matches };
    }
    await this.#waits.waitAtMost(stopLoading(page), PING_TIMEOUT_MS).catch(ignoreGonePage);
    return { kind: (await this.#answers(page)) ? 'stalled' : 'silent' };
  }

  async #answers(page: Page): Promise<boolean> {
    return this.#waits.waitAtMost(page.evaluate('0'), PING_TIMEOUT_MS).then(
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
    await downloads.waitUntilDone(AbortSignal.any([this.signal, clock.deadline(ms)]));
  }

  /** Whether an element is there and can be seen now. */
  async has(target: Target): Promise<boolean> {
    const locator = this.#tabs.locate(target);
    const one = target.nth === undefined ? locator.first() : locator;
    try {
      return await this.#waits.waitAtMost(one.isVisible(), READ_TIMEOUT_MS);
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
    const { maxChars } = this.#parts;
    return this.#waits.retryOnNewPage(async () => {
      const root = this.#tabs.getRoot();
      await this.#waits.waitUntilStable(root, MAX_CHANGING_MS);
      await this.#waits.waitUntilFilled(root, patienceMs);
      const { expression, result } = buildReadPageScript(maxChars, 'as it is');
      const shown = result.parse(await this.#waits.waitAtMost(root.evaluate(expression), READ_TIMEOUT_MS));
      if (shown.html !== null) return { url: shown.url, html: shown.html };
      throw buildPageTooLarge(maxChars, { reason: 'decoded_bytes' });
    });
  }

  /** The address of the page; empty where its tab is closed. */
  url(): string {
    return this.#tabs.getOpenPage()?.url() ?? '';
  }

  /**
   * What the page shows once it is still, as lines `[n] role "name"`; one that shows nothing gets up to `patienceMs` to
   * fill itself. Until the next one, targets may be `{ element: n }`.
   */
  async snapshot(patienceMs: number): Promise<string> {
    return this.#waits.retryOnNewPage(async () => {
      const page = this.#tabs.getPage();
      await this.#waits.waitUntilStable(this.#tabs.getRoot(), SNAPSHOT_WAIT_MS);
      let looked = await this.#lookAt(page);
      if (looked.frames.every(({ items }) => items.length === 0)) {
        await this.#waits.waitUntilFilled(this.#tabs.getRoot(), patienceMs);
        looked = await this.#lookAt(page);
      }
      this.#tabs.setNumbered(looked.numbered);
      return formatSnapshot(looked.frames);
    });
  }

  /** A picture of what the window shows; null where the page gives none. */
  async shoot(): Promise<Artifact | null> {
    const page = this.#tabs.getOpenPage();
    if (page === null) return null;
    const shot = screenshotPage(page, { fullPage: false, timeout: SCREENSHOT_TIMEOUT_MS });
    return this.#waits.waitAtMost(shot, SCREENSHOT_TIMEOUT_MS).catch(() => null);
  }

  /** The tab that it works in. */
  page(): Page {
    return this.#tabs.getPage();
  }

  async #lookAt(page: Page): ReturnType<typeof numberElements> {
    return this.#waits.waitAtMost(numberElements(page, this.#parts.clock), READ_TIMEOUT_MS);
  }

  async #actIn(action: PageAction, at: ActionContext): Promise<ActionResult> {
    if (action.type === 'goto') await this.#goTo(action.url, at.timeout);
    else if (action.type === 'switch') await this.#tabs.switchTo(action, at.timeout);
    else if (action.type === 'dialog') this.#dialogAnswer = { accept: action.accept, text: action.text };
    else return runAction(action, at);
    return { kind: 'nothing' };
  }

  async #goTo(text: string, timeout: number): Promise<void> {
    const { readTarget, domains } = this.#parts;
    const url = readTarget(text);
    if (!domains.admits(url.hostname)) throw buildOffDomains(url);
    await this.#tabs.goTo(url, timeout);
  }

  /** Without a prepared answer, a page that asks whether it may be left is left, and every other dialog is dismissed. */
  #onDialog(dialog: Dialog): void {
    const { accept, text } = this.#dialogAnswer ?? { accept: dialog.type() === 'beforeunload', text: undefined };
    this.#dialogAnswer = null;
    (accept ? dialog.accept(text) : dialog.dismiss()).catch(ignoreGonePage);
  }
}

/** Gives up what a page loads. A session of its own is answered by the browser where the page is silent. */
async function stopLoading(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Page.stopLoading');
  await session.detach();
}

function isDownloadAbort(error: unknown): boolean {
  return error instanceof Error && /Download is starting|ERR_ABORTED/.test(error.message);
}

function buildOffDomains(url: URL): ServiceError {
  return new ServiceError('invalid_request', `it leads to ${url.hostname}, which is none of allowed_domains`);
}

/** A dialog that is gone already is answered, and a page that is gone loads nothing. */
function ignoreGonePage(): void {}
