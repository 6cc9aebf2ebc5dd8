import { decodeXML, escapeText } from 'entities';
import { createXmlScanner, getXmlLocalName, parseXmlAttributes, parseXml } from '#extract/converters/xml.ts';
import type { ReadWarning } from '#extract/warnings.ts';
import { type DocumentPage, type DocumentProperties, toDocumentHtml, toTableHtml } from './document.ts';
import type { Archive } from './zip.ts';

/** Formats a number as a cell with the given style index shows it. */
type FormatNumber = (value: number, style: number) => string;

const MAX_STYLES = 100_000;
const MAX_FORMAT_LENGTH = 1000;
/** The number of days between the 1900 and 1904 date systems. */
const DAYS_TO_1904 = 1462;
/** A format for elapsed time, which does not depend on the date system. */
const ELAPSED_TIME = /\[(?:h+|m+|s+)\]/i;
/** These built-in formats depend on the reader's locale (ISO/IEC 29500-1, 18.8.30), so an unambiguous one replaces them. */
const DATE_PATTERN = 'yyyy-mm-dd';
const DATE_TIME_PATTERN = 'yyyy-mm-dd hh:mm';
const LOCALE_DATE_PATTERNS: Readonly<Record<number, string>> = { 14: DATE_PATTERN, 22: DATE_TIME_PATTERN };

/** Loads the number formats of a workbook's styles. */
async function loadNumberFormats(styles: string, has1904: boolean): Promise<FormatNumber> {
  const { format, getFormatFromId, isDateFormat, isValidFormat } = await import('numfmt');
  const { custom, used } = readStyles(styles);
  const known = new Map<number, string>();

  function getPattern(style: number): string {
    const id = used[style] ?? 0;
    const found = known.get(id);
    if (found !== undefined) return found;
    const code = custom.get(id) ?? LOCALE_DATE_PATTERNS[id] ?? getFormatFromId(id) ?? 'General';
    const pattern = code.length <= MAX_FORMAT_LENGTH && isValidFormat(code) ? code : 'General';
    known.set(id, pattern);
    return pattern;
  }

  return (value, style) => {
    const pattern = getPattern(style);
    const isDate = isDateFormat(pattern) && !ELAPSED_TIME.test(pattern);
    const serial = has1904 && isDate ? value + DAYS_TO_1904 : value;
    return format(pattern, serial, { throws: false, grouping: [3, 3] }).trim();
  };
}

type NumberStyles = {
  /** Custom formats by ID. */
  readonly custom: ReadonlyMap<number, string>;
  /** The format ID of each style. */
  readonly used: readonly number[];
};

function readStyles(xml: string): NumberStyles {
  const custom = new Map<number, string>();
  const used: number[] = [];
  let isOfCells = false;
  createXmlScanner({
    open(qualified, source) {
      const name = getXmlLocalName(qualified);
      if (name === 'cellxfs') isOfCells = true;
      if (name === 'numfmt' && custom.size < MAX_STYLES) {
        const attributes = parseXmlAttributes(source);
        custom.set(Number(attributes.get('numfmtid')), attributes.get('formatcode') ?? '');
      }
      if (name === 'xf' && isOfCells && used.length < MAX_STYLES) {
        used.push(Number(parseXmlAttributes(source).get('numfmtid') ?? 0));
      }
    },
    close(qualified) {
      if (getXmlLocalName(qualified) === 'cellxfs') isOfCells = false;
    },
    text: () => undefined,
  }).push(xml);
  return { custom, used };
}

const MAX_SHEETS = 200;
const MAX_ROWS = 20_000;
const MAX_COLUMNS = 500;
/** The most cells of all sheets, including the empty ones before a cell. */
const MAX_CELLS = 500_000;
/** The most letters of all sheets, since many cells may share one long text. */
const MAX_LETTERS = 20_000_000;
const MAX_SHARED_TEXTS = 1_000_000;
const MAX_FILLED_CELLS = 10_000;
/** The characters of a sheet that are scanned before checking whether the limits are reached. */
const PIECE_LENGTH = 1_000_000;

type WorkbookState = {
  readonly shared: readonly string[];
  readonly show: FormatNumber;
  cellsLeft: number;
  lettersLeft: number;
};

