import type { CommandView } from '#engine/call/command-view.ts';
import type { Operation } from '#engine/call/operation.ts';
import { isJsonObject, type JsonObject } from '#extract/values/json-object.ts';
import type { CliParts } from './parts.ts';
import { printTable } from './table.ts';

/**
 * Prints an answer for people: a table, its one text, the meaning of an empty body, or the whole JSON. A list without a view of
 * its own is a table on a screen only, so that programs read what they always read.
 */
export function printAnswer(operation: Operation, body: JsonObject, { terminal, now }: CliParts): void {
  const { toText, table } = operation.view ?? {};
  if (table !== undefined) return printList(table, body, { terminal, now });
  const text = toText?.(body) ?? null;
  const rows = text === null && terminal.display !== null ? rowsOf(body) : null;
  if (rows !== null) return printList({ noun: 'entries', toRows: () => rows }, body, { terminal, now });
  if (Object.keys(body).length === 0) terminal.note(`quern: ${meaningOfNone(operation)}`);
  else terminal.out(text === null ? `${JSON.stringify(body, null, 2)}\n` : endLine(text));
}

/** Prints a page of a list, and how to get the next one. */
function printList(
  { noun, toRows }: NonNullable<CommandView['table']>,
  body: JsonObject,
  { terminal, now }: Pick<CliParts, 'terminal' | 'now'>,
): void {
  const rows = toRows(body, now());
  if (rows.length === 0) terminal.note(`quern: no ${noun}`);
  else printTable(rows, { terminal, json: false });
  const { next_cursor: cursor } = body;
  if (typeof cursor === 'string') terminal.note(`quern: there are more: --cursor ${cursor}`);
}

/** The rows of a list that has no view of its own, by the members that fit a cell; null for what is no list. */
function rowsOf({ data }: JsonObject): readonly JsonObject[] | null {
  if (!Array.isArray(data)) return null;
  const rows = data.filter(isJsonObject);
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((name) =>
    rows.every((row) => isShort(row[name])),
  );
  if (rows.length < data.length || (names.length === 0 && rows.length > 0)) return null;
  return rows.map((row) => Object.fromEntries(names.map((name) => [name, row[name]])));
}

function isShort(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}

function meaningOfNone(operation: Operation): string {
  const none = operation.kind === 'control' ? operation.successes.find(({ type }) => type === null) : undefined;
  return none?.meaning ?? 'done';
}

function endLine(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}
