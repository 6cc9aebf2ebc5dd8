import {
  AGAIN,
  type Builder,
  createNode,
  current,
  currentTag,
  DONE,
  insertElement,
  insertVoid,
  isFosterParent,
  MODE,
  type Next,
  place,
  pop,
} from './builder.ts';
import { endForeign, holdsHtml, isForeign, startForeign } from './foreign.ts';
import { reconstruct } from './formatting.ts';
import { endInBody } from './in-body-end.ts';
import { startInBody } from './in-body.ts';
import {
  endBeforeBody,
  endTemplate,
  HEAD_CONTENT,
  openBodyImplied,
  startBeforeBody,
  startHeadContent,
} from './in-head.ts';
import * as table from './in-table.ts';
import { TAG } from './tag-names.ts';
import { HTML_NAMESPACE, KEEPS_NUL, WHITESPACE } from './tree.ts';

/** Puts the start tag of the token into the tree; tells whether its content is raw text. */
export function startTag(b: Builder): Next {
  let next: Next = AGAIN;
  if (b.namespace[current(b)] !== HTML_NAMESPACE && isForeign(b, b.tokenTag)) next = startForeign(b);
  while (next === AGAIN) next = startByMode(b);
  return next;
}

/** Closes what the end tag closes. */
export function endTag(b: Builder, tag: number): void {
  let next: Next = AGAIN;
  if (b.namespace[current(b)] !== HTML_NAMESPACE) next = endForeign(b, tag);
  while (next === AGAIN) next = endByMode(b, tag);
}

function startByMode(b: Builder): Next {
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

function endByMode(b: Builder, tag: number): Next {
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

const TEMPLATE_MODE: ReadonlyMap<number, number> = new Map([
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

/** The first start tag inside a template decides how the rest of it is read. */
function startInTemplate(b: Builder): Next {
  if (HEAD_CONTENT[b.tokenTag] === 1) return startHeadContent(b);
  b.mode = TEMPLATE_MODE.get(b.tokenTag) ?? MODE.inBody;
  b.templateModes.pop();
  b.templateModes.push(b.mode);
  return AGAIN;
}

function startInFrameset(b: Builder): Next {
  const tag = b.tokenTag;
  if (tag === TAG.html) return startInBody(b);
  if (tag === TAG.noframes) return startHeadContent(b);
  if (b.mode === MODE.afterFrameset) return DONE;
  if (tag === TAG.frameset) insertElement(b);
  if (tag === TAG.frame) insertVoid(b);
  return DONE;
}

function endInFrameset(b: Builder, tag: number): Next {
  if (tag !== TAG.frameset || b.mode === MODE.afterFrameset || b.depth <= 1) return DONE;
  pop(b);
  if (currentTag(b) !== TAG.frameset) b.mode = MODE.afterFrameset;
  return DONE;
}

/** A run of text: where it starts, where its first visible character is (`end` when there is none), its flags. */
export type TextToken = { start: number; content: number; end: number; flags: number };

/** Puts a run of text into the tree. */
export function addText(b: Builder, text: TextToken): void {
  const blank = text.content === text.end;
  if (b.mode < MODE.inBody) {
    if (!textBeforeBody(b, text, blank)) return;
  } else if (b.mode >= MODE.afterBody && !textAfterBody(b, blank)) return;
  if (!blank) {
    b.framesetOk = false;
    if (b.mode === MODE.inColgroup && !leaveColgroupForText(b, text)) return;
  }
  const parent = current(b);
  if (b.namespace[parent] !== HTML_NAMESPACE && !holdsHtml(b, parent)) {
    text.flags |= KEEPS_NUL;
    return insertText(b, text, blank);
  }
  if (!isFosterParent(b, parent)) {
    if (b.mode !== MODE.inColgroup) reconstruct(b);
    return insertText(b, text, blank);
  }
  if (blank) return insertText(b, text, blank);
  b.foster = true;
  reconstruct(b);
  insertText(b, text, blank);
  b.foster = false;
}

/** Text before the body: whitespace stays in the head or is dropped, anything else opens the body. */
function textBeforeBody(b: Builder, text: TextToken, blank: boolean): boolean {
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

function textAfterBody(b: Builder, blank: boolean): boolean {
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
  place(b, node);
}

/** The end of the source closes templates, and what was never opened is there all the same. */
export function finish(b: Builder): void {
  b.tokenStart = b.source.length;
  while (b.templateModes.length > 0 && b.openCount[TAG.template] !== 0) endTemplate(b);
  if (b.mode < MODE.inBody) openBodyImplied(b);
}
