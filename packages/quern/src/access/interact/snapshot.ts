import type { Frame, Page } from 'patchright-core';
import { z } from 'zod';
import type { Clock } from '#kernel/clock.ts';

/** The selector engine with which the driver finds an element by its number in the last snapshot of its frame. */
export const NUMBERED_ENGINE_NAME = 'quern-numbered';

/** The code of that engine. It runs in the isolated world, like the script that numbers elements. */
export const NUMBERED_ENGINE = `({
  query(_root, number) {
    const element = globalThis.quernNumbered?.get(Number(number));
    return element?.isConnected === true ? element : null;
  },
  queryAll(root, number) {
    const element = this.query(root, number);
    return element === null ? [] : [element];
  },
})`;

/** One line of a frame: its number or 0, its text, and its distance from the window, px. */
const Line = z.tuple([z.int(), z.string().max(1_000), z.number()]);

/** Lines in page order. A number stands for that many adjacent lines that are too far away to be included. */
export const Items = z.object({ items: z.array(z.union([Line, z.int().min(1)])).max(10_000), next: z.int() });

/** The lines of one frame. */
export type FrameItems = { readonly name: string | null; readonly items: z.output<typeof Items>['items'] };

/** Maximum bytes of a snapshot: 6,000 tokens of at least 2.5 bytes. */
export const MAX_SNAPSHOT_BYTES = 15_000;
/** Bytes of a line in addition to its text: its number and the line break. */
export const LINE_BYTES = 8;

/**
 * Formats the lines of all frames as one text in page order. If they exceed `MAX_SNAPSHOT_BYTES`, those in the window and the
 * nearest to it are included.
 */
export function formatSnapshot(frames: readonly FrameItems[]): string {
  const all = frames.flatMap(({ items }, frame) =>
    items.flatMap((item, at) => (typeof item === 'number' ? [] : [{ frame, at, line: item[1], far: item[2] }])),
  );
  const chosen = new Set<string>();
  let left = MAX_SNAPSHOT_BYTES;
  for (const { frame, at, line } of all.toSorted((one, other) => one.far - other.far)) {
    left -= Buffer.byteLength(line) + LINE_BYTES;
    if (left < 0) break;
    chosen.add(`${frame}:${at}`);
  }
  return frames.map((one, frame) => formatFrame(one, (at) => chosen.has(`${frame}:${at}`))).join('\n');
}

function formatFrame({ name, items }: FrameItems, isShown: (at: number) => boolean): string {
  const lines = name === null ? [] : [`frame ${JSON.stringify(name)}:`];
  let hidden = 0;
  const addHidden = (): void => {
    if (hidden > 0) lines.push(`… ${hidden} more lines: scroll there to see them`);
    hidden = 0;
  };
  items.forEach((item, at) => {
    if (typeof item === 'number' || !isShown(at)) {
      hidden += typeof item === 'number' ? item : 1;
      return;
    }
    const [number, line] = item;
    addHidden();
    lines.push(number === 0 ? line : `[${number}] ${line}`);
  });
  addHidden();
  return lines.join('\n');
}

/** Maximum number of frames that are read in addition to the main one. */
const MAX_FRAMES = 8;
/** Time limit for the answer of one frame, ms. */
const FRAME_TIMEOUT_MS = 2_000;

/** Assigns numbers from 1 to the elements of a page and its frames that can be acted on. */
export async function numberElements(
  page: Page,
  clock: Clock,
): Promise<{
  readonly frames: readonly FrameItems[];
  readonly numbered: ReadonlyMap<number, Frame>;
}> {
  const numbered = new Map<number, Frame>();
  const frames: FrameItems[] = [];
  let first = 1;
  const main = page.mainFrame();
  const inner = page.frames().filter((frame) => frame !== main && /^(?:https?|about|data|blob):/.test(frame.url()));
  for (const frame of [main, ...inner.slice(0, MAX_FRAMES)]) {
    const evaluation = frame.evaluate(buildItemsScript(first));
    const parsed = parseItems(await (frame === main ? evaluation : waitForFrame(evaluation, clock)));
    if (parsed === null || (parsed.items.length === 0 && frame !== main)) continue;
    for (let number = first; number < parsed.next; number += 1) numbered.set(number, frame);
    first = parsed.next;
    frames.push({ name: frame === main ? null : frame.name() || new URL(frame.url()).hostname, items: parsed.items });
  }
  return { frames, numbered };
}

