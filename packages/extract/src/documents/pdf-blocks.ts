import { getRunsText, joinCellRuns, type PdfLine, type TextRun } from './pdf-lines.ts';
import { findColumns, findTable } from './pdf-tables.ts';

/** A block of a page. `ordered` is the number of a list item, null for a bullet; `left` is its position in points. */
export type PdfBlock =
  | { readonly kind: 'heading'; readonly level: number; readonly runs: readonly TextRun[] }
  | { readonly kind: 'paragraph'; readonly runs: readonly TextRun[] }
  | { readonly kind: 'item'; readonly ordered: number | null; readonly left: number; readonly runs: readonly TextRun[] }
  | { readonly kind: 'table'; readonly rows: readonly (readonly (readonly TextRun[])[])[] }
  | { readonly kind: 'code'; readonly text: string };

/** The levels of the headings in a document's outline, by their letters and digits (`toOutlineKey`). */
export type Outline = ReadonlyMap<string, number>;

type TextBlock = Exclude<PdfBlock, { readonly kind: 'table' | 'code' }>;
type OpenBlock = { readonly block: TextBlock; readonly first: PdfLine; readonly last: PdfLine };

/** The line distance, in font sizes, if the page has too few lines to measure it. */
const DEFAULT_LEADING = 1.2;
const MIN_INDENT = 0.8;
/** The extra space, in font sizes, that a line must leave besides the next word to count as ended early. */
const LINE_SLACK = 1.5;
/** The same for a line that does not end a sentence, as in verses and addresses. */
const VERSE_SLACK = 8;
/** The width of a monospaced letter, in font sizes. */
const MONO_WIDTH = 0.55;
const BULLET = /^(?:[•◦▪‣●○■□·*\u2013\u2014\uf0b7\uf0a7\uf0d8-]|o(?= +[A-Z]))\s+(?=\S)/;
const NUMBER = /^\(?(?:(\d{1,3})|([a-z]))[.)]\s+(?=\S)/;
const ENDS_SENTENCE = /[.!?:;\u3002\uff01\uff1f]["'\u201d\u2019)\]]*$/;
const BROKEN_WORD = /[\p{L}\p{N}][-\u00ad\u2010]$/u;
/**
 * First parts of words that are always hyphenated: single letters, multiples of ten, numbers, ends of URLs, and common
 * English prefixes.
 */
const HYPHENATED_PREFIX =
  /(?:(?:^|[^\p{L}\p{N}])(?:\p{L}|well|self|ill|half|ex|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)|\p{N}|\/\S*)[-\u2010]$/iu;
/** Suffixes that show that a word was broken at the hyphen, in spite of such a first part. */
const WORD_SUFFIX = /^(?:ness|ing|ish|less|ed|er|ly|es|s)(?!\p{L})/u;
/** Words before which a hyphen stands for the end of a later word, as in "pre- and post-war". */
const CONJUNCTION = /^(?:and|or|to|und|oder|bis|en|of|et|ou|och|eller)(?!\p{L})/u;

/** Groups the lines of a page, which are in reading order, into blocks. */
export function toBlocks(lines: readonly PdfLine[], styles: FontStyles, outline: Outline): readonly PdfBlock[] {
  const inOrder = orderColumns(lines);
  const leading = measureLeading(inOrder);
  const measure = { leading, edges: measureEdges(inOrder, leading) };
  const blocks: PdfBlock[] = [];
  let open: OpenBlock | null = null;
  for (let at = 0; at < inOrder.length; at++) {
    const line = inOrder[at];
    if (line === undefined) break;
    if (line.isMono && styles.font !== line.font) {
      addCode(blocks, line, inOrder[at - 1]);
      open = null;
      continue;
    }
    const table = findTable(inOrder, at);
    if (table !== null) {
      blocks.push({ kind: 'table', rows: table.rows });
      at = table.end - 1;
      open = null;
      continue;
    }
    const level = findHeadingLevel(line, { before: inOrder[at - 1], after: inOrder[at + 1], styles, outline, measure });
    if (open !== null && continuesBlock(open, line, level, measure)) {
      open = addLine(open, line, measure);
      blocks[blocks.length - 1] = open.block;
      continue;
    }
    const block = startBlock(line, level);
    open = { block, first: line, last: line };
    blocks.push(block);
  }
  return blocks;
}

function orderColumns(lines: readonly PdfLine[]): readonly PdfLine[] {
  const inOrder: PdfLine[] = [];
  for (let at = 0; at < lines.length; at++) {
    const columns = findColumns(lines, at);
    const line = lines[at];
    if (columns !== null) {
      inOrder.push(...columns.lines);
      at = columns.end - 1;
    } else if (line !== undefined) inOrder.push(line);
  }
  return inOrder;
}

type LineMetrics = {
  /** The distance between the lines of a text, in font sizes. */
  readonly leading: number;
  /** The right edge of the text that a line belongs to. */
  readonly edges: ReadonlyMap<PdfLine, number>;
};

function measureLeading(lines: readonly PdfLine[]): number {
  const distances = lines
    .map((line, at) => ({ line, before: lines[at - 1] }))
    .filter(({ line, before }) => before !== undefined && Math.abs(before.size - line.size) < 0.5)
    .map(({ line, before }) => (line.base - (before?.base ?? 0)) / line.size)
    .filter((distance) => distance > 0.9 && distance < 2.2)
    .toSorted((one, other) => one - other);
  return distances[Math.floor(distances.length / 3)] ?? DEFAULT_LEADING;
}

/** Groups of closely spaced lines share an edge: the right end of their longest line. */
function measureEdges(lines: readonly PdfLine[], leading: number): ReadonlyMap<PdfLine, number> {
  const edges = new Map<PdfLine, number>();
  let group: PdfLine[] = [];
  const close = (): void => {
    const edge = group.reduce((most, line) => Math.max(most, line.right), 0);
    for (const line of group) edges.set(line, edge);
  };
  for (const line of lines) {
    const before = group.at(-1);
    if (before !== undefined && isSeparate(line, before, leading)) {
      close();
      group = [];
    }
    group.push(line);
  }
  close();
  return edges;
}

type LineContext = {
  readonly before: PdfLine | undefined;
  readonly after: PdfLine | undefined;
  readonly styles: FontStyles;
  readonly outline: Outline;
  readonly measure: LineMetrics;
};

/** The heading level of a line by its size, by the outline, or because it stands apart in a font of its own; null for text. */
function findHeadingLevel(line: PdfLine, { before, after, styles, outline, measure }: LineContext): number | null {
  const bySize = styles.levelOf(line);
  if (bySize !== null) return bySize;
  const outlined = outline.get(toOutlineKey(line.text));
  const isApart = before === undefined || isSeparate(line, before, measure.leading);
  if (outlined !== undefined && (isApart || line.font !== styles.font)) return outlined;
  if (line.font === null || !styles.standsOut(line.font) || line.size < styles.size * 0.95) return null;
  const isFollowed = after !== undefined && after.base > line.base && after.font !== line.font;
  const reads = line.text.length <= 120 && /^[\p{Lu}\p{N}\p{Lo}]/u.test(line.text) && !/[.,;:]$/.test(line.text);
  return isApart && isFollowed && reads && /\p{L}{2}/u.test(line.text) ? styles.fontLevel : null;
}

/** A key under which the headings of the outline are found on the page. */
export function toOutlineKey(text: string): string {
  return text
    .slice(0, 300)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '');
}

