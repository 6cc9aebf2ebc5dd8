import { at } from '#extract/values/raw.ts';
import type { ParsedPage } from './parsed-page.ts';
import { variablesOf } from './scripts.ts';

/** The data that Next.js streams into a page, joined to one text. Empty if the page has none. */
export function flightOf(page: ParsedPage): string {
  return variablesOf(page, '__next_f.push(')
    .map((piece) => (at(piece, 0) === 1 ? at(piece, 1) : undefined))
    .filter((text) => typeof text === 'string')
    .join('');
}
