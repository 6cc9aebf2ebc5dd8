/** A stretch of text of a page, in points from its upper left corner as it is shown. */
export type TextPiece = {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  /** Of the baseline, growing downwards. */
  readonly base: number;
  readonly size: number;
  /** A name that is the same for the same font of a document. */
  readonly font: string;
  readonly isMono: boolean;
  /** The mark by which the tags of a document name it; null where it has none. */
  readonly mark: string | null;
};

/** Where a page leads to. */
export type LinkArea = {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly url: string;
};

/** Text with one target, or none. */
export type TextRun = { readonly text: string; readonly url: string | null };

/** The text of a line up to a wide gap. */
export type PdfCell = { readonly runs: readonly TextRun[]; readonly left: number; readonly right: number };

export type PdfLine = {
  readonly cells: readonly PdfCell[];
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly base: number;
  readonly size: number;
  /** The font that all of it is set in; null for several. */
  readonly font: string | null;
  readonly isMono: boolean;
};

/** Gaps in widths of the letter m: between words, and between the columns of a table. */
const MIN_WORD_GAP = 0.13;
const MIN_COLUMN_GAP = 1.3;
/** Marks of list items stand apart from their text. */
const LIST_MARK = /^(?:[•◦▪‣●○■□·*\u2013\u2014\uf0b7\uf0a7\uf0d8-]|o|\(?[0-9]{1,3}[.)]|\(?[a-z]{1,3}[.)])$/;

/**
 * The lines of a page, in the order in which its program writes them; that is the order of reading for nearly all. Where it
 * jumps up and down within a column it is not, and lines are put in order from top to bottom.
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

/** Raised and lowered small letters belong to the line that they stand on. */
function isOnLine(piece: TextPiece, last: TextPiece): boolean {
  const larger = Math.max(piece.size, last.size);
  const tolerance = Math.min(piece.size, last.size) < larger * 0.8 ? 0.55 : 0.3;
  return Math.abs(piece.base - last.base) <= larger * tolerance;
}

/** Letters that are drawn twice to look bold. */
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

/** The piece, with those of its words apart that stand in an area that leads somewhere. */
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

/** The start of the word that begins nearest to a place that is only known by the mean width of letters. */
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

/** All of a line, its cells apart by a space. */
export function joinCellRuns({ cells }: PdfLine): readonly TextRun[] {
  return cells.flatMap(({ runs }, at) => (at === 0 ? runs : [{ text: ' ', url: null }, ...runs]));
}

/** The text of runs. */
export function getRunsText(runs: readonly TextRun[]): string {
  return runs.map((run) => run.text).join('');
}
