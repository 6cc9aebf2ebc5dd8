import type { CommandView } from '#engine/call/command-view.ts';
import type { Operation } from '#engine/call/operation.ts';
import type { CliParts } from './parts.ts';
import { printTable } from './table.ts';

type Body = Readonly<Record<string, unknown>>;

/** Prints an answer for people: a table, its one text, the meaning of an empty body, or the whole JSON. */
export function printAnswer(operation: Operation, body: Body, { terminal, now }: CliParts): void {
  const { toText, table } = operation.view ?? {};
  if (table !== undefined) return printList(table, body, { terminal, now });
  const text = toText?.(body) ?? null;
  if (Object.keys(body).length === 0) terminal.note(`quern: ${meaningOfNone(operation)}`);
  else terminal.out(text === null ? `${JSON.stringify(body, null, 2)}\n` : endLine(text));
}

/** Prints a page of a list, and how to get the next one. */
function printList(
  { noun, toRows }: NonNullable<CommandView['table']>,
  body: Body,
  { terminal, now }: Pick<CliParts, 'terminal' | 'now'>,
): void {
  const rows = toRows(body, now());
  if (rows.length === 0) terminal.note(`quern: no ${noun}`);
  else printTable(rows, { terminal, json: false });
  const { next_cursor: cursor } = body;
  if (typeof cursor === 'string') terminal.note(`quern: there are more: --cursor ${cursor}`);
}

function meaningOfNone(operation: Operation): string {
  const none = operation.kind === 'control' ? operation.successes.find(({ type }) => type === null) : undefined;
  return none?.meaning ?? 'done';
}

function endLine(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}
