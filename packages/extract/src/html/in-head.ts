import {
  AGAIN,
  appendChild,
  type Builder,
  createNode,
  getCurrent,
  getCurrentTag,
  DONE,
  insertElement,
  insertImplied,
  insertVoid,
  MODE,
  type RuleResult,
  addAttribute,
  popOpen,
  pushOpen,
  RAW_CONTENT,
  removeOpen,
} from './builder.ts';
import { clearToMarker, pushMarker } from './formatting.ts';
import { closeImplied, popThrough } from './scope.ts';
import { TAG } from './tag-names.ts';
import { getTagFlags, RAW, RCDATA, buildTagSet, VOID } from './tags.ts';
import { HTML_NAMESPACE } from './tree.ts';

/** Elements that belong in the head wherever they occur. */
export const HEAD_CONTENT = buildTagSet('base basefont bgsound link meta noframes script style template title');
/** Elements whose end tag the end of a template implies, in addition to those of `closeImplied`. */
const TEMPLATE_IMPLIED_END = buildTagSet(
  'caption colgroup dd dt li optgroup option p rb rp rt rtc tbody td tfoot th thead tr',
);
/** Maximum attributes of html or body after merging those of repeated tags. */
const MAX_MERGED_ATTRIBUTES = 64;

/** Start tags before the body: the modes "initial" to "after head". */
export function startBeforeBody(b: Builder): RuleResult {
  const tag = b.tokenTag;
  if (tag === TAG.html) {
    if (b.mode > MODE.beforeHtml) return mergeAttributes(b, b.stack[0] ?? 0);
    openHtml(b);
    return mergeAttributes(b, b.stack[0] ?? 0);
  }
  if (b.mode <= MODE.beforeHtml) openHtml(b);
  if (b.mode === MODE.beforeHead && tag === TAG.head) {
    b.head = insertElement(b);
    b.mode = MODE.inHead;
    return DONE;
  }
  if (tag === TAG.head) return DONE;
  if (b.mode === MODE.beforeHead) openHead(b);
  if (b.mode === MODE.inHead) {
    if (HEAD_CONTENT[tag] === 1) return startHeadContent(b);
    // If noscript in the head were parsed as elements, a tracking image in it would end the head before its metadata.
    if (tag === TAG.noscript) return startRaw(b);
    closeHead(b);
  }
  if (HEAD_CONTENT[tag] === 1) return startLateHeadContent(b);
  if (tag === TAG.body) {
    openBody(b, insertElement(b));
    b.framesetOk = false;
    return DONE;
  }
  if (tag === TAG.frameset) {
    insertElement(b);
    b.mode = MODE.inFrameset;
    return DONE;
  }
  openBody(b, insertImplied(b, TAG.body));
  return AGAIN;
}

/** End tags before the body. All but those of head, body, html and br are ignored. */
export function endBeforeBody(b: Builder, tag: number): RuleResult {
  if (tag === TAG.template) return endTemplate(b);
  if (b.mode === MODE.inHead && tag === TAG.head) {
    closeHead(b);
    return DONE;
  }
  const counts = tag === TAG.body || tag === TAG.html || tag === TAG.br || (tag === TAG.head && b.mode < MODE.inHead);
  if (!counts) return DONE;
  if (b.mode <= MODE.beforeHtml) openHtml(b);
  if (b.mode === MODE.beforeHead) {
    openHead(b);
    return AGAIN;
  }
  openBodyImplied(b);
  return AGAIN;
}

/** Opens the missing elements up to the body. */
export function openBodyImplied(b: Builder): void {
  if (b.mode <= MODE.beforeHtml) openHtml(b);
  if (b.mode === MODE.beforeHead) openHead(b);
  if (b.mode === MODE.inHead) closeHead(b);
  if (b.mode === MODE.afterHead) openBody(b, insertImplied(b, TAG.body));
}

function openHtml(b: Builder): void {
  if (b.mode === MODE.initial) b.quirks = true;
  const html = createNode(b, TAG.html, b.tokenStart, b.tokenStart);
  appendChild(b, 0, html);
  pushOpen(b, html);
  b.mode = MODE.beforeHead;
}

function openHead(b: Builder): void {
  b.head = insertImplied(b, TAG.head);
  b.mode = MODE.inHead;
}

