/** A piece of text on a page, in points from the top left corner of the displayed page. */
export type TextPiece = {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  /** The y coordinate of the baseline, growing downwards. */
  readonly base: number;
  readonly size: number;
  /** An identifier of the font within the document. */
  readonly font: string;
  readonly isMono: boolean;
  /** The ID by which structure tags refer to the piece; null if it is not tagged. */
  readonly mark: string | null;
};

/** The area of a link on a page, and its target. */
export type LinkArea = {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly url: string;
};

/** A run of text with one link target, or none. */
export type TextRun = { readonly text: string; readonly url: string | null };

/** The text of a line up to a wide gap. */
export type PdfCell = { readonly runs: readonly TextRun[]; readonly left: number; readonly right: number };

/** A line of text on a page, in points from the top left corner. */
export type PdfLine = {
  readonly cells: readonly PdfCell[];
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly base: number;
  readonly size: number;
  /** The font of the whole line; null if it has several. */
  readonly font: string | null;
  readonly isMono: boolean;
};

/** The smallest gaps between words and between table columns, in font sizes. */
const MIN_WORD_GAP = 0.13;
const MIN_COLUMN_GAP = 1.3;
/** List markers, which are set apart from their text but belong to the same cell. */
const LIST_MARK = /^(?:[•◦▪‣●○■□·*\u2013\u2014\uf0b7\uf0a7\uf0d8-]|o|\(?[0-9]{1,3}[.)]|\(?[a-z]{1,3}[.)])$/;

/**
 * Groups pieces into lines, in the order in which the PDF draws them, which is nearly always the reading order. If the
 * order jumps up and down within a column, lines are sorted from top to bottom instead.
 */
export function toLines(pieces: readonly TextPiece[], links: readonly LinkArea[]): readonly PdfLine[] {
  const lines = groupLines(pieces);
  const ordered = isShuffled(lines)
    ? groupLines(lines.flat().toSorted((one, other) => one.base - other.base || one.left - other.left))
    : lines;
  return ordered.map((line) => toLine(line, links)).filter((line) => line.text !== '');
}

function groupLines(pieces: readonly TextPiece[]): readonly (readonly TextPiece[])[] {
  const lines: TextPiece[][] = [];
  for (const piece of pieces) {
    const line = lines.at(-1);
    const last = line?.at(-1);
    if (line === undefined || last === undefined || !isOnLine(piece, last)) lines.push([piece]);
    else if (!isDrawnTwice(piece, last)) line.push(piece);
  }
  return lines;
}

/** Whether a piece is on the same line, with tolerance for superscripts and subscripts. */
function isOnLine(piece: TextPiece, last: TextPiece): boolean {
  const larger = Math.max(piece.size, last.size);
  const tolerance = Math.min(piece.size, last.size) < larger * 0.8 ? 0.55 : 0.3;
  return Math.abs(piece.base - last.base) <= larger * tolerance;
}

/** Whether a piece repeats the last one, as some programs do to make text look bold. */
function isDrawnTwice(piece: TextPiece, last: TextPiece): boolean {
  return piece.text === last.text && Math.abs(piece.left - last.left) < piece.size * 0.2;
}

function isShuffled(lines: readonly (readonly TextPiece[])[]): boolean {
  let jumps = 0;
  for (let at = 1; at < lines.length; at++) {
    const [before] = lines[at - 1] ?? [];
    const [after] = lines[at] ?? [];
    if (before === undefined || after === undefined) continue;
    const isAbove = before.base - after.base > after.size * 0.5;
    if (isAbove && after.left < before.right && before.left < after.right) jumps++;
  }
  return jumps > 3 && jumps * 6 > lines.length;
}

function toLine(unordered: readonly TextPiece[], links: readonly LinkArea[]): PdfLine {
  const pieces = unordered.toSorted((one, other) => one.left - other.left);
  const size = Math.max(...pieces.map((piece) => piece.size));
  const cells: PdfCell[] = [];
  let runs: TextRun[] = [];
  let left = 0;
  let right = 0;
  for (const piece of pieces) {
    const gap = piece.left - right;
    if (runs.length > 0 && gap > size * MIN_COLUMN_GAP && !LIST_MARK.test(getRunsText(runs))) {
      cells.push({ runs, left, right });
      runs = [];
    }
    const isApart = runs.length > 0 && gap > size * MIN_WORD_GAP;
    if (runs.length === 0) left = piece.left;
    runs.push(...(isApart ? [{ text: ' ', url: null }] : []), ...toRuns(piece, links));
    right = Math.max(piece.right, right);
  }
  if (runs.length > 0) cells.push({ runs, left, right });
  const shown = cells.filter((cell) => getRunsText(cell.runs).trim() !== '');
  const fonts = new Set(pieces.filter((piece) => piece.text.trim() !== '').map((piece) => piece.font));
  const [font = null] = fonts;
  return {
    cells: shown,
    text: shown.map((cell) => getRunsText(cell.runs).trim()).join(' '),
    left: shown[0]?.left ?? 0,
    right: shown.at(-1)?.right ?? 0,
    base: Math.max(...pieces.filter((piece) => piece.size === size).map((piece) => piece.base)),
    size,
    font: fonts.size === 1 ? font : null,
    isMono: pieces.every((piece) => piece.isMono),
  };
}

/** Splits a piece at the words that are covered by a link area. */
function toRuns({ text, left, right, base, size }: TextPiece, links: readonly LinkArea[]): readonly TextRun[] {
  const middle = base - size * 0.3;
  const link = links.find(
    (area) => area.top <= middle && middle <= area.bottom && area.left < right && left < area.right,
  );
  if (link === undefined || text === '') return [{ text, url: null }];
  const width = (right - left) / text.length;
  const from = findWordStart(text, Math.round((link.left - left) / width));
  const to = findWordEnd(text, Math.round((link.right - left) / width));
  if (from >= to) return [{ text, url: null }];
  return [
    { text: text.slice(0, from), url: null },
    { text: text.slice(from, to), url: link.url },
    { text: text.slice(to), url: null },
  ].filter((run) => run.text !== '');
}

/** The nearest start of a word to an approximate position, which is estimated from the mean letter width. */
function findWordStart(text: string, about: number): number {
  if (about <= 0) return 0;
  const before = text.lastIndexOf(' ', about - 1) + 1;
  const after = text.indexOf(' ', about) + 1;
  return after > 0 && after - about < about - before ? after : before;
}

function findWordEnd(text: string, about: number): number {
  if (about >= text.length) return text.length;
  const before = text.lastIndexOf(' ', about);
  const after = text.indexOf(' ', about);
  const end = after < 0 ? text.length : after;
  return before > 0 && about - before < end - about ? before : end;
}

/** The runs of a line, with its cells separated by spaces. */
export function joinCellRuns({ cells }: PdfLine): readonly TextRun[] {
  return cells.flatMap(({ runs }, at) => (at === 0 ? runs : [{ text: ' ', url: null }, ...runs]));
}

/** The concatenated text of runs. */
export function getRunsText(runs: readonly TextRun[]): string {
  return runs.map((run) => run.text).join('');
}