function parseItems(text: unknown): z.output<typeof Items> | null {
  return typeof text === 'string' ? (Items.safeParse(JSON.parse(text)).data ?? null) : null;
}

async function waitForFrame(evaluation: Promise<unknown>, clock: Clock): Promise<unknown> {
  const { promise: late, resolve } = Promise.withResolvers<null>();
  const timer = clock.after(FRAME_TIMEOUT_MS, () => resolve(null));
  try {
    return await Promise.race([evaluation.catch(() => null), late]);
  } finally {
    timer.close();
  }
}

/** Limits for one frame: nodes that are visited, lines, and depth. */
const MAX_NODES = 40_000;
const MAX_ITEMS = 8_000;
const MAX_DEPTH = 300;
/** Maximum characters of a name and of a text. */
const MAX_NAME_CHARS = 90;
const MAX_TEXT_CHARS = 240;

/** Kinds of elements, and roles that can be acted on. */
const KINDS = `
  const SKIPPED = new Set(['SCRIPT', 'STYLE', 'TEMPLATE', 'NOSCRIPT', 'HEAD', 'SVG', 'svg', 'OBJECT', 'CANVAS', 'IFRAME']);
  const HEADINGS = new Set(['H1', 'H2', 'H3', 'H4', 'H5', 'H6']);
  const INLINE = new Set(['A', 'B', 'I', 'EM', 'STRONG', 'SPAN', 'CODE', 'SMALL', 'SUB', 'SUP', 'MARK', 'U', 'S', 'LABEL',
    'TIME', 'ABBR', 'Q', 'CITE', 'FONT', 'SLOT']);
  const INPUTS = { checkbox: 'checkbox', radio: 'radio', range: 'slider', number: 'spinbutton', search: 'searchbox',
    button: 'button', submit: 'button', reset: 'button', image: 'button', file: 'file' };
  const ROLES = new Set(['button', 'link', 'checkbox', 'radio', 'switch', 'tab', 'option', 'menuitem', 'menuitemcheckbox',
    'menuitemradio', 'combobox', 'textbox', 'searchbox', 'slider', 'spinbutton', 'treeitem', 'gridcell']);`;

/** Functions that reduce text to one line. */
const TEXTS = `
  const clean = (text, most) => {
    const one = text.replace(/[\\s\\p{Cc}]+/gu, ' ').trim();
    return one.length <= most ? one : one.slice(0, most) + '…';
  };
  function readNodeText(node, most) {
    const only = node.firstChild;
    if (only?.nodeType === 3 && only.nextSibling === null) return clean(only.data.slice(0, most * 2), most);
    let text = '';
    const walker = document.createTreeWalker(node, 5);
    for (let at = walker.nextNode(); at !== null && text.length < most * 2; at = walker.nextNode()) {
      if (at.nodeType === 3) text += at.data.slice(0, most * 2) + (at.parentElement?.childElementCount ? ' ' : '');
      else if (at.tagName === 'IMG' && at.alt) text += ' ' + at.alt.slice(0, most) + ' ';
    }
    return clean(text, most);
  }`;

