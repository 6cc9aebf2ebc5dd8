import { z } from 'zod';
import type { NewKey } from '#engine/identity/keys.ts';
import type { Operation } from '#engine/call/operation.ts';
import type { Said, Terminal } from './parts.ts';

/** The parts of the operator's commands: they ask the operations of the operator, here or of a server. */
export type OperatorParts = {
  readonly ask: (operation: Operation, raw: unknown) => Promise<Said>;
  /** What adds an operator's key to a tenant, which no operation does; throws `OperatorError` where commands go to a server. */
  readonly operatorKeys: () => (wanted: { readonly tenant: string; readonly name: string }) => Promise<NewKey>;
};

/** How a command prints: for people, or as JSON. */
export type Printing = { readonly terminal: Terminal; readonly json: boolean };

type Ask = OperatorParts['ask'];

const Page = z.looseObject({ data: z.array(z.looseObject({})), next_cursor: z.string().nullable() });
const MAX_ROWS = 1000;

/** All rows of a list, page by page. */
export async function listAll(ask: Ask, operation: Operation): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const rows: Readonly<Record<string, unknown>>[] = [];
  for (let cursor: string | null = null, isFirst = true; isFirst || cursor !== null; isFirst = false) {
    const { body } = await ask(operation, { limit: MAX_ROWS, ...(cursor === null ? {} : { cursor }) });
    const page = Page.parse(body);
    rows.push(...page.data);
    cursor = page.next_cursor;
  }
  return rows;
}
