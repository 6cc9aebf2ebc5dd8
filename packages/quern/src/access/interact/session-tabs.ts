import type { BrowserContext, Frame, Locator, Page } from 'patchright-core';
import { buildFailure } from '#access/failure.ts';
import type { Clock } from '#kernel/clock.ts';
import { ActionFailed, type PageAction, type Target } from './actions.ts';
import { NUMBERED_ENGINE_NAME } from './snapshot.ts';

const MAX_TABS = 10;
/** How long to wait for a tab that a page is about to open. */
const MAX_OPENING_MS = 5_000;
/** How long a new tab may stay empty. */
const MAX_EMPTY_MS = 8_000;
const POLL_MS = 50;
const MAX_URL_CHARS = 200;

/** Expression: whether a document is empty. */
const IS_EMPTY_SCRIPT = `document.body === null || (document.body.childElementCount === 0 && document.body.textContent.trim() === '')`;

export type SessionTabsOptions = {
  readonly context: BrowserContext;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Ends the session. */
  readonly fail: (error: Error) => void;
};

/** The tabs of a session: the current tab and frame, and the elements that the last snapshot numbered. */
export class SessionTabs {
  readonly #context: BrowserContext;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #fail: (error: Error) => void;
  /** The tabs that the session has used. */
  readonly #used = new WeakSet<Page>();
  #page: Page;
  #frame: Frame | null = null;
  #numbered: ReadonlyMap<number, Frame> = new Map();

