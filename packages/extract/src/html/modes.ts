import {
  AGAIN,
  type Builder,
  createNode,
  getCurrent,
  getCurrentTag,
  DONE,
  insertElement,
  insertVoid,
  isFosterParent,
  MODE,
  type RuleResult,
  placeNode,
  popOpen,
  popToDepth,
} from './builder.ts';
import { reconstructFormatting } from './formatting.ts';
import { endInBody, startInBody } from './in-body.ts';
import {
  endBeforeBody,
  endTemplate,
  HEAD_CONTENT,
  openBodyImplied,
  startBeforeBody,
  startHeadContent,
} from './in-head.ts';
import * as table from './in-table.ts';
import { ATTRIBUTE, TAG } from './tag-names.ts';
import { BREAKOUT, getTagFlags } from './tags.ts';
import { HTML_NAMESPACE, KEEPS_NUL, MATHML_NAMESPACE, SVG_NAMESPACE, WHITESPACE } from './tree.ts';

/** Processes the start tag of the token. Returns whether raw text follows. */
export function startTag(b: Builder): RuleResult {
  let next: RuleResult = AGAIN;
  if (b.namespace[getCurrent(b)] !== HTML_NAMESPACE && isForeign(b, b.tokenTag)) next = startForeign(b);
  while (next === AGAIN) next = startByMode(b);
  return next;
}

/** Processes an end tag. */
export function endTag(b: Builder, tag: number): void {
  let next: RuleResult = AGAIN;
  if (b.namespace[getCurrent(b)] !== HTML_NAMESPACE) next = endForeign(b, tag);
  while (next === AGAIN) next = endByMode(b, tag);
}

function startByMode(b: Builder): RuleResult {
  switch (b.mode) {
    case MODE.inBody:
      return startInBody(b);
    case MODE.inCell:
      return table.startInCell(b);
    case MODE.inRow:
      return table.startInRow(b);
    case MODE.inSection:
      return table.startInSection(b);
    case MODE.inTable:
      return table.startInTable(b);
    case MODE.inCaption:
      return table.startInCaption(b);
    case MODE.inColgroup:
      return table.startInColgroup(b);
    case MODE.inTemplate:
      return startInTemplate(b);
    case MODE.afterBody:
      if (b.tokenTag === TAG.html) return startInBody(b);
      b.mode = MODE.inBody;
      return AGAIN;
    case MODE.inFrameset:
    case MODE.afterFrameset:
      return startInFrameset(b);
    default:
      return startBeforeBody(b);
  }
}

function endByMode(b: Builder, tag: number): RuleResult {
  switch (b.mode) {
    case MODE.inBody:
      return endInBody(b, tag);
    case MODE.inCell:
      return table.endInCell(b, tag);
    case MODE.inRow:
      return table.endInRow(b, tag);
    case MODE.inSection:
      return table.endInSection(b, tag);
    case MODE.inTable:
      return table.endInTable(b, tag);
    case MODE.inCaption:
      return table.endInCaption(b, tag);
    case MODE.inColgroup:
      return table.endInColgroup(b, tag);
    case MODE.inTemplate:
      return tag === TAG.template ? endTemplate(b) : DONE;
    case MODE.afterBody:
      if (tag === TAG.html) return DONE;
      b.mode = MODE.inBody;
      return AGAIN;
    case MODE.inFrameset:
    case MODE.afterFrameset:
      return endInFrameset(b, tag);
    default:
      return endBeforeBody(b, tag);
  }
}

const TEMPLATE_MODE_BY_TAG: ReadonlyMap<number, number> = new Map([
  [TAG.caption, MODE.inTable],
  [TAG.colgroup, MODE.inTable],
  [TAG.tbody, MODE.inTable],
  [TAG.tfoot, MODE.inTable],
  [TAG.thead, MODE.inTable],
  [TAG.col, MODE.inColgroup],
  [TAG.tr, MODE.inSection],
  [TAG.td, MODE.inRow],
  [TAG.th, MODE.inRow],
]);

/** The first start tag in a template determines how the rest of it is parsed. */
function startInTemplate(b: Builder): RuleResult {
  if (HEAD_CONTENT[b.tokenTag] === 1) return startHeadContent(b);
  b.mode = TEMPLATE_MODE_BY_TAG.get(b.tokenTag) ?? MODE.inBody;
  b.templateModes.pop();
  b.templateModes.push(b.mode);
  return AGAIN;
}

function startInFrameset(b: Builder): RuleResult {
  const tag = b.tokenTag;
  if (tag === TAG.html) return startInBody(b);
  if (tag === TAG.noframes) return startHeadContent(b);
  if (b.mode === MODE.afterFrameset) return DONE;
  if (tag === TAG.frameset) insertElement(b);
  if (tag === TAG.frame) insertVoid(b);
  return DONE;
}

function endInFrameset(b: Builder, tag: number): RuleResult {
  if (tag !== TAG.frameset || b.mode === MODE.afterFrameset || b.depth <= 1) return DONE;
  popOpen(b);
  if (getCurrentTag(b) !== TAG.frameset) b.mode = MODE.afterFrameset;
  return DONE;
}

/** A run of text: its start, its first visible character (`end` if there is none), its end and its flags. */
export type TextToken = { start: number; content: number; end: number; flags: number };

