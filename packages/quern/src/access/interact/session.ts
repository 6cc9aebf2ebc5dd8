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

/** The current page of a session, as the browser shows it. */
export type ShownPage = { readonly url: string; readonly html: string };

export type SessionOptions = {
  readonly context: BrowserContext;
  readonly domains: AllowedDomains;
  readonly readTarget: (url: string) => URL;
  /** Maximum characters of a page's HTML. */
  readonly maxChars: number;
  readonly clock: Clock;
  /** Fires with the call's signal, and when the browser or one of our rules ends the session. */
  readonly signal: AbortSignal;
  /** Ends the session. */
  readonly fail: (error: Error) => void;
  /** The URL that the gate blocked since the last call of this function; null if none. */
  readonly takeRefused: () => URL | null;
  /** The downloads of its pages. */
  readonly downloads: Downloads;
};

/** Maximum wait for a changing page before a snapshot, ms. It is short, because each step takes a snapshot. */
const SNAPSHOT_WAIT_MS = 700;
/** How long to wait, after a click or a key, whether a pending document becomes a download, ms. */
const DOWNLOAD_START_MS = 1_500;
/** A page that does not answer within this time is unresponsive, ms. */
const PING_TIMEOUT_MS = 1_000;
const SCREENSHOT_TIMEOUT_MS = 5_000;
const READ_TIMEOUT_MS = 10_000;

/** The prepared answer to the next dialog. */
type DialogAnswer = { readonly accept: boolean; readonly text: string | undefined };

/** A browser session whose page can be acted on. It ends when its signal fires. */
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

  /** Runs one action. Throws `ActionFailed` if the page does not allow it, and the signal's reason if it fires. */
  async act(action: PageAction, timeoutMs: number): Promise<ActionResult> {
    const { takeRefused, clock, downloads } = this.#parts;
    const { signal } = this;
    const late = clock.deadline(timeoutMs);
    const before = downloads.countStarted();
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
      const waitForDownload = async (): Promise<boolean> => {
        await downloads.waitForStart(before, AbortSignal.any([signal, late, clock.deadline(DOWNLOAD_START_MS)]));
        return downloads.countStarted() > before;
      };
      const work = this.#actIn(action, at).catch(async (error: unknown): Promise<ActionResult> => {
        // If the URL is a file, it is downloaded and the page does not change.
        if (isDownloadAbort(error) && (await waitForDownload())) return { kind: 'nothing' };
        throw error;
      });
      const result = await this.#waits.waitAtMost(work, timeoutMs + DRIVER_GRACE_MS);
      if (action.type === 'click' || action.type === 'press') await waitForDownload();
      const url = takeRefused();
      if (url !== null) throw buildOffDomains(url);
      if (action.type !== 'screenshot' && action.type !== 'pdf') {
        await downloads.waitUntilDone(AbortSignal.any([signal, late]));
      }
      return result;
    } catch (error) {
      signal.throwIfAborted();
      const url = takeRefused();
      throw url === null ? await this.#toFailure(error, used) : buildOffDomains(url);
    }
  }

  async #toFailure(error: unknown, used: Locator | null): Promise<unknown> {
    const failure = await toActionFailure(error, async () => this.#readStatus(used));
    this.signal.throwIfAborted();
    return failure;
  }

  /**
   * Reads the state of a page after an action that took too long. A page does not answer while a document is pending. The
   * pending document is then cancelled, so that the session can continue with the current page.
   */
  async #readStatus(used: Locator | null): Promise<PageStatus> {
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

  /** The files that its pages downloaded since the last call. */
  downloads(): AsyncIterable<DownloadedFile> {
    return this.#parts.downloads.take();
  }

  /** Waits for running downloads, at most `ms`. Throws `ActionFailed` if one fails. */
  async settleDownloads(ms: number): Promise<void> {
    const { downloads, clock } = this.#parts;
    await downloads.waitUntilDone(AbortSignal.any([this.signal, clock.deadline(ms)]));
  }

  /** Whether an element exists and is visible now. */
  async has(target: Target): Promise<boolean> {
    const locator = this.#tabs.locate(target);
    const element = target.nth === undefined ? locator.first() : locator;
    try {
      return await this.#waits.waitAtMost(element.isVisible(), READ_TIMEOUT_MS);
    } catch (error) {
      this.signal.throwIfAborted();
      throw await this.#toFailure(error, null);
    }
  }

  /**
   * Reads the page once it no longer changes. A nearly empty page that scripts may fill gets up to `patienceMs` more. Throws
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

  /** The URL of the page; empty if its tab is closed. */
  url(): string {
    return this.#tabs.getOpenPage()?.url() ?? '';
  }

  /**
   * Reads the visible page, once it no longer changes, as lines `[n] role "name"`. An empty page gets up to `patienceMs`
   * more. Until the next snapshot, targets may be `{ element: n }`.
   */
  async snapshot(patienceMs: number): Promise<string> {
    return this.#waits.retryOnNewPage(async () => {
      const page = this.#tabs.getPage();
      await this.#waits.waitUntilStable(this.#tabs.getRoot(), SNAPSHOT_WAIT_MS);
      let elements = await this.#lookAt(page);
      if (elements.frames.every(({ items }) => items.length === 0)) {
        await this.#waits.waitUntilFilled(this.#tabs.getRoot(), patienceMs);
        elements = await this.#lookAt(page);
      }
      this.#tabs.setNumbered(elements.numbered);
      return formatSnapshot(elements.frames);
    });
  }

  /** A screenshot of the window; null if the page does not allow one. */
  async shoot(): Promise<Artifact | null> {
    const page = this.#tabs.getOpenPage();
    if (page === null) return null;
    const shot = screenshotPage(page, { fullPage: false, timeout: SCREENSHOT_TIMEOUT_MS });
    return this.#waits.waitAtMost(shot, SCREENSHOT_TIMEOUT_MS).catch(() => null);
  }

  /** The current tab. */
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

  /** Without a prepared answer, `beforeunload` dialogs are accepted and all others dismissed. */
  #onDialog(dialog: Dialog): void {
    const { accept, text } = this.#dialogAnswer ?? { accept: dialog.type() === 'beforeunload', text: undefined };
    this.#dialogAnswer = null;
    (accept ? dialog.accept(text) : dialog.dismiss()).catch(ignoreGonePage);
  }
}

/** Stops the loading of a page. It uses a new DevTools session, which the browser answers even if the page does not. */
async function stopLoading(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Page.stopLoading');
  await session.detach();
}

function isDownloadAbort(error: unknown): boolean {
  return error instanceof Error && /Download is starting|ERR_ABORTED/.test(error.message);
}

function buildOffDomains(url: URL): ServiceError {
  return new ServiceError('invalid_request', `${url.hostname} is not in allowed_domains`);
}

/** Ignores errors of dialogs and pages that no longer exist. */
function ignoreGonePage(): void {}
