import {
  AGAIN,
  type Builder,
  currentTag,
  DONE,
  insertElement,
  insertImplied,
  insertVoid,
  MODE,
  type Next,
  pop,
} from './builder.ts';
import { clearToMarker, pushMarker } from './formatting.ts';
import { endInBody } from './in-body-end.ts';
import { isHiddenInput, startInBody } from './in-body.ts';
import { currentIn, endTemplate, resetMode, startHeadContent } from './in-head.ts';
import { inTableScope, popThrough } from './scope.ts';
import { TAG } from './tag-names.ts';
import { flagsOf, TABLE_PART, tagSet } from './tags.ts';

const TABLE_CONTEXT = tagSet('table template html');
const SECTION_CONTEXT = tagSet('tbody tfoot thead template html');
const ROW_CONTEXT = tagSet('tr template html');
const SECTIONS = tagSet('tbody tfoot thead');
const CELLS = tagSet('td th');
/** End tags that mean nothing inside a table. */
const IGNORED_END = tagSet('body caption col colgroup html tbody td tfoot th thead tr');

function clearTo(b: Builder, context: Uint8Array): void {
  while (b.depth > 1 && !currentIn(b, context)) pop(b);
}

function inTable(b: Builder, mode: number): Next {
  insertElement(b);
  b.mode = mode;
  return DONE;
}

/** The mode "in table" for a start tag. */
export function startInTable(b: Builder): Next {
  const tag = b.tokenTag;
  if ((flagsOf(tag) & TABLE_PART) !== 0) return startTablePart(b, tag);
  if (tag === TAG.table) {
    if (!inTableScope(b, TAG.table)) return DONE;
    popThrough(b, TAG.table);
    resetMode(b);
    return AGAIN;
  }
  if (tag === TAG.style || tag === TAG.script || tag === TAG.template) return startHeadContent(b);
  if (tag === TAG.input && isHiddenInput(b)) return insertVoid(b);
  if (tag === TAG.form) {
    if (b.form === 0 && b.openCount[TAG.template] === 0) {
      b.form = insertElement(b);
      pop(b);
    }
    return DONE;
  }
  return startFostered(b);
}

function startTablePart(b: Builder, tag: number): Next {
  clearTo(b, TABLE_CONTEXT);
  if (tag === TAG.caption) {
    pushMarker(b);
    return inTable(b, MODE.inCaption);
  }
  if (tag === TAG.colgroup) return inTable(b, MODE.inColgroup);
  if (SECTIONS[tag] === 1) return inTable(b, MODE.inSection);
  insertImplied(b, tag === TAG.col ? TAG.colgroup : TAG.tbody);
  b.mode = tag === TAG.col ? MODE.inColgroup : MODE.inSection;
  return AGAIN;
}

function startFostered(b: Builder): Next {
  b.foster = true;
  const next = startInBody(b);
  b.foster = false;
  // An image token is read again as img and must be fostered too.
  return next === AGAIN ? startFostered(b) : next;
}

/** The mode "in table" for an end tag. */
export function endInTable(b: Builder, tag: number): Next {
  if (tag === TAG.table) {
    if (!inTableScope(b, TAG.table)) return DONE;
    popThrough(b, TAG.table);
    resetMode(b);
    return DONE;
  }
  if (IGNORED_END[tag] === 1) return DONE;
  if (tag === TAG.template) return endTemplate(b);
  b.foster = true;
  endInBody(b, tag);
  b.foster = false;
  return DONE;
}

export function startInCaption(b: Builder): Next {
  if ((flagsOf(b.tokenTag) & TABLE_PART) === 0) return startInBody(b);
  return closeCaption(b) ? AGAIN : DONE;
}

export function endInCaption(b: Builder, tag: number): Next {
  if (tag === TAG.caption) {
    closeCaption(b);
    return DONE;
  }
  if (tag === TAG.table) return closeCaption(b) ? AGAIN : DONE;
  return IGNORED_END[tag] === 1 ? DONE : endInBody(b, tag);
}

