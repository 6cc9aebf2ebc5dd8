import { escapeHtmlText, replaceCharacter } from '#extract/values/portions.ts';
import type { ConvertedPage } from './text-page.ts';

const MAX_ROWS = 20_000;
const MAX_COLUMNS = 500;
/** In order of preference: a comma also occurs in numbers and texts. */
const SEPARATORS = [';', '\t', '|', ','];
/** The start of the text from which the separator is detected. */
const SAMPLE_LENGTH = 20_000;
const MAX_SAMPLED_LINES = 20;

/** Converts comma, semicolon or tab separated values to a table whose first row has the column names. */
export function csvToHtml(source: string, mediaType: string): ConvertedPage {
  const [head = '', named] = /^\uFEFF?(?:sep=([^\r\n])\r?\n)?/.exec(source) ?? [];
  const text = source.slice(head.length);
  const separator = named ?? (mediaType === 'text/tab-separated-values' ? '\t' : detectSeparator(text));
  const {
    rows: [names = [], ...rows],
    isCut,
  } = readCsv(text, separator);
  const parts = ['<table><thead>', renderRow(names, 'th'), '</thead><tbody>'];
  for (const row of rows) parts.push(renderRow(row, 'td'));
  parts.push('</tbody></table>');
  const cut = isCut ? `only the first ${MAX_ROWS} rows and ${MAX_COLUMNS} columns were read` : null;
  return { html: parts.join(''), cut };
}

function renderRow(cells: readonly string[], tag: string): string {
  return `<tr>${cells.map((cell) => `<${tag}>${replaceCharacter(escapeHtmlText(cell), '\n', '<br>')}</${tag}>`).join('')}</tr>`;
}

/** The separator that occurs equally often in most lines, outside quotes; in a tie the more frequent one. */
function detectSeparator(text: string): string {
  const plain = text.slice(0, SAMPLE_LENGTH).replace(/"[^"]*"?/g, '');
  const lines = plain.split(/\r\n?|\n/, MAX_SAMPLED_LINES).filter((line) => line.trim() !== '');
  const scores = SEPARATORS.map((sign) => {
    const counts = lines.map((line) => line.split(sign).length - 1);
    const same = Math.max(
      ...counts.map((count) => (count === 0 ? 0 : counts.filter((other) => other === count).length)),
    );
    return { sign, same, most: Math.max(0, ...counts) };
  });
  return scores.reduce((best, next) =>
    next.same > best.same || (next.same === best.same && next.most > best.most) ? next : best,
  ).sign;
}

/**
 * Parses rows by RFC 4180: quoted cells may contain separators, line breaks and doubled quotes. Tolerates space before
 * a quote, text after a closing quote, and a missing closing quote.
 */
function readCsv(
  text: string,
  separator: string,
): { readonly rows: readonly (readonly string[])[]; readonly isCut: boolean } {
  const rows: string[][] = [];
  let isWide = false;
  let row: string[] = [];
  let at = 0;
  while (at < text.length && rows.length < MAX_ROWS) {
    const cell = readCell(text, at, separator);
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

function readCell(text: string, start: number, separator: string): Cell {
  let quote = start;
  while (text[quote] === ' ') quote++;
  const quoted = text[quote] === '"' ? readQuotedCell(text, quote) : null;
  if (quoted === null) return readPlainCell(text, start, separator);
  const rest = readPlainCell(text, quoted.end, separator);
  return { value: quoted.value + rest.value, end: rest.end };
}

function readPlainCell(text: string, start: number, separator: string): Cell {
  let end = start;
  while (end < text.length && text[end] !== separator && text[end] !== '\n' && text[end] !== '\r') end++;
  return { value: text.slice(start, end).trim(), end };
}

/** Null if the quote is not closed. */
function readQuotedCell(text: string, start: number): Cell | null {
  const parts: string[] = [];
  let at = start + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return null;
    parts.push(text.slice(at, quote));
    if (text[quote + 1] !== '"') return { value: parts.join(''), end: quote + 1 };
    parts.push('"');
    at = quote + 2;
  }
}
