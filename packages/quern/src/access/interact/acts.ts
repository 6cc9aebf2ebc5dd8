import type { Frame, Locator, Page } from 'patchright-core';
import type { Clock } from '#kernel/clock.ts';
import { ActionFailed, type Brought, type PageAction, type Target } from './actions.ts';
import { printPage, shootElement, shootPage } from './pictures.ts';
import { evaluateScript } from './script-value.ts';
import { typeText } from './typing.ts';

/** The page that an action works on. */
export type At = {
  readonly page: Page;
  /** The frame that was switched to, else the page. */
  readonly root: Page | Frame;
  readonly locate: (target: Target) => Locator;
  /** Time for the action, ms. */
  readonly timeout: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
};

/** The actions that need nothing of the session but its page. */
export type PlainAction = Exclude<PageAction, { readonly type: 'goto' | 'dialog' | 'switch' }>;

const NOTHING: Brought = { kind: 'nothing' };
/** The time for a list to grow after a scroll to its end. */
const SCROLL_PAUSE_MS = 300;

/** Does one action; throws the driver's error, or `ActionFailed`. */
export async function act(action: PlainAction, at: At): Promise<Brought> {
  switch (action.type) {
    case 'screenshot':
      return { kind: 'file', file: await shoot(action, at) };
    case 'pdf':
      return { kind: 'file', file: await printPage(at.page) };
    case 'evaluate':
      return { kind: 'value', value: await evaluateScript(at.root, action.script) };
    case 'wait':
      await wait(action, at);
      return NOTHING;
    case 'scroll':
      await scroll(action, at);
      return NOTHING;
    case 'back':
      await at.page.goBack({ waitUntil: 'domcontentloaded', timeout: at.timeout });
      return NOTHING;
    case 'reload':
      await at.page.reload({ waitUntil: 'domcontentloaded', timeout: at.timeout });
      return NOTHING;
    default:
      await touch(action, at);
      return NOTHING;
  }
}

type Touch = Extract<
  PlainAction,
  { readonly type: 'click' | 'type' | 'press' | 'select' | 'check' | 'uncheck' | 'hover' | 'drag' | 'upload' }
>;

/** Does an action of mouse and keyboard. */
async function touch(action: Touch, { page, locate, timeout }: At): Promise<void> {
  switch (action.type) {
    case 'click':
      return locate(action.target).click({ clickCount: action.count, timeout });
    case 'type':
      return typeText(action, { locator: locate(action.target), timeout });
    case 'press':
      if (action.target === undefined) return page.keyboard.press(action.key);
      return locate(action.target).press(action.key, { timeout });
    case 'select':
      return void (await locate(action.target).selectOption(toOption(action), { timeout }));
    case 'check':
      return locate(action.target).check({ timeout });
    case 'uncheck':
      return locate(action.target).uncheck({ timeout });
    case 'hover':
      return locate(action.target).hover({ timeout });
    case 'drag':
      return locate(action.from).dragTo(locate(action.to), { timeout });
    case 'upload': {
      const file = { name: action.name, mimeType: 'application/octet-stream', buffer: Buffer.from(action.bytes) };
      return locate(action.target).setInputFiles(file, { timeout });
    }
  }
}

function toOption({ value, label, index }: Extract<PageAction, { readonly type: 'select' }>) {
  if (value !== undefined) return { value };
  return label === undefined ? { index: index ?? 0 } : { label };
}

async function shoot(action: Extract<PageAction, { readonly type: 'screenshot' }>, at: At) {
  const { page, locate, timeout } = at;
  if (action.target === undefined) return shootPage(page, { fullPage: action.full_page, timeout });
  return shootElement(locate(action.target), timeout);
}

async function wait(action: Extract<PageAction, { readonly type: 'wait' }>, at: At): Promise<void> {
  const { page, root, locate, timeout, clock, signal } = at;
  if ('ms' in action) return clock.sleep(action.ms, signal);
  if ('url' in action) return page.waitForURL((url) => url.href.includes(action.url), { timeout, waitUntil: 'commit' });
  if ('text' in action) return root.getByText(action.text).first().waitFor({ timeout });
  if (action.for === 'load') return page.waitForLoadState('load', { timeout });
  if (action.for === 'idle') return page.waitForLoadState('networkidle', { timeout });
  const locator = locate(action.for);
  return (action.for.nth === undefined ? locator.first() : locator).waitFor({ timeout });
}

async function scroll(
  { to, within, times }: Extract<PageAction, { readonly type: 'scroll' }>,
  { root, locate, timeout, clock, signal }: At,
): Promise<void> {
  if (typeof to === 'object') return locate(to).scrollIntoViewIfNeeded({ timeout });
  const edge = to === 'top' ? '0' : '(document.scrollingElement ?? document.documentElement).scrollHeight';
  for (let done = 0; done < times; done += 1) {
    if (done > 0) await clock.sleep(SCROLL_PAUSE_MS, signal);
    if (within === undefined) await root.evaluate(`scrollTo({ top: ${edge}, behavior: 'instant' })`);
    else if (!(await locate(within).evaluate(scrollAround, to, { timeout }))) {
      throw new ActionFailed('nothing around the target scrolls but the page: leave target out');
    }
  }
}

/** Runs in the page: scrolls an element, or what scrolls around it; false where that is only the page. */
function scrollAround(element: HTMLElement | SVGElement, to: 'end' | 'top'): boolean {
  const pages: readonly Element[] = [document.body, document.documentElement];
  const scrolls = (one: Element): boolean =>
    /auto|scroll|overlay/.test(getComputedStyle(one).overflowY) &&
    (one === element || one.scrollHeight > one.clientHeight);
  let around: Element | null = element;
  while (around !== null && !pages.includes(around) && !scrolls(around)) {
    const root = around.getRootNode();
    around = around.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
  }
  if (around === null || (pages.includes(around) && !pages.includes(element))) return false;
  const scroller = pages.includes(around) ? (document.scrollingElement ?? around) : around;
  scroller.scrollTo({ top: to === 'top' ? 0 : scroller.scrollHeight, behavior: 'instant' });
  return true;
}