/**
 * Reads a workbook: each visible sheet becomes a heading and a table whose first row has the column names. Values are
 * formatted as displayed.
 */
export async function readXlsx(archive: Archive, facts: DocumentProperties): Promise<Omit<DocumentPage, 'mediaType'>> {
  const workbook = archive.read('xl/workbook.xml') ?? '';
  const settings = parseXml(workbook)?.children.find(({ name }) => name === 'workbookpr');
  const has1904 = /^(?:1|true)$/.test(settings?.attributes.get('date1904') ?? '');
  const book: WorkbookState = {
    shared: readSharedTexts(archive.read('xl/sharedStrings.xml') ?? ''),
    show: await loadNumberFormats(archive.read('xl/styles.xml') ?? '', has1904),
    cellsLeft: MAX_CELLS,
    lettersLeft: MAX_LETTERS,
  };
  const listed = listSheets(workbook, archive.read('xl/_rels/workbook.xml.rels') ?? '');
  const parts: string[] = [];
  const cut: string[] = listed.length > MAX_SHEETS ? [`sheets after the first ${MAX_SHEETS}`] : [];
  for (const { name, part } of listed.slice(0, MAX_SHEETS)) {
    const { rows, isCut } = readSheet(archive.read(part) ?? '', book);
    parts.push(`<section><h2>${escapeText(name)}</h2>${renderTable(rows)}</section>`);
    if (isCut) cut.push(`cells of ${name}`);
  }
  const warnings: readonly ReadWarning[] =
    cut.length === 0 ? [] : [{ code: 'truncated', message: `too large, omitted: ${cut.slice(0, 10).join(', ')}` }];
  return { html: toDocumentHtml(facts, parts.join('')), pageCount: null, warnings };
}

/** The visible sheets in order, each with its name and its part in the archive. */
function listSheets(workbook: string, relations: string): readonly { readonly name: string; readonly part: string }[] {
  const targets = new Map<string, string>();
  scanElements(relations, (name, attributes) => {
    if (name !== 'relationship' || attributes.get('targetmode') === 'External') return;
    const target = attributes.get('target') ?? '';
    targets.set(attributes.get('id') ?? '', target.startsWith('/') ? target.slice(1) : `xl/${target}`);
  });
  const sheets: { name: string; part: string }[] = [];
  scanElements(workbook, (element, attributes) => {
    if (element !== 'sheet' || (attributes.get('state') ?? 'visible') !== 'visible') return;
    const part = targets.get(attributes.get('id') ?? '');
    if (part !== undefined) sheets.push({ name: attributes.get('name') ?? '', part });
  });
  return sheets;
}

function scanElements(xml: string, open: (name: string, attributes: ReadonlyMap<string, string>) => void): void {
  createXmlScanner({
    open: (name, attributes) => open(getXmlLocalName(name), parseXmlAttributes(attributes)),
    close: ignoreEvent,
    text: ignoreEvent,
  }).push(xml);
}

function ignoreEvent(): void {}

/** Reads the texts that cells refer to by index, without phonetic hints. */
function readSharedTexts(xml: string): readonly string[] {
  const shared: string[] = [];
  let text: string[] | null = null;
  let isRead = false;
  let phonetic = 0;
  createXmlScanner({
    open(name) {
      const local = getXmlLocalName(name);
      if (local === 'si' && shared.length < MAX_SHARED_TEXTS) text = [];
      if (local === 'rph') phonetic++;
      isRead = local === 't' && phonetic === 0;
    },
    close(name) {
      const local = getXmlLocalName(name);
      if (local === 'rph') phonetic--;
      if (local === 't') isRead = false;
      if (local !== 'si' || text === null) return;
      shared.push(text.join(''));
      text = null;
    },
    text(escaped) {
      if (isRead && text !== null) text.push(decodeXML(escaped));
    },
  }).push(xml);
  return shared;
}

type SheetRows = { readonly rows: readonly (readonly string[])[]; readonly isCut: boolean };
type OpenCell = { readonly column: number; readonly type: string; readonly style: number; text: string };

