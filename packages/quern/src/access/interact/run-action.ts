import type { Frame, Locator, Page } from 'patchright-core';
import { MAX_PDF_BYTES, MAX_SIDE_PX, PDF_OPTIONS, readImageSize, computeClip } from '#access/browser/artifacts.ts';
import { concatBytes } from '#access/http/content-decoding.ts';
import type { Artifact } from '#access/page.ts';
import type { Clock } from '#kernel/clock.ts';
import { ActionFailed, type ActionResult, type PageAction, type Target } from './actions.ts';

/** The page and limits of an action. */
export type ActionContext = {
  readonly page: Page;
  /** The frame that the session switched to, else the page. */
  readonly root: Page | Frame;
  readonly locate: (target: Target) => Locator;
  /** Time limit of the action, ms. */
  readonly timeout: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
};

/** Actions that need only the page of the session. */
export type PlainAction = Exclude<PageAction, { readonly type: 'goto' | 'dialog' | 'switch' }>;

const NO_RESULT: ActionResult = { kind: 'nothing' };
/** The time for a list to grow after a scroll to its end. */
const SCROLL_PAUSE_MS = 300;

/** Runs one action; throws the driver's error, or `ActionFailed`. */
export async function runAction(action: PlainAction, at: ActionContext): Promise<ActionResult> {
  switch (action.type) {
    case 'screenshot':
      return { kind: 'file', file: await takeScreenshot(action, at) };
    case 'pdf':
      return { kind: 'file', file: await printPdf(at.page) };
    case 'evaluate':
      return { kind: 'value', value: await evaluateScript(at.root, action.script) };
    case 'wait':
      await waitForCondition(action, at);
      return NO_RESULT;
    case 'scroll':
      await scrollPage(action, at);
      return NO_RESULT;
    case 'back':
      await at.page.goBack({ waitUntil: 'domcontentloaded', timeout: at.timeout });
      return NO_RESULT;
    case 'reload':
      await at.page.reload({ waitUntil: 'domcontentloaded', timeout: at.timeout });
      return NO_RESULT;
    default:
      await runInputAction(action, at);
      return NO_RESULT;
  }
}

type InputAction = Extract<
  PlainAction,
  { readonly type: 'click' | 'type' | 'press' | 'select' | 'check' | 'uncheck' | 'hover' | 'drag' | 'upload' }
>;

