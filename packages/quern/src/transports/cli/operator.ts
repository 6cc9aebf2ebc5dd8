import { z } from 'zod';
import type { CreatedKey } from '#engine/identity/keys.ts';
import type { Operation } from '#engine/call/operation.ts';
import type { OperationAnswer, Terminal } from './parts.ts';

/** What operator commands need: a way to call operator operations, locally or on a server. */
export type OperatorParts = {
  readonly ask: (operation: Operation, raw: unknown) => Promise<OperationAnswer>;
  /** Returns a function that creates an operator key, which no operation can. Throws `OperatorError` if commands go to a server. */
  readonly operatorKeys: () => (wanted: { readonly tenant: string; readonly name: string }) => Promise<CreatedKey>;
};

/** Where and how a command prints: as text, or as JSON. */
export type PrintOptions = { readonly terminal: Terminal; readonly json: boolean };

type CallOperation = OperatorParts['ask'];

const Page = z.looseObject({ data: z.array(z.looseObject({})), next_cursor: z.string().nullable() });
const MAX_ROWS = 1000;

/** Loads all rows of a list, page by page. */
export async function listAll(
  ask: CallOperation,
  operation: Operation,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const rows: Readonly<Record<string, unknown>>[] = [];
  for (let cursor: string | null = null, isFirst = true; isFirst || cursor !== null; isFirst = false) {
    const { body } = await ask(operation, { limit: MAX_ROWS, ...(cursor === null ? {} : { cursor }) });
    const page = Page.parse(body);
    rows.push(...page.data);
    cursor = page.next_cursor;
  }
  return rows;
}