function closeHead(b: Builder): void {
  popOpen(b);
  b.mode = MODE.afterHead;
}

function openBody(b: Builder, body: number): void {
  b.body = body;
  b.mode = MODE.inBody;
}

/** base, link, meta, title, script, style, noframes, template: the same rules in the head and elsewhere. */
export function startHeadContent(b: Builder): RuleResult {
  const tag = b.tokenTag;
  const flags = getTagFlags(tag);
  if ((flags & VOID) !== 0) return insertVoid(b);
  if ((flags & (RAW | RCDATA)) !== 0 || tag === TAG.script) return startRaw(b);
  insertElement(b);
  pushMarker(b);
  b.framesetOk = false;
  b.mode = MODE.inTemplate;
  b.templateModes.push(MODE.inTemplate);
  return DONE;
}

/** An element whose content is raw text up to its end tag. */
export function startRaw(b: Builder): RuleResult {
  insertElement(b);
  return RAW_CONTENT;
}

/** Head content between head and body is moved into the head. */
function startLateHeadContent(b: Builder): RuleResult {
  pushOpen(b, b.head);
  b.moved = true;
  const next = startHeadContent(b);
  removeOpen(b, b.head);
  return next;
}

/** Closes a template and returns to the surrounding mode. */
export function endTemplate(b: Builder): RuleResult {
  if (b.openCount[TAG.template] === 0) return DONE;
  while (b.depth > 1 && TEMPLATE_IMPLIED_END[getCurrentTag(b)] === 1) popOpen(b);
  closeImplied(b, 0);
  popThrough(b, TAG.template);
  clearToMarker(b);
  b.templateModes.pop();
  resetMode(b);
  return DONE;
}

/** Adds the attributes of the token that an element does not have yet. */
export function mergeAttributes(b: Builder, node: number): RuleResult {
  const newCount = b.attributes - b.tokenAttributes;
  const oldCount = b.attributeCount[node] ?? 0;
  if (b.openCount[TAG.template] !== 0 || newCount === 0 || oldCount + newCount > MAX_MERGED_ATTRIBUTES) return DONE;
  const first = b.attributeStart[node] ?? 0;
  if (oldCount > 0) prependAttributes(b, first, oldCount);
  b.attributeStart[node] = b.tokenAttributes;
  b.attributeCount[node] = oldCount + newCount;
  return DONE;
}

/** Copies the attributes at `first` before those of the token, because the first of a name counts. */
function prependAttributes(b: Builder, first: number, count: number): void {
  const at = b.tokenAttributes;
  const end = b.attributes;
  for (let made = 0; made < count; made++) addAttribute(b);
  for (const array of [b.attributeId, b.nameStart, b.nameEnd, b.valueStart, b.valueEnd]) {
    array.copyWithin(at + count, at, end);
    array.copyWithin(at, first, first + count);
  }
}

const MODE_BY_TAG: ReadonlyMap<number, number> = new Map([
  [TAG.tr, MODE.inRow],
  [TAG.tbody, MODE.inSection],
  [TAG.thead, MODE.inSection],
  [TAG.tfoot, MODE.inSection],
  [TAG.caption, MODE.inCaption],
  [TAG.colgroup, MODE.inColgroup],
  [TAG.table, MODE.inTable],
  [TAG.body, MODE.inBody],
  [TAG.frameset, MODE.inFrameset],
  [TAG.td, MODE.inCell],
  [TAG.th, MODE.inCell],
  [TAG.head, MODE.inHead],
]);

/** "Reset the insertion mode appropriately": the mode for the open elements. */
export function resetMode(b: Builder): void {
  for (let at = b.depth - 1; at > 0; at--) {
    const element = b.stack[at] ?? 0;
    if (b.namespace[element] !== HTML_NAMESPACE) continue;
    const tag = b.tag[element] ?? 0;
    const mode = tag === TAG.template ? b.templateModes.at(-1) : MODE_BY_TAG.get(tag);
    if (mode !== undefined) {
      b.mode = mode;
      return;
    }
  }
  b.mode = b.head === 0 ? MODE.beforeHead : MODE.afterHead;
}

/** Whether the current element is in the set. */
export function isCurrentIn(b: Builder, set: Uint8Array): boolean {
  const element = getCurrent(b);
  return set[b.tag[element] ?? 0] === 1 && b.namespace[element] === HTML_NAMESPACE;
}