/** Function for the accessible name of an element: labels, then text (a subset of accname 1.2). */
const NAME_FUNCTION = `
  function named(element) {
    const own = element.getAttribute('aria-label');
    if (own?.trim()) return clean(own.slice(0, 500), ${MAX_NAME_CHARS});
    const by = element.getAttribute('aria-labelledby');
    if (by !== null) {
      const root = element.getRootNode();
      const text = by.split(/\\s+/).slice(0, 5).map((id) => root.getElementById?.(id)?.textContent?.slice(0, 300) ?? '').join(' ');
      if (text.trim()) return clean(text, ${MAX_NAME_CHARS});
    }
    const label = element.labels?.[0];
    const labelled = label === undefined ? '' : readNodeText(label, ${MAX_NAME_CHARS});
    if (labelled !== '') return labelled;
    const isField = /^(?:INPUT|SELECT|TEXTAREA)$/.test(element.tagName);
    const text = isField ? (/^(?:button|submit|reset)$/.test(element.type) ? element.value : '') : readNodeText(element, ${MAX_NAME_CHARS});
    const written = text || element.placeholder || element.title || element.alt || element.name || '';
    return typeof written === 'string' ? clean(written.slice(0, 500), ${MAX_NAME_CHARS}) : '';
  }`;

/** Function for the role of an element that can be acted on, otherwise null (a subset of WAI-ARIA 1.2). */
const ROLE_FUNCTION = `
  function getRole(element) {
    const own = element.getAttribute('role');
    if (own !== null && ROLES.has(own)) return own;
    switch (element.tagName) {
      case 'A': return element.hasAttribute('href') ? 'link' : null;
      case 'BUTTON': case 'SUMMARY': return 'button';
      case 'SELECT': return 'combobox';
      case 'TEXTAREA': return 'textbox';
      case 'INPUT': return element.type === 'hidden' ? null : INPUTS[element.type] ?? 'textbox';
    }
    if (element.isContentEditable && element.parentElement?.isContentEditable !== true) return 'textbox';
    return element.hasAttribute('onclick') || (own === null && element.tabIndex >= 0 && element.hasAttribute('tabindex')) ? 'clickable' : null;
  }`;

/** Function for the state of an element, in parentheses. Values of passwords are not read. */
const STATE_FUNCTION = `
  function describeState(element, role) {
    const states = [];
    if (element.disabled === true || element.getAttribute('aria-disabled') === 'true') states.push('disabled');
    if (role === 'checkbox' || role === 'radio' || role === 'switch') {
      if (element.checked === true || element.getAttribute('aria-checked') === 'true') states.push('checked');
    } else if (element.tagName === 'SELECT') {
      const options = [...element.options].slice(0, 12).map((option) => clean(option.label, 40));
      states.push('selected ' + JSON.stringify(clean(element.selectedOptions[0]?.label ?? '', 40)));
      states.push('of ' + JSON.stringify(options) + (element.options.length > 12 ? '…' : ''));
    } else if (element.type === 'password') {
      if (element.value !== '') states.push('filled');
    } else if (/^(?:INPUT|TEXTAREA)$/.test(element.tagName) && role !== 'button' && role !== 'file' && element.value !== '') {
      states.push('value ' + JSON.stringify(clean(element.value.slice(0, 500), ${MAX_NAME_CHARS})));
    }
    const expanded = element.getAttribute('aria-expanded');
    if (expanded !== null) states.push(expanded === 'true' ? 'expanded' : 'collapsed');
    if (element.getAttribute('aria-selected') === 'true' || element.getAttribute('aria-current') === 'page') states.push('current');
    return states.length === 0 ? '' : ' (' + states.join(', ') + ')';
  }`;

/** The collected lines, and the texts for the next line. */
const LINES = `
  const numbered = new Map();
  const lines = [];
  const texts = [];
  const height = innerHeight;
  function distance(box) {
    if (box.bottom < 0) return -box.bottom;
    return box.top > height ? box.top - height : 0;
  }
  function addLine(element, role, text) {
    const box = element.getBoundingClientRect();
    const isActed = text === null && role !== 'heading';
    if (box.width === 0 && box.height === 0 && isActed) return;
    const number = isActed ? next++ : 0;
    if (isActed) numbered.set(number, element);
    lines.push({ element, role, text, number, far: Math.round(distance(box)), label: null });
  }
  function format({ element, role, text, number }) {
    const words = role + ' ' + JSON.stringify(text ?? named(element));
    return number === 0 ? words : words + describeState(element, role);
  }
  function flush(parent) {
    if (texts.length === 0) return;
    const text = clean(texts.splice(0).join(' '), ${MAX_TEXT_CHARS});
    if (text.length > 1) addLine(parent, 'text', text);
  }`;