  private constructor({ context, clock, signal, fail }: SessionTabsOptions, page: Page) {
    this.#context = context;
    this.#clock = clock;
    this.#signal = signal;
    this.#fail = fail;
    this.#page = page;
    this.#used.add(page);
    context.on('page', (opened) => this.#watch(opened));
    this.#watch(page);
  }

  static async open(options: SessionTabsOptions): Promise<SessionTabs> {
    return new SessionTabs(options, await options.context.newPage());
  }

  /** The current tab; if it was closed, the last one becomes current. */
  getPage(): Page {
    if (!this.#page.isClosed()) return this.#page;
    const last = this.#context.pages().at(-1);
    if (last === undefined) throw new ActionFailed('the last tab is closed');
    [this.#page, this.#frame] = [last, null];
    return last;
  }

  /** The current tab if it is open, else null. */
  getOpenPage(): Page | null {
    return this.#page.isClosed() ? null : this.#page;
  }

  /** The frame that the session switched to, else the page. */
  getRoot(): Page | Frame {
    const page = this.getPage();
    if (this.#frame?.isDetached() === true) throw new ActionFailed('the frame that was switched to is gone');
    return this.#frame ?? page;
  }

  locate(target: Target): Locator {
    return locateTarget({ root: this.getRoot(), numbered: this.#numbered }, target);
  }

  /** Sets the elements that targets can refer to by number. */
  setNumbered(elements: ReadonlyMap<number, Frame>): void {
    this.#numbered = elements;
  }

  /** Navigates the tab to a URL and leaves any frame. */
  async goTo(url: URL, timeout: number): Promise<void> {
    this.#frame = null;
    await this.getPage().goto(url.href, { waitUntil: 'domcontentloaded', timeout });
  }

  async switchTo(action: Extract<PageAction, { readonly type: 'switch' }>, timeout: number): Promise<void> {
    if ('tab' in action) return this.#switchTab(action.tab, timeout);
    if (action.frame === 'main') {
      this.#frame = null;
      return undefined;
    }
    const element = await this.locate(action.frame).elementHandle({ timeout });
    this.#frame = (await element?.contentFrame()) ?? null;
    if (this.#frame === null) throw new ActionFailed('the target is not a frame');
    return undefined;
  }

  async #switchTab(tab: number | 'last', timeout: number): Promise<void> {
    const until = this.#clock.monotonic() + timeout;
    const left = (): number => Math.max(1, until - this.#clock.monotonic());
    [this.#page, this.#frame] = [await this.#tabAt(tab, left()), null];
    this.#used.add(this.#page);
    await this.#page.bringToFront();
    await this.#arrived(this.#page, left());
    await this.#page.waitForLoadState('domcontentloaded', { timeout: left() });
  }

  /** Returns a tab by index; waits for it if it does not exist yet. */
  async #tabAt(tab: number | 'last', timeout: number): Promise<Page> {
    if (tab === 'last') return this.#lastTab(timeout);
    const isThere = (): boolean => this.#context.pages().length > tab;
    if (!isThere()) await this.#nextTab(timeout, isThere);
    const page = this.#context.pages().at(tab);
    if (page === undefined) throw this.#noTab(`there is no tab ${tab}`);
    return page;
  }

  /** Returns the tab that was opened last. If all tabs were already used, waits for a new one. */
  async #lastTab(timeout: number): Promise<Page> {
    const last = (): Page | undefined => this.#context.pages().at(-1);
    const isNew = (): boolean => !this.#used.has(last() ?? this.#page);
    const isCurrent = last() === this.#page;
    if (!isNew()) await this.#nextTab(isCurrent ? timeout : Math.min(timeout, MAX_OPENING_MS), isNew);
    const page = last();
    if (page === undefined || page === this.#page) throw this.#noTab('no tab was opened after this one');
    return page;
  }

  async #nextTab(timeout: number, predicate: () => boolean): Promise<void> {
    await this.#context.waitForEvent('page', { timeout, predicate }).catch(ignoreClosedTab);
  }

  #noTab(problem: string): ActionFailed {
    const pages = this.#context.pages();
    const there = pages.map((page, at) => `${at} (${page.url().slice(0, MAX_URL_CHARS)})`).join(', ');
    return new ActionFailed(`${problem}: the session has ${pages.length === 1 ? 'tab' : 'tabs'} ${there}`);
  }

  /** Waits until a new tab has content: it is empty until its document arrives or a script writes it. */
  async #arrived(tab: Page, timeout: number): Promise<void> {
    const until = this.#clock.monotonic() + Math.min(timeout, MAX_EMPTY_MS);
    while (this.#clock.monotonic() < until && !tab.isClosed() && /^(?:about:blank)?$/.test(tab.url())) {
      const isEmpty: unknown = await tab.evaluate(IS_EMPTY_SCRIPT).catch(() => true);
      if (isEmpty === false) return;
      await this.#clock.sleep(POLL_MS, this.#signal);
    }
  }

  #watch(tab: Page): void {
    tab.on('crash', () =>
      this.#fail(buildFailure('render_failed', 'the browser failed on this page', { reason: 'crash' })),
    );
    if (this.#context.pages().length > MAX_TABS) tab.close().catch(ignoreClosedTab);
  }
}

/** Ignores errors for a tab that is already closed. */
function ignoreClosedTab(): void {}

/** Where to search for targets, and the elements that the last snapshot numbered. */
type TargetScope = { readonly root: Page | Frame; readonly numbered: ReadonlyMap<number, Frame> };

/** A locator for a target; it searches only when it is used. */
function locateTarget({ root, numbered }: TargetScope, target: Target): Locator {
  const within = target.frame === undefined ? root : root.frameLocator(`css=${target.frame}`);
  const element = findElement(within, numbered, target);
  return target.nth === undefined ? element : element.nth(target.nth);
}

type LocatorScope = Pick<
  Frame,
  'locator' | 'getByText' | 'getByRole' | 'getByLabel' | 'getByPlaceholder' | 'getByTestId'
>;

function findElement(within: LocatorScope, numbered: TargetScope['numbered'], target: Target): Locator {
  if ('css' in target) return within.locator(`css=${target.css}`);
  if ('xpath' in target) return within.locator(`xpath=${target.xpath}`);
  if ('text' in target) return within.getByText(target.text);
  if ('label' in target) return within.getByLabel(target.label);
  if ('placeholder' in target) return within.getByPlaceholder(target.placeholder);
  if ('test_id' in target) return within.getByTestId(target.test_id);
  if ('role' in target) {
    return within.getByRole(target.role, target.name === undefined ? {} : { name: target.name });
  }
  const frame = numbered.get(target.element);
  if (frame === undefined) throw new ActionFailed(`no element ${target.element} in the last snapshot`);
  return frame.locator(`${NUMBERED_ENGINE_NAME}=${target.element}`);
}
