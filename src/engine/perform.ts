import type { Caller } from './caller.ts';
import type { Operation } from './operation.ts';
import type { Usage } from './prices.ts';

/** One call as a transport hands it over. */
export type Ask = {
  readonly caller: Caller;
  readonly requestId: string;
  /** Fires when the caller is gone: work stops and nothing is charged. */
  readonly signal: AbortSignal;
};

export type Answer = {
  /** Complete, with `request_id` and, where work was done, `usage`. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Null for control operations. */
  readonly usage: Usage | null;
  /** Credits left this month, null when unlimited. */
  readonly remaining: number | null;
  /** Deprecated members that the caller used. */
  readonly deprecated: readonly string[];
};

/** The one gate that HTTP, CLI and MCP call; throws `ServiceError`. */
export type Perform = (operation: Operation, raw: unknown, ask: Ask) => Promise<Answer>;
