import type { PdfLine } from './pdf-lines.ts';

/** Lines at either end of a page that may be a running head or foot. */
const MAX_MARGIN_LINES = 3;
const MIN_PAGES = 3;
/** Of the height of a page, from either end. */
const MARGIN_SHARE = 0.09;
const MAX_RUNNING_LENGTH = 150;

export type PageLines = { readonly lines: readonly PdfLine[]; readonly height: number };

/**
 * The lines of each page without running heads, feet and page numbers: what stands in the margin of a third of the pages
 * or more, numbers aside, and what begins or ends there with the number of its page.
 */
export function removeRunningHeads(pages: readonly PageLines[]): readonly (readonly PdfLine[])[] {
  const margins = pages.map(listMarginLines);
  const repeated = countPages(margins.map((lines) => lines.map(toLineKey)));
  const offsets = countPages(margins.map((lines, at) => lines.flatMap(listNumbers).map((number) => number - at)));
  const fewest = Math.max(MIN_PAGES, pages.length / 3);
  const [offset = null] =
    [...offsets].filter(([, count]) => count >= fewest).toSorted((one, other) => other[1] - one[1])[0] ?? [];
  return pages.map(({ lines }, at) => {
    const running = new Set(
      margins[at]?.filter(
        (line) =>
          (repeated.get(toLineKey(line)) ?? 0) >= fewest ||
          (offset !== null && listNumbers(line).includes(at + offset)),
      ),
    );
    return lines.filter((line) => !running.has(line));
  });
}

/** On how many pages each thing is. */
function countPages<T>(pages: readonly (readonly T[])[]): ReadonlyMap<T, number> {
  const counts = new Map<T, number>();
  for (const page of pages) {
    for (const thing of new Set(page)) counts.set(thing, (counts.get(thing) ?? 0) + 1);
  }
  return counts;
}

function listMarginLines({ lines, height }: PageLines): readonly PdfLine[] {
  const sorted = lines.toSorted((one, other) => one.base - other.base);
  const ends = new Set([...sorted.slice(0, MAX_MARGIN_LINES), ...sorted.slice(-MAX_MARGIN_LINES)]);
  return [...ends].filter(
    ({ base, text }) =>
      text.length < MAX_RUNNING_LENGTH && (base < height * MARGIN_SHARE || base > height * (1 - MARGIN_SHARE)),
  );
}

/** Pages to the left and to the right may set the same text at other ends. */
function toLineKey({ text }: PdfLine): string {
  return text
    .replaceAll(/\d+|\b[ivxlc]+\b/gi, '#')
    .replaceAll(/[\s|·\u2013\u2014-]+/g, ' ')
    .trim();
}

/** The numbers that a line begins or ends with. */
function listNumbers({ text }: PdfLine): readonly number[] {
  const found = [/^\D{0,6}(\d{1,4})(?:\D|$)/.exec(text), /(?:^|\D)(\d{1,4})\D{0,2}$/.exec(text)];
  return found.filter((match) => match !== null).map((match) => Number(match[1]));
}