/** Runs an action of mouse or keyboard. */
async function runInputAction(action: InputAction, { page, locate, timeout }: ActionContext): Promise<void> {
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

async function takeScreenshot(action: Extract<PageAction, { readonly type: 'screenshot' }>, at: ActionContext) {
  const { page, locate, timeout } = at;
  if (action.target === undefined) return screenshotPage(page, { fullPage: action.full_page, timeout });
  return screenshotElement(locate(action.target), timeout);
}

async function waitForCondition(
  action: Extract<PageAction, { readonly type: 'wait' }>,
  at: ActionContext,
): Promise<void> {
  const { page, root, locate, timeout, clock, signal } = at;
  if ('ms' in action) return clock.sleep(action.ms, signal);
  if ('url' in action) return page.waitForURL((url) => url.href.includes(action.url), { timeout, waitUntil: 'commit' });
  if ('text' in action) return root.getByText(action.text).first().waitFor({ timeout });
  if (action.for === 'load') return page.waitForLoadState('load', { timeout });
  if (action.for === 'idle') return page.waitForLoadState('networkidle', { timeout });
  const locator = locate(action.for);
  return (action.for.nth === undefined ? locator.first() : locator).waitFor({ timeout });
}

async function scrollPage(
  { to, within, times }: Extract<PageAction, { readonly type: 'scroll' }>,
  { root, locate, timeout, clock, signal }: ActionContext,
): Promise<void> {
  if (typeof to === 'object') return locate(to).scrollIntoViewIfNeeded({ timeout });
  const edge = to === 'top' ? '0' : '(document.scrollingElement ?? document.documentElement).scrollHeight';
  for (let done = 0; done < times; done += 1) {
    if (done > 0) await clock.sleep(SCROLL_PAUSE_MS, signal);
    if (within === undefined) await root.evaluate(`scrollTo({ top: ${edge}, behavior: 'instant' })`);
    else if (!(await locate(within).evaluate(scrollNearest, to, { timeout }))) {
      throw new ActionFailed('the target is not in a scrollable element: omit target to scroll the page');
    }
  }
}

/** Runs in the page: scrolls an element or its nearest scrollable ancestor; returns false if that is only the page. */
function scrollNearest(element: HTMLElement | SVGElement, to: 'end' | 'top'): boolean {
  const pages: readonly Element[] = [document.body, document.documentElement];
  const scrolls = (ancestor: Element): boolean =>
    /auto|scroll|overlay/.test(getComputedStyle(ancestor).overflowY) &&
    (ancestor === element || ancestor.scrollHeight > ancestor.clientHeight);
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

/** Maximum length of the value of a script as JSON, because it is part of the response. */
const MAX_VALUE_CHARS = 1024 * 1024;

/** The value as JSON, or why it cannot be serialized. */
type ScriptResult = { readonly json: string } | { readonly problem: string };

/** Evaluates an expression in the main world of the page; throws `ActionFailed` if JSON cannot represent its value. */
async function evaluateScript(root: Page | Frame, script: string): Promise<unknown> {
  const handle = await root.evaluateHandle(script, undefined, {}, false).catch((error: unknown) => {
    const firstLine = error instanceof Error ? (error.message.split('\n')[0] ?? '') : '';
    const reason = firstLine.replace(/^\w+\.evaluate(?:Handle)?: /, '').slice(0, 500);
    throw new ActionFailed(`the script failed: ${reason}`, { cause: error });
  });
  try {
    const serialized: ScriptResult = await handle.evaluate(serializeValue, MAX_VALUE_CHARS, {}, false);
    if ('problem' in serialized) throw new ActionFailed(`the value of the script ${serialized.problem.slice(0, 500)}`);
    if (serialized.json.length > MAX_VALUE_CHARS) throw new ActionFailed(`the value of the script ${TOO_LONG_MESSAGE}`);
    return JSON.parse(serialized.json);
  } finally {
    await handle.dispose().catch(ignoreGonePage);
  }
}

const TOO_LONG_MESSAGE = 'is longer than 1 MiB';

/** Runs in the page: serializes a value as JSON. Objects that JSON would show as `{}` are reported as a problem. */
function serializeValue(value: unknown, maxChars: number): ScriptResult {
  const places = new WeakMap<object, string>();
  let problem = '';

  // oxlint-disable-next-line unicorn/consistent-function-scoping -- goes to the page with the function around it
  function nameUnfit(candidate: unknown): string | null {
    if (typeof candidate !== 'object' || candidate === null) return null;
    const tag = Object.prototype.toString.call(candidate).slice(8, -1);
    const isNode = 'nodeType' in candidate && 'nodeName' in candidate && typeof candidate.nodeType === 'number';
    if (tag !== 'Object' && isNode) return 'a DOM node, which JSON cannot represent: return its text or an attribute';
    if (/^(?:Window|(?:Radio)?NodeList|HTML\w*Collection)$/.test(tag)) {
      return `a ${tag}, which JSON cannot represent: return texts or attributes of its elements`;
    }
    const isPlain =
      Array.isArray(candidate) || /^(?:Object|Number|String|Boolean|Arguments)$/.test(tag) || 'toJSON' in candidate;
    return isPlain || Object.keys(candidate).length > 0 ? null : `a ${tag}, which JSON cannot represent`;
  }

  function check(this: unknown, key: string, member: unknown): unknown {
    const holder = typeof this === 'object' && this !== null ? this : {};
    const above = places.get(holder);
    const step = Array.isArray(holder) ? `[${key}]` : `${above === '' ? '' : '.'}${key}`;
    const place = above === undefined ? '' : above + step;
    const unfit = nameUnfit(member);
    if (unfit !== null) {
      problem = place === '' ? `is ${unfit}` : `contains, at ${place}, ${unfit}`;
      throw new Error(problem);
    }
    if (typeof member === 'object' && member !== null && !places.has(member)) places.set(member, place);
    return member;
  }

  if (typeof value === 'function') return { problem: 'is a function: call it' };
  if (typeof value === 'symbol') return { problem: 'is a symbol, which JSON cannot represent' };
  try {
    const json = JSON.stringify(value, check) ?? 'null';
    return json.length > maxChars ? { problem: 'is longer than 1 MiB' } : { json };
  } catch (error) {
    const text = String(error);
    if (problem === '' && /BigInt/.test(text))
      problem = 'contains a BigInt, which JSON cannot represent: convert it to a string';
    if (problem === '' && /circular|cyclic/i.test(text))
      problem = 'contains a circular reference, which JSON cannot represent';
    return { problem: problem === '' ? `cannot be converted to JSON: ${text}` : problem };
  }
}

/** Ignores a handle of a page that is gone. */
function ignoreGonePage(): void {}

type TypeInput = { readonly text: string; readonly clear: boolean };

/** The kind of a field, and its value after typing; null if the field would reject it. */
type FieldCheck = {
  readonly kind: string;
  readonly value: string | null;
  readonly isFilled: boolean;
  readonly range: string;
};

/** The format of the values of each kind of field. */
const FIELD_FORMATS: Readonly<Record<string, string>> = {
  color: 'a colour as #rrggbb, such as #336699',
  date: 'a date as YYYY-MM-DD, such as 2026-03-31',
  time: 'a time as HH:MM, such as 14:30',
  'datetime-local': 'a date and time as YYYY-MM-DDTHH:MM, such as 2026-03-31T14:30',
  month: 'a month as YYYY-MM, such as 2026-03',
  week: 'a week as YYYY-Www, such as 2026-W14',
  number: 'a number, such as 12.5',
};

/** Hints for elements that need another action; empty for elements that take no text at all. */
const OTHER_ACTIONS: Readonly<Record<string, string>> = {
  select: ': choose an option with select',
  checkbox: ': use check or uncheck',
  radio: ': use check',
  file: ': use upload',
  button: ': use click',
  submit: ': use click',
  reset: ': use click',
  image: ': use click',
  hidden: '',
  none: '',
};

/**
 * Sets the text of a field at once, or appends to it key by key. A field that would reject the text stays unchanged:
 * browsers would empty it.
 */
async function typeText(
  { text, clear }: Extract<PageAction, { readonly type: 'type' }>,
  { locator, timeout }: { readonly locator: Locator; readonly timeout: number },
): Promise<void> {
  const { kind, value, isFilled, range } = await locator.evaluate(checkField, { text, clear }, { timeout });
  const other = OTHER_ACTIONS[kind];
  if (other !== undefined) throw new ActionFailed(`the element does not accept text${other}`);
  const form = kind === 'range' ? `a number ${range}` : FIELD_FORMATS[kind];
  if (form !== undefined && value === null) {
    const hint = !clear && isFilled ? '; with clear false, the text is appended to the existing value' : '';
    throw new ActionFailed(`the field accepts ${form}${hint}`);
  }
  if (clear || (form !== undefined && kind !== 'number')) return locator.fill(value ?? text, { timeout });
  if (kind === 'textarea' || kind === 'editable') {
    await locator.focus({ timeout });
    await locator.evaluate(moveToEnd, undefined, { timeout });
  } else await locator.press('End', { timeout });
  return locator.pressSequentially(text, { timeout });
}

/** Runs in the page: tries the value in a copy of the field. */
function checkField(element: HTMLElement | SVGElement, { text, clear }: TypeInput): FieldCheck {
  const isEditable = element instanceof HTMLElement && element.isContentEditable;
  const isField = isEditable || element.matches('a, button, input, select, textarea');
  const field = isField ? element : (element.closest('label')?.control ?? element);
  if (!(field instanceof HTMLInputElement)) {
    const kind = field.matches('textarea, select') ? field.localName : isEditable ? 'editable' : 'none';
    return { kind, value: null, isFilled: false, range: '' };
  }
  const { type } = field;
  const range = `from ${field.min || '0'} to ${field.max || '100'} in steps of ${field.step || '1'}`;
  const about = { isFilled: field.value !== '', range };
  if (!/^(?:color|date|datetime-local|month|number|range|time|week)$/.test(type))
    return { kind: type, value: null, ...about };
  const whole = ((clear ? '' : field.value) + text).trim();
  const wanted = type === 'color' ? whole.toLowerCase() : whole;
  const copy = document.createElement('input');
  for (const name of ['type', 'min', 'max', 'step']) copy.setAttribute(name, field.getAttribute(name) ?? '');
  copy.value = wanted;
  // A color field turns invalid colors into black, and a range field changes numbers outside of its range.
  const isTaken =
    type === 'color'
      ? copy.value !== '#000000' || /^(?:black|#0{3}|#0{6})$/.test(wanted)
      : type === 'range'
        ? wanted !== '' && Number(copy.value) === Number(wanted)
        : copy.value !== '' || wanted === '';
  return { kind: type, value: isTaken ? copy.value : null, ...about };
}

/** Runs in the page: moves the caret to the end of a multi-line element. */
function moveToEnd(element: HTMLElement | SVGElement): void {
  const field = element instanceof HTMLTextAreaElement ? element : element.closest('label')?.control;
  if (field instanceof HTMLTextAreaElement) {
    field.setSelectionRange(field.value.length, field.value.length);
    return;
  }
  const selection = getSelection();
  selection?.selectAllChildren(element);
  selection?.collapseToEnd();
}

const CHUNK_BYTES = 1024 * 1024;

const PAGE_SIZE_SCRIPT = `(() => {
  const { scrollWidth, scrollHeight } = document.documentElement;
  return [Math.max(scrollWidth, innerWidth), Math.max(scrollHeight, innerHeight)];
})()`;

/** A screenshot of the window, or of the whole page from its top within the bounds of a screenshot. */
export async function screenshotPage(
  page: Page,
  { fullPage, timeout }: { readonly fullPage: boolean; readonly timeout: number },
): Promise<Artifact> {
  if (!fullPage) return toScreenshot(await page.screenshot({ timeout }));
  const size: unknown = await page.evaluate(PAGE_SIZE_SCRIPT);
  const [wide, high] = Array.isArray(size) ? size.map(Number) : [];
  const { width, height } = computeClip({ width: wide ?? 1, height: high ?? 1 }, MAX_SIDE_PX.png);
  return toScreenshot(await page.screenshot({ fullPage: true, clip: { x: 0, y: 0, width, height }, timeout }));
}

/** One element, as far as it is no larger than a screenshot may be. */
async function screenshotElement(locator: Locator, timeout: number): Promise<Artifact> {
  const box = await locator.boundingBox({ timeout });
  if (box !== null && computeClip(box, MAX_SIDE_PX.png).isCut)
    throw new ActionFailed('the element is too large for a screenshot');
  return toScreenshot(await locator.screenshot({ timeout }));
}

function toScreenshot(buffer: Buffer): Artifact {
  const bytes = new Uint8Array(buffer);
  return { kind: 'screenshot', contentType: 'image/png', bytes, size: readImageSize(bytes) };
}

/** The page as a PDF, its first 200 sheets. */
async function printPdf(page: Page): Promise<Artifact> {
  const session = await page.context().newCDPSession(page);
  try {
    const { stream = '' } = await session.send('Page.printToPDF', PDF_OPTIONS);
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for (let isOver = false; !isOver;) {
      const { data, eof } = await session.send('IO.read', { handle: stream, size: CHUNK_BYTES });
      const chunk = Buffer.from(data, 'base64');
      bytes += chunk.byteLength;
      if (bytes > MAX_PDF_BYTES) throw new ActionFailed('the PDF is larger than 50 MiB');
      chunks.push(chunk);
      isOver = eof;
    }
    return { kind: 'pdf', contentType: 'application/pdf', bytes: concatBytes(chunks, bytes), size: null };
  } finally {
    await session.detach().catch(() => undefined);
  }
}
