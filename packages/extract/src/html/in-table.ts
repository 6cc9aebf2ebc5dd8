import {
  AGAIN,
  type Builder,
  getCurrentTag,
  DONE,
  insertElement,
  insertImplied,
  insertVoid,
  MODE,
  type RuleResult,
  popOpen,
} from './builder.ts';
import { clearToMarker, pushMarker } from './formatting.ts';
import { endInBody, isHiddenInput, startInBody } from './in-body.ts';
import { isCurrentIn, endTemplate, resetMode, startHeadContent } from './in-head.ts';
import { isInTableScope, popThrough } from './scope.ts';
import { TAG } from './tag-names.ts';
import { getTagFlags, TABLE_PART, buildTagSet } from './tags.ts';

const TABLE_CONTEXT = buildTagSet('table template html');
const SECTION_CONTEXT = buildTagSet('tbody tfoot thead template html');
const ROW_CONTEXT = buildTagSet('tr template html');
const SECTION_TAGS = buildTagSet('tbody tfoot thead');
const CELL_TAGS = buildTagSet('td th');
/** End tags that mean nothing inside a table. */
const IGNORED_END_TAGS = buildTagSet('body caption col colgroup html tbody td tfoot th thead tr');

function popToContext(b: Builder, context: Uint8Array): void {
  while (b.depth > 1 && !isCurrentIn(b, context)) popOpen(b);
}

function openTablePart(b: Builder, mode: number): RuleResult {
  insertElement(b);
  b.mode = mode;
  return DONE;
}

/** The mode "in table" for a start tag. */
export function startInTable(b: Builder): RuleResult {
  const tag = b.tokenTag;
  if ((getTagFlags(tag) & TABLE_PART) !== 0) return startTablePart(b, tag);
  if (tag === TAG.table) {
    if (!isInTableScope(b, TAG.table)) return DONE;
    popThrough(b, TAG.table);
    resetMode(b);
    return AGAIN;
  }
  if (tag === TAG.style || tag === TAG.script || tag === TAG.template) return startHeadContent(b);
  if (tag === TAG.input && isHiddenInput(b)) return insertVoid(b);
  if (tag === TAG.form) {
    if (b.form === 0 && b.openCount[TAG.template] === 0) {
      b.form = insertElement(b);
      popOpen(b);
    }
    return DONE;
  }
  return startFostered(b);
}

function startTablePart(b: Builder, tag: number): RuleResult {
  popToContext(b, TABLE_CONTEXT);
  if (tag === TAG.caption) {
    pushMarker(b);
    return openTablePart(b, MODE.inCaption);
  }
  if (tag === TAG.colgroup) return openTablePart(b, MODE.inColgroup);
  if (SECTION_TAGS[tag] === 1) return openTablePart(b, MODE.inSection);
  insertImplied(b, tag === TAG.col ? TAG.colgroup : TAG.tbody);
  b.mode = tag === TAG.col ? MODE.inColgroup : MODE.inSection;
  return AGAIN;
}

function startFostered(b: Builder): RuleResult {
  b.foster = true;
  const next = startInBody(b);
  b.foster = false;
  // An `image` token is processed again as `img`, which must be fostered too.
  return next === AGAIN ? startFostered(b) : next;
}

/** The mode "in table" for an end tag. */
export function endInTable(b: Builder, tag: number): RuleResult {
  if (tag === TAG.table) {
    if (!isInTableScope(b, TAG.table)) return DONE;
    popThrough(b, TAG.table);
    resetMode(b);
    return DONE;
  }
  if (IGNORED_END_TAGS[tag] === 1) return DONE;
  if (tag === TAG.template) return endTemplate(b);
  b.foster = true;
  endInBody(b, tag);
  b.foster = false;
  return DONE;
}

/** The mode "in caption" for a start tag. */
export function startInCaption(b: Builder): RuleResult {
  if ((getTagFlags(b.tokenTag) & TABLE_PART) === 0) return startInBody(b);
  return closeCaption(b) ? AGAIN : DONE;
}

/** The mode "in caption" for an end tag. */
export function endInCaption(b: Builder, tag: number): RuleResult {
  if (tag === TAG.caption) {
    closeCaption(b);
    return DONE;
  }
  if (tag === TAG.table) return closeCaption(b) ? AGAIN : DONE;
  return IGNORED_END_TAGS[tag] === 1 ? DONE : endInBody(b, tag);
}

function closeCaption(b: Builder): boolean {
  if (!isInTableScope(b, TAG.caption)) return false;
  popThrough(b, TAG.caption);
  clearToMarker(b);
  b.mode = MODE.inTable;
  return true;
}

