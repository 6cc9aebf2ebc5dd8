import type { Attempt } from '#access/page.ts';
import { type Clock, toTimestamp } from '#kernel/clock.ts';
import type { ServiceError } from '#kernel/errors.ts';
import { addTokens, type Tokens } from '#llm/complete.ts';
import type { Usage } from '#engine/credits/prices.ts';
import { describeFailedCall } from '#engine/call/failed-call.ts';
import type { UnpaidCall } from '#engine/call/unpaid-work.ts';
import type { RequestEntry } from '#engine/call/request-log.ts';
import type { WorkOrder } from './order.ts';

type End = { readonly error: ServiceError | null; readonly usage: Usage | null };

/** The record of a call for the log; filled while it runs. */
export type Trace = {
  readonly attempts: Attempt[];
  readonly count: (tokens: Tokens) => void;
  /** Counts time of parser threads, ms. */
  readonly countRead: (ms: number) => void;
  /** What the call took so far. */
  readonly taken: () => UnpaidCall;
  /** What the call costs however it ends, null for nothing so far. */
  readonly owed: () => Usage | null;
  readonly owe: (usage: Usage) => void;
  /** The entry of the call when it has ended. */
  readonly toEntry: (end: End) => RequestEntry;
};

export function openTrace({ operation, raw, ask }: Pick<WorkOrder, 'operation' | 'raw' | 'ask'>, clock: Clock): Trace {
  const startedAt = toTimestamp(clock.now());
  const started = clock.monotonic();
  const attempts: Attempt[] = [];
  let tokens: Tokens = { input: 0, output: 0 };
  let readMs = 0;
  let owed: Usage | null = null;
  return {
    attempts,
    count: (more) => void (tokens = addTokens(tokens, more)),
    countRead: (ms) => void (readMs += ms),
    taken: () => ({ attempts, readMs, tokens }),
    owed: () => owed,
    owe: (usage) => void (owed = usage),
    toEntry: ({ error, usage }) => ({
      tenant: ask.caller.tenant,
      id: ask.requestId,
      at: startedAt,
      operation: operation.id,
      status: error?.status ?? 200,
      code: error?.code ?? null,
      credits: usage?.credits ?? 0,
      tier: usage?.tier ?? null,
      duration_ms: Math.round(clock.monotonic() - started),
      input_tokens: tokens.input,
      output_tokens: tokens.output,
      attempts,
      ...(error === null ? { url: null, message: null } : describeFailedCall(raw, error)),
    }),
  };
}