/** Walks through the visible page: the shadow tree of an element, the nodes of a slot, or the children. */
const WALK = `
  let nodes = 0;
  function visit(parent, depth) {
    const assigned = parent.tagName === 'SLOT' ? parent.assignedNodes() : [];
    if (assigned.length > 0) {
      for (const node of assigned) if (!look(node, parent, depth)) return;
      return;
    }
    for (let at = (parent.shadowRoot ?? parent).firstChild; at !== null; at = at.nextSibling) {
      if (!look(at, parent, depth)) return;
    }
  }
  function look(node, parent, depth) {
    if (nodes++ > ${MAX_NODES} || lines.length >= ${MAX_ITEMS} || depth > ${MAX_DEPTH}) return false;
    if (node.nodeType === 3) {
      if (node.data.trim() !== '') texts.push(node.data.slice(0, 2 * ${MAX_TEXT_CHARS}).trim());
    } else if (node.nodeType === 1) enter(node, parent, depth);
    return true;
  }
  function enter(node, parent, depth) {
    const { tagName } = node;
    if (SKIPPED.has(tagName) || node.inert || node.getAttribute('aria-hidden') === 'true') return;
    if (tagName !== 'SLOT' && !node.checkVisibility()) return;
    const role = getRole(node);
    const isActed = role !== null && node.checkVisibility({ visibilityProperty: true });
    const isHeading = HEADINGS.has(tagName) && node.querySelector('a[href],button') === null;
    if (isActed || isHeading) {
      flush(parent);
      addLine(node, isActed ? role : 'heading', null);
    } else if (tagName === 'IMG') {
      if (node.alt) texts.push('(image: ' + clean(node.alt, 60) + ')');
    } else if (tagName === 'LABEL' && node.control) {
      // The text of a label is the name of its control.
      if (node.contains(node.control)) enter(node.control, parent, depth + 1);
    } else if (INLINE.has(tagName)) visit(node, depth + 1);
    else {
      flush(parent);
      visit(node, depth + 1);
      flush(node);
    }
  }`;

/** Function for the result: texts of the lines nearest to the window, and counts of the others. */
const ITEMS = `
  function toItems() {
    const coder = new TextEncoder();
    let left = ${MAX_SNAPSHOT_BYTES};
    for (const line of lines.toSorted((one, other) => one.far - other.far)) {
      if (left < 0) break;
      line.label = format(line);
      left -= coder.encode(line.label).length + ${LINE_BYTES};
    }
    const items = [];
    for (const { label, number, far } of lines) {
      if (label !== null) items.push([number, label, far]);
      else if (typeof items.at(-1) === 'number') items[items.length - 1] += 1;
      else items.push(1);
    }
    return JSON.stringify({ items, next });
  }`;

/**
 * Builds an expression that walks through the visible part of a frame, numbers the elements that can be acted on from `first`,
 * and returns JSON. Names are computed only for the lines nearest to the window, as many as a snapshot can have and one more,
 * because computing and transferring names is most of the cost.
 */
function buildItemsScript(first: number): string {
  return `(() => {
  let next = ${first};
${[KINDS, TEXTS, NAME_FUNCTION, ROLE_FUNCTION, STATE_FUNCTION, LINES, WALK, ITEMS].join('\n')}
  globalThis.quernNumbered = numbered;
  if (document.body !== null) {
    visit(document.body, 0);
    flush(document.body);
  }
  return toItems();
})()`;
}
