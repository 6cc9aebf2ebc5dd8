import type { PdfLine } from './pdf-lines.ts';

/** Which letters of a document are its text, and which sizes and fonts are those of headings. */
export type FontStyles = {
  readonly size: number;
  readonly font: string | null;
  /** The level of a heading by its letters; null for text. */
  readonly levelOf: (line: PdfLine) => number | null;
  /** Whether a font is set seldom enough to stand out. */
  readonly standsOut: (font: string) => boolean;
  /** The level of headings that only their font tells. */
  readonly fontLevel: number;
};

const MIN_HEADING_RATIO = 1.13;
const MAX_HEADING_LENGTH = 250;
const MAX_LEVEL = 6;
/** Of all letters: what is set more often is no heading. */
const MAX_SIZE_SHARE = 0.2;
const MAX_FONT_SHARE = 0.25;

/** Reads the styles off all lines of a document: text is what most letters are set in. */
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