/** Inserts a run of text. */
export function addText(b: Builder, text: TextToken): void {
  const blank = text.content === text.end;
  if (b.mode < MODE.inBody) {
    if (!addTextBeforeBody(b, text, blank)) return;
  } else if (b.mode >= MODE.afterBody && !checkTextAfterBody(b, blank)) return;
  if (!blank) {
    b.framesetOk = false;
    if (b.mode === MODE.inColgroup && !leaveColgroupForText(b, text)) return;
  }
  const parent = getCurrent(b);
  if (b.namespace[parent] !== HTML_NAMESPACE && !isHtmlHost(b, parent)) {
    text.flags |= KEEPS_NUL;
    return insertText(b, text, blank);
  }
  if (!isFosterParent(b, parent)) {
    if (b.mode !== MODE.inColgroup) reconstructFormatting(b);
    return insertText(b, text, blank);
  }
  if (blank) return insertText(b, text, blank);
  b.foster = true;
  reconstructFormatting(b);
  insertText(b, text, blank);
  b.foster = false;
}

/**
 * Text before the body: white space stays in the head or is dropped. Other text opens the body; then true is returned.
 */
function addTextBeforeBody(b: Builder, text: TextToken, blank: boolean): boolean {
  if (b.mode === MODE.inHead || b.mode === MODE.afterHead) {
    const space = { ...text, end: text.content, flags: 0 };
    if (space.end > space.start) insertText(b, space, true);
  }
  if (blank) return false;
  text.start = text.content;
  b.tokenStart = text.start;
  openBodyImplied(b);
  return true;
}

function checkTextAfterBody(b: Builder, blank: boolean): boolean {
  if (b.mode !== MODE.afterBody) return false;
  if (!blank) b.mode = MODE.inBody;
  return true;
}

function leaveColgroupForText(b: Builder, text: TextToken): boolean {
  const space = { ...text, end: text.content, flags: 0 };
  if (space.end > space.start) insertText(b, space, true);
  text.start = text.content;
  return table.leaveColgroup(b) === AGAIN;
}

function insertText(b: Builder, text: TextToken, blank: boolean): void {
  const node = createNode(b, TAG.text, text.start, text.end);
  b.flags[node] = blank ? text.flags | WHITESPACE : text.flags;
  placeNode(b, node);
}

/** At the end of the source: closes templates and creates missing elements. */
export function finishDocument(b: Builder): void {
  b.tokenStart = b.source.length;
  while (b.templateModes.length > 0 && b.openCount[TAG.template] !== 0) endTemplate(b);
  if (b.mode < MODE.inBody) openBodyImplied(b);
}

/** Whether a start tag inside SVG or MathML follows the rules for foreign content. */
function isForeign(b: Builder, tag: number): boolean {
  const node = getCurrent(b);
  if (isHtmlIntegrationPoint(b, node)) return false;
  if (isMathTextPoint(b, node)) return tag === TAG.mglyph || tag === TAG.malignmark;
  return !(b.tag[node] === TAG.annotationXml && b.namespace[node] === MATHML_NAMESPACE && tag === TAG.svg);
}

/** A start tag in foreign content: an element of the same namespace, or HTML that ends the foreign content. */
function startForeign(b: Builder): RuleResult {
  if (isBreakout(b)) {
    leaveForeign(b);
    return AGAIN;
  }
  const namespace = b.namespace[getCurrent(b)] ?? HTML_NAMESPACE;
  const node = insertElement(b);
  b.namespace[node] = namespace;
  if (b.selfClosing) popOpen(b);
  return DONE;
}

/** An end tag in foreign content. `AGAIN` passes it on to the rules for HTML. */
function endForeign(b: Builder, tag: number): RuleResult {
  if (tag === TAG.br || tag === TAG.p) {
    leaveForeign(b);
    return AGAIN;
  }
  for (let at = b.depth - 1; at > 0; at--) {
    const node = b.stack[at] ?? 0;
    if (b.namespace[node] === HTML_NAMESPACE) return AGAIN;
    if (b.tag[node] === tag) {
      popToDepth(b, at);
      return DONE;
    }
  }
  return DONE;
}

/** Whether the content of a foreign element is parsed as HTML. */
function isHtmlHost(b: Builder, node: number): boolean {
  return isMathTextPoint(b, node) || isHtmlIntegrationPoint(b, node);
}

function leaveForeign(b: Builder): void {
  while (b.depth > 1) {
    const node = getCurrent(b);
    if (b.namespace[node] === HTML_NAMESPACE || isHtmlHost(b, node)) return;
    popOpen(b);
  }
}

function isBreakout(b: Builder): boolean {
  if ((getTagFlags(b.tokenTag) & BREAKOUT) !== 0) return true;
  if (b.tokenTag !== TAG.font) return false;
  for (let at = b.tokenAttributes; at < b.attributes; at++) {
    const id = b.attributeId[at];
    if (id === ATTRIBUTE.color || id === ATTRIBUTE.face || id === ATTRIBUTE.size) return true;
  }
  return false;
}

function isMathTextPoint(b: Builder, node: number): boolean {
  const tag = b.tag[node] ?? 0;
  return b.namespace[node] === MATHML_NAMESPACE && tag >= TAG.mi && tag <= TAG.mtext;
}

function isHtmlIntegrationPoint(b: Builder, node: number): boolean {
  const tag = b.tag[node];
  if (b.namespace[node] === SVG_NAMESPACE) {
    return tag === TAG.foreignobject || tag === TAG.desc || tag === TAG.title;
  }
  return tag === TAG.annotationXml && b.namespace[node] === MATHML_NAMESPACE && hasHtmlEncoding(b, node);
}

function hasHtmlEncoding(b: Builder, node: number): boolean {
  const first = b.attributeStart[node] ?? 0;
  for (let at = first; at < first + (b.attributeCount[node] ?? 0); at++) {
    if (b.attributeId[at] !== ATTRIBUTE.encoding) continue;
    const value = b.source.slice(b.valueStart[at] ?? 0, b.valueEnd[at] ?? 0).toLowerCase();
    return value === 'text/html' || value === 'application/xhtml+xml';
  }
  return false;
}