/** Whether a line is further below the previous one than lines of the same text are, or elsewhere on the page. */
function isSeparate(line: PdfLine, before: PdfLine, leading: number): boolean {
  const distance = (line.base - before.base) / Math.max(line.size, before.size);
  return distance < 0.3 || distance > leading * 1.25 + 0.05;
}

function startBlock(line: PdfLine, level: number | null): TextBlock {
  const runs = joinCellRuns(line);
  if (level !== null) return { kind: 'heading', level, runs };
  const bullet = BULLET.exec(line.text);
  if (bullet !== null) return { kind: 'item', ordered: null, left: line.left, runs: removeStart(runs, bullet[0]) };
  const number = NUMBER.exec(line.text);
  if (number === null) return { kind: 'paragraph', runs };
  const ordered = number[1] === undefined ? (number[2] ?? '').charCodeAt(0) - 96 : Number(number[1]);
  return { kind: 'item', ordered, left: line.left, runs: removeStart(runs, number[0]) };
}

function removeStart(runs: readonly TextRun[], start: string): readonly TextRun[] {
  let left = start.trim().length;
  return runs.map(({ text, url }) => {
    const own = text.trimStart();
    const cut = Math.min(left, own.length);
    if (left === 0) return { text, url };
    left -= cut;
    return { text: own.slice(cut).trimStart(), url };
  });
}

