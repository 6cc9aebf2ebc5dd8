import { getPath } from '#extract/values/raw.ts';
import type { ParsedPage } from './parsed-page.ts';
import { listVariables } from './scripts.ts';

/** The data that Next.js streams into a page, joined to one text. Empty if the page has none. */
export function readFlightData(page: ParsedPage): string {
  return listVariables(page, '__next_f.push(')
    .map((piece) => (getPath(piece, 0) === 1 ? getPath(piece, 1) : undefined))
    .filter((text) => typeof text === 'string')
    .join('');
}