function closeCaption(b: Builder): boolean {
  if (!inTableScope(b, TAG.caption)) return false;
  popThrough(b, TAG.caption);
  clearToMarker(b);
  b.mode = MODE.inTable;
  return true;
}

export function startInColgroup(b: Builder): Next {
  const tag = b.tokenTag;
  if (tag === TAG.html) return startInBody(b);
  if (tag === TAG.col) return insertVoid(b);
  if (tag === TAG.template) return startHeadContent(b);
  return leaveColgroup(b);
}

export function endInColgroup(b: Builder, tag: number): Next {
  if (tag === TAG.template) return endTemplate(b);
  if (tag === TAG.col) return DONE;
  const next = leaveColgroup(b);
  return tag === TAG.colgroup ? DONE : next;
}

/** Closes the column group for content that does not belong there. */
export function leaveColgroup(b: Builder): Next {
  if (currentTag(b) !== TAG.colgroup) return DONE;
  pop(b);
  b.mode = MODE.inTable;
  return AGAIN;
}

export function startInSection(b: Builder): Next {
  const tag = b.tokenTag;
  if (tag === TAG.tr) {
    clearTo(b, SECTION_CONTEXT);
    return inTable(b, MODE.inRow);
  }
  if (CELLS[tag] === 1) {
    clearTo(b, SECTION_CONTEXT);
    insertImplied(b, TAG.tr);
    b.mode = MODE.inRow;
    return AGAIN;
  }
  if ((flagsOf(tag) & TABLE_PART) !== 0) return leaveSection(b);
  return startInTable(b);
}

export function endInSection(b: Builder, tag: number): Next {
  if (SECTIONS[tag] === 1) {
    if (!inTableScope(b, tag)) return DONE;
    leaveSection(b);
    return DONE;
  }
  return tag === TAG.table ? leaveSection(b) : endInTable(b, tag);
}

function leaveSection(b: Builder): Next {
  if (!inTableScope(b, TAG.tbody) && !inTableScope(b, TAG.thead) && !inTableScope(b, TAG.tfoot)) return DONE;
  clearTo(b, SECTION_CONTEXT);
  pop(b);
  b.mode = MODE.inTable;
  return AGAIN;
}

export function startInRow(b: Builder): Next {
  const tag = b.tokenTag;
  if (CELLS[tag] === 1) {
    clearTo(b, ROW_CONTEXT);
    pushMarker(b);
    return inTable(b, MODE.inCell);
  }
  return (flagsOf(tag) & TABLE_PART) !== 0 ? leaveRow(b) : startInTable(b);
}

export function endInRow(b: Builder, tag: number): Next {
  if (tag === TAG.tr) {
    leaveRow(b);
    return DONE;
  }
  if (tag === TAG.table) return leaveRow(b);
  if (SECTIONS[tag] === 1) return inTableScope(b, tag) ? leaveRow(b) : DONE;
  return endInTable(b, tag);
}

function leaveRow(b: Builder): Next {
  if (!inTableScope(b, TAG.tr)) return DONE;
  clearTo(b, ROW_CONTEXT);
  pop(b);
  b.mode = MODE.inSection;
  return AGAIN;
}

export function startInCell(b: Builder): Next {
  if ((flagsOf(b.tokenTag) & TABLE_PART) === 0) return startInBody(b);
  return closeCell(b);
}

export function endInCell(b: Builder, tag: number): Next {
  if (CELLS[tag] === 1) {
    if (!inTableScope(b, tag)) return DONE;
    popThrough(b, tag);
    clearToMarker(b);
    b.mode = MODE.inRow;
    return DONE;
  }
  if (tag === TAG.table || tag === TAG.tr || SECTIONS[tag] === 1) return inTableScope(b, tag) ? closeCell(b) : DONE;
  return IGNORED_END[tag] === 1 ? DONE : endInBody(b, tag);
}

function closeCell(b: Builder): Next {
  const cell = inTableScope(b, TAG.td) ? TAG.td : TAG.th;
  if (!inTableScope(b, cell)) return DONE;
  popThrough(b, cell);
  clearToMarker(b);
  b.mode = MODE.inRow;
  return AGAIN;
}