/** Reads the rows of a sheet that have a visible value. */
function readSheet(xml: string, book: WorkbookState): SheetRows {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell: OpenCell | null = null;
  let isRead = false;
  let isCut = false;
  const room = { isLeft: true };
  const hidden = new Set<number>();
  let isHiddenRow = false;
  const scanner = createXmlScanner({
    open(name, source) {
      const local = getXmlLocalName(name);
      if (local === 'col') hideColumns(parseXmlAttributes(source), hidden);
      if (local === 'row') {
        row = [];
        isHiddenRow = isHiddenElement(parseXmlAttributes(source));
      }
      isRead = local === 'v' || (local === 't' && cell?.type === 'inlineStr');
      if (local !== 'c') return;
      const attributes = parseXmlAttributes(source);
      const column = parseColumn(attributes.get('r') ?? '') ?? row.length;
      cell = { column, type: attributes.get('t') ?? 'n', style: Number(attributes.get('s') ?? 0), text: '' };
    },
    close(name) {
      const local = getXmlLocalName(name);
      if (local === 'v' || local === 't') isRead = false;
      if (local === 'c' && cell !== null && cell.text !== '' && !isHiddenRow && !hidden.has(cell.column)) {
        const isOut = cell.column >= MAX_COLUMNS;
        if (!isOut && (rows.length >= MAX_ROWS || !addCell(row, cell, book))) room.isLeft = false;
        isCut ||= isOut || !room.isLeft;
        cell = null;
      }
      if (local === 'row' && row.some((value) => value !== '')) rows.push(row);
    },
    text(escaped) {
      if (isRead && cell !== null) cell.text += decodeXML(escaped);
    },
  });
  for (let at = 0; at < xml.length && room.isLeft; at += PIECE_LENGTH) scanner.push(xml.slice(at, at + PIECE_LENGTH));
  if (hidden.size === 0) return { rows, isCut };
  return { rows: rows.map((values) => values.filter((_, column) => !hidden.has(column))), isCut };
}

function isHiddenElement(attributes: ReadonlyMap<string, string>): boolean {
  return /^(?:1|true)$/.test(attributes.get('hidden') ?? '');
}

/** Adds the zero-based indexes of the columns that an element hides. */
function hideColumns(attributes: ReadonlyMap<string, string>, hidden: Set<number>): void {
  if (!isHiddenElement(attributes)) return;
  const last = Math.min(Number(attributes.get('max')), MAX_COLUMNS);
  for (let column = Math.max(1, Number(attributes.get('min'))); column <= last; column++) hidden.add(column - 1);
}

/** Adds a cell to a row; false if a limit is reached. */
function addCell(row: string[], cell: OpenCell, book: WorkbookState): boolean {
  const value = formatCell(cell, book);
  const added = Math.max(0, cell.column - row.length) + 1;
  if (added > book.cellsLeft || value.length > book.lettersLeft) return false;
  book.cellsLeft -= added;
  book.lettersLeft -= value.length;
  while (row.length < cell.column) row.push('');
  row[cell.column] = value;
  return true;
}

/** The zero-based column of a cell reference: 27 for `AB12`; null if it has none. */
function parseColumn(reference: string): number | null {
  const letters = /^[A-Z]{1,3}/.exec(reference)?.[0];
  if (letters === undefined) return null;
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}

function formatCell({ type, style, text }: OpenCell, { shared, show }: WorkbookState): string {
  if (type === 's') return (shared[Number(text)] ?? '').trim();
  if (type === 'b') return text === '1' ? 'TRUE' : 'FALSE';
  if (type !== 'n') return text.trim();
  const number = Number(text);
  return Number.isFinite(number) && text.trim() !== '' ? show(number, style) : text;
}

/**
 * Renders rows as a table, without empty columns on the left. Rows are padded to the widest one, unless few are that
 * wide: a single far cell would blow up the table.
 */
function renderTable(rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  let first = MAX_COLUMNS;
  let last = 0;
  let cells = 0;
  for (const row of rows) {
    const start = row.findIndex((value) => value !== '');
    first = Math.min(first, start);
    last = Math.max(last, row.length);
    cells += row.length;
  }
  const isFilled = rows.length * last <= cells * 10 + MAX_FILLED_CELLS;
  const listCells = (row: readonly string[]) =>
    isFilled ? Array.from({ length: last - first }, (_, at) => row[first + at] ?? '') : row.slice(first);
  return toTableHtml(rows.map((row) => listCells(row).map((value) => escapeText(value).replaceAll('\n', '<br>'))));
}
