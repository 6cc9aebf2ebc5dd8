import type { TenantUsage } from './usage-rows.ts';

const COLUMNS = ['date', 'tenant_id', 'tenant', 'operation', 'calls', 'credits'] as const;
/** Characters that one piece of the file has at least, but for the last. */
const PIECE_CHARS = 16 * 1024;

/** The rows as CSV by RFC 4180, with a line of names. */
export async function* toCsv(rows: AsyncIterable<TenantUsage>): AsyncGenerator<string> {
  let piece = `${COLUMNS.join(',')}\r\n`;
  for await (const row of rows) {
    piece += `${COLUMNS.map((name) => toCell(row[name])).join(',')}\r\n`;
    if (piece.length < PIECE_CHARS) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

/** A text that a spreadsheet would take for a formula begins with an apostrophe, and every text is quoted. */
function toCell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return `"${safe.replaceAll('"', '""')}"`;
}