/** The mode "in column group" for a start tag. */
export function startInColgroup(b: Builder): RuleResult {
  const tag = b.tokenTag;
  if (tag === TAG.html) return startInBody(b);
  if (tag === TAG.col) return insertVoid(b);
  if (tag === TAG.template) return startHeadContent(b);
  return leaveColgroup(b);
}

/** The mode "in column group" for an end tag. */
export function endInColgroup(b: Builder, tag: number): RuleResult {
  if (tag === TAG.template) return endTemplate(b);
  if (tag === TAG.col) return DONE;
  const next = leaveColgroup(b);
  return tag === TAG.colgroup ? DONE : next;
}

/** Closes the column group before content that does not belong there. */
export function leaveColgroup(b: Builder): RuleResult {
  if (getCurrentTag(b) !== TAG.colgroup) return DONE;
  popOpen(b);
  b.mode = MODE.inTable;
  return AGAIN;
}

/** The mode "in table body" for a start tag. */
export function startInSection(b: Builder): RuleResult {
  const tag = b.tokenTag;
  if (tag === TAG.tr) {
    popToContext(b, SECTION_CONTEXT);
    return openTablePart(b, MODE.inRow);
  }
  if (CELL_TAGS[tag] === 1) {
    popToContext(b, SECTION_CONTEXT);
    insertImplied(b, TAG.tr);
    b.mode = MODE.inRow;
    return AGAIN;
  }
  if ((getTagFlags(tag) & TABLE_PART) !== 0) return leaveSection(b);
  return startInTable(b);
}

/** The mode "in table body" for an end tag. */
export function endInSection(b: Builder, tag: number): RuleResult {
  if (SECTION_TAGS[tag] === 1) {
    if (!isInTableScope(b, tag)) return DONE;
    leaveSection(b);
    return DONE;
  }
  return tag === TAG.table ? leaveSection(b) : endInTable(b, tag);
}

function leaveSection(b: Builder): RuleResult {
  if (!isInTableScope(b, TAG.tbody) && !isInTableScope(b, TAG.thead) && !isInTableScope(b, TAG.tfoot)) return DONE;
  popToContext(b, SECTION_CONTEXT);
  popOpen(b);
  b.mode = MODE.inTable;
  return AGAIN;
}

/** The mode "in row" for a start tag. */
export function startInRow(b: Builder): RuleResult {
  const tag = b.tokenTag;
  if (CELL_TAGS[tag] === 1) {
    popToContext(b, ROW_CONTEXT);
    pushMarker(b);
    return openTablePart(b, MODE.inCell);
  }
  return (getTagFlags(tag) & TABLE_PART) !== 0 ? leaveRow(b) : startInTable(b);
}

/** The mode "in row" for an end tag. */
export function endInRow(b: Builder, tag: number): RuleResult {
  if (tag === TAG.tr) {
    leaveRow(b);
    return DONE;
  }
  if (tag === TAG.table) return leaveRow(b);
  if (SECTION_TAGS[tag] === 1) return isInTableScope(b, tag) ? leaveRow(b) : DONE;
  return endInTable(b, tag);
}

function leaveRow(b: Builder): RuleResult {
  if (!isInTableScope(b, TAG.tr)) return DONE;
  popToContext(b, ROW_CONTEXT);
  popOpen(b);
  b.mode = MODE.inSection;
  return AGAIN;
}

/** The mode "in cell" for a start tag. */
export function startInCell(b: Builder): RuleResult {
  if ((getTagFlags(b.tokenTag) & TABLE_PART) === 0) return startInBody(b);
  return closeCell(b);
}

/** The mode "in cell" for an end tag. */
export function endInCell(b: Builder, tag: number): RuleResult {
  if (CELL_TAGS[tag] === 1) {
    if (!isInTableScope(b, tag)) return DONE;
    popThrough(b, tag);
    clearToMarker(b);
    b.mode = MODE.inRow;
    return DONE;
  }
  if (tag === TAG.table || tag === TAG.tr || SECTION_TAGS[tag] === 1)
    return isInTableScope(b, tag) ? closeCell(b) : DONE;
  return IGNORED_END_TAGS[tag] === 1 ? DONE : endInBody(b, tag);
}

function closeCell(b: Builder): RuleResult {
  const cell = isInTableScope(b, TAG.td) ? TAG.td : TAG.th;
  if (!isInTableScope(b, cell)) return DONE;
  popThrough(b, cell);
  clearToMarker(b);
  b.mode = MODE.inRow;
  return AGAIN;
}