function continuesBlock(
  { block, first, last }: OpenBlock,
  line: PdfLine,
  level: number | null,
  measure: LineMetrics,
): boolean {
  const isSameSize = Math.abs(line.size - last.size) <= last.size * 0.08;
  const isSameHeading = block.kind === 'heading' && level === block.level && line.font === last.font;
  if (block.kind === 'heading' || level !== null) return isSameHeading && !isSeparate(line, last, measure.leading);
  if (BULLET.test(line.text)) return false;
  if (line.base <= last.base || isSeparate(line, last, measure.leading))
    return continuesAcross(last, line) && isSameSize;
  if (!isSameSize && line.size < last.size * 0.7) return false;
  if (line.left >= last.right || last.left >= line.right) return false;
  const textLeft = last === first && block.kind === 'item' ? line.left : last.left;
  const isIndented = line.left > textLeft + line.size * MIN_INDENT;
  if (isIndented && ENDS_SENTENCE.test(last.text)) return false;
  const isNumbered = NUMBER.test(line.text);
  if (block.kind === 'item' && isNumbered && line.left <= first.left + line.size * MIN_INDENT) return false;
  return !(endsEarly(last, line, { measure, slack: LINE_SLACK }) && (ENDS_SENTENCE.test(last.text) || isNumbered));
}

/** Whether a text continues in another column or on the next page. */
export function continuesAcross(last: Pick<PdfLine, 'text'>, line: Pick<PdfLine, 'text'>): boolean {
  return !ENDS_SENTENCE.test(last.text) && /^\p{Ll}/u.test(line.text);
}

/** Whether a line was ended on purpose: the first word of the next line would have fitted on it. */
function endsEarly(
  last: PdfLine,
  line: PdfLine,
  { measure, slack }: { readonly measure: LineMetrics; readonly slack: number },
): boolean {
  const [word = ''] = line.text.split(' ', 1);
  const width = ((line.right - line.left) / Math.max(1, line.text.length)) * word.length;
  const edge = measure.edges.get(last) ?? last.right;
  return last.right + width + line.size * slack < edge;
}

function addLine({ block, first, last }: OpenBlock, line: PdfLine, measure: LineMetrics): OpenBlock {
  const runs = joinCellRuns(line);
  const isEarly = endsEarly(last, line, { measure, slack: VERSE_SLACK });
  const breaks = block.kind === 'paragraph' && isEarly && line.base > last.base;
  return { block: { ...block, runs: joinRuns(block.runs, runs, breaks ? '\n' : ' ') }, first, last: line };
}

/** Joins two lines of a text; a word that is hyphenated at the line end becomes whole. */
export function joinRuns(
  before: readonly TextRun[],
  after: readonly TextRun[],
  between: ' ' | '\n',
): readonly TextRun[] {
  const last = before.findLast((run) => run.text.trim() !== '');
  const end = last?.text.trimEnd() ?? '';
  const start = getRunsText(after).trimStart();
  if (last !== undefined && BROKEN_WORD.test(end) && /^[\p{L}\p{N}]/u.test(start) && !CONJUNCTION.test(start)) {
    const place = before.lastIndexOf(last);
    return [
      ...before.slice(0, place),
      { text: hasOwnHyphen(end, start) ? end : end.slice(0, -1), url: last.url },
      ...after,
    ];
  }
  const isTight = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]$/u.test(end);
  return [...before, { text: isTight && between === ' ' ? '' : between, url: null }, ...after];
}

/** Whether the hyphen at the line end belongs to the word: before a capital or a digit, and in words that always have one. */
function hasOwnHyphen(end: string, start: string): boolean {
  if (end.endsWith('\u00ad')) return false;
  return !/^\p{Ll}/u.test(start) || (HYPHENATED_PREFIX.test(end.slice(-40)) && !WORD_SUFFIX.test(start));
}

