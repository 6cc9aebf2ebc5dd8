import { escapeText } from 'entities';
import type { SetPage } from './set-page.ts';

const MAX_ROWS = 20_000;
const MAX_COLUMNS = 500;

/** Comma, semicolon or tab separated values as a table whose first row names the columns. */
export function csvToHtml(source: string, mediaType: string): SetPage {
  const text = source.replace(/^\uFEFF/, '');
  const separator = mediaType === 'text/tab-separated-values' ? '\t' : separatorOf(text);
  const {
    rows: [head = [], ...rows],
    isCut,
  } = readCsv(text, separator);
  const parts = ['<table><thead>', toRow(head, 'th'), '</thead><tbody>'];
  for (const row of rows) parts.push(toRow(row, 'td'));
  parts.push('</tbody></table>');
  const cut = isCut ? `rows after the first ${MAX_ROWS} or columns after the first ${MAX_COLUMNS} are left out` : null;
  return { html: parts.join(''), cut };
}

function toRow(cells: readonly string[], tag: string): string {
  return `<tr>${cells.map((cell) => `<${tag}>${escapeText(cell).replaceAll('\n', '<br>')}</${tag}>`).join('')}</tr>`;
}

/** The separator that the first line holds most of. */
function separatorOf(text: string): string {
  const [line = ''] = text.slice(0, 10_000).split('\n');
  const counts = [',', ';', '\t', '|'].map((sign) => ({ sign, count: line.split(sign).length }));
  return counts.reduce((best, next) => (next.count > best.count ? next : best)).sign;
}

/** Rows of RFC 4180: quoted cells may hold separators, line ends and doubled quotes. */
function readCsv(
  text: string,
  separator: string,
): { readonly rows: readonly (readonly string[])[]; readonly isCut: boolean } {
  const rows: string[][] = [];
  let isWide = false;
  let row: string[] = [];
  let at = 0;
  while (at < text.length && rows.length < MAX_ROWS) {
    const cell = text[at] === '"' ? quotedCell(text, at) : plainCell(text, at, separator);
    if (row.length < MAX_COLUMNS) row.push(cell.value);
    else isWide = true;
    at = cell.end;
    if (text[at] === separator) {
      at++;
      if (at < text.length) continue;
    }
    if (text[at] === '\r') at++;
    if (text[at] === '\n') at++;
    if (row.some((value) => value !== '')) rows.push(row);
    row = [];
  }
  return { rows, isCut: isWide || at < text.length };
}

type Cell = { readonly value: string; readonly end: number };

function plainCell(text: string, start: number, separator: string): Cell {
  let end = start;
  while (end < text.length && text[end] !== separator && text[end] !== '\n' && text[end] !== '\r') end++;
  return { value: text.slice(start, end).trim(), end };
}

function quotedCell(text: string, start: number): Cell {
  const parts: string[] = [];
  let at = start + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return { value: parts.join('') + text.slice(at), end: text.length };
    parts.push(text.slice(at, quote));
    if (text[quote + 1] !== '"') return { value: parts.join(''), end: quote + 1 };
    parts.push('"');
    at = quote + 2;
  }
}