function addCode(blocks: PdfBlock[], line: PdfLine, before: PdfLine | undefined): void {
  const last = blocks.at(-1);
  if (last?.kind !== 'code' || before === undefined) blocks.push({ kind: 'code', text: formatListing([line]) });
  else blocks[blocks.length - 1] = { kind: 'code', text: appendCodeLine(last.text, line, before) };
}

/** Formats lines of code, with their gaps and indentation as spaces. */
export function formatListing(lines: readonly PdfLine[]): string {
  return lines.reduce((text, line, at) => {
    const before = lines[at - 1];
    return before === undefined ? formatCodeLine(line) : appendCodeLine(text, line, before);
  }, '');
}

function appendCodeLine(text: string, line: PdfLine, before: PdfLine): string {
  const step = Math.round((line.left - before.left) / (line.size * MONO_WIDTH));
  const indent = Math.max(0, Math.min(40, step + measureIndent(text)));
  const distance = (line.base - before.base) / line.size;
  return `${text}\n${distance > 1.9 ? '\n' : ''}${' '.repeat(indent)}${formatCodeLine(line)}`;
}

function formatCodeLine({ cells, left, size }: PdfLine): string {
  let text = '';
  let right = left;
  for (const cell of cells) {
    const gap = Math.round((cell.left - right) / (size * MONO_WIDTH));
    text += ' '.repeat(Math.max(0, Math.min(200, gap))) + getRunsText(cell.runs).trimEnd();
    right = cell.right;
  }
  return text;
}

function measureIndent(text: string): number {
  const line = text.slice(text.lastIndexOf('\n') + 1);
  return line.length - line.trimStart().length;
}

/** The size and font of a document's text, and those of its headings. */
type FontStyles = {
  readonly size: number;
  readonly font: string | null;
  /** The heading level of a line by its size; null for text. */
  readonly levelOf: (line: PdfLine) => number | null;
  /** Whether a font is rare enough to mark headings. */
  readonly standsOut: (font: string) => boolean;
  /** The level of headings that only their font marks. */
  readonly fontLevel: number;
};

const MIN_HEADING_RATIO = 1.13;
const MAX_HEADING_LENGTH = 250;
const MAX_LEVEL = 6;
/** A size or font with a larger share of all letters is not that of headings. */
const MAX_SIZE_SHARE = 0.2;
const MAX_FONT_SHARE = 0.25;

/** Computes the styles of a document: its text is what most letters are set in. */
export function computeFontStyles(pages: readonly (readonly PdfLine[])[]): FontStyles {
  const sizes = new Map<number, number>();
  const fonts = new Map<string, number>();
  let total = 0;
  for (const line of pages.flat()) {
    const letters = line.text.length;
    total += letters;
    addCount(sizes, roundSize(line.size), letters);
    if (line.font !== null) addCount(fonts, line.font, letters);
  }
  const size = findMostFrequent(sizes) ?? 10;
  const font = findMostFrequent(fonts);
  const larger = [...sizes]
    .filter(([each, letters]) => each >= size * MIN_HEADING_RATIO && letters <= total * MAX_SIZE_SHARE)
    .map(([each]) => each)
    .toSorted((one, other) => other - one);
  return {
    size,
    font,
    levelOf({ size: own, text }) {
      const isHeading = larger.includes(roundSize(own)) && text.length <= MAX_HEADING_LENGTH && /\p{L}/u.test(text);
      return isHeading ? Math.min(larger.indexOf(roundSize(own)) + 1, MAX_LEVEL) : null;
    },
    standsOut: (name) => name !== font && (fonts.get(name) ?? 0) <= total * MAX_FONT_SHARE,
    fontLevel: Math.min(larger.length + 1, MAX_LEVEL),
  };
}

function addCount<K>(counts: Map<K, number>, key: K, more: number): void {
  counts.set(key, (counts.get(key) ?? 0) + more);
}

function roundSize(size: number): number {
  return Math.round(size * 2) / 2;
}

function findMostFrequent<K>(counts: ReadonlyMap<K, number>): K | null {
  let best: K | null = null;
  let most = 0;
  for (const [key, count] of counts) {
    if (count > most) {
      most = count;
      best = key;
    }
  }
  return best;
}
