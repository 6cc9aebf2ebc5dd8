import { ServiceError } from '#kernel/errors.ts';
import { StoreUnavailable } from '#store/db.ts';
import type { Accounts } from '#engine/credits/accounts.ts';
import type { Answer, Ask, Perform } from './ask.ts';
import { performControl } from './control.ts';
import type { ControlParts } from './control.ts';
import type { Kept, Keyed } from './idempotency.ts';
import type { Runnable, RunnableControl } from './operation.ts';
import { openOrder } from './steps/order.ts';
import type { FactsFor, WorkOrder } from './steps/order.ts';
import type { PerformWork } from './work.ts';

export type PerformParts = ControlParts & {
  readonly accounts: Pick<Accounts, 'remaining'>;
  readonly factsFor: FactsFor;
  /** The operation of an id as it runs, null for none. */
  readonly find: (id: string) => Runnable | null;
  readonly work: PerformWork;
};

/** Other characters arrive as different ones from different clients. */
const KEY = /^[\x20-\x7e]{1,255}$/;

/** The gate: work and control operations, each with the answer of an idempotency key once. */
export function buildPerform(parts: PerformParts): Perform {
  const { idempotentAnswers, factsFor, inTurn, arrears, accounts, find, work, clock } = parts;

  async function performOnce(order: Order, keyed: Keyed | null): Promise<Answer> {
    const { ask } = order;
    const { tenant, plan } = ask.caller;
    const answer =
      order.kind === 'work'
        ? await work(order, keyed)
        : { ...(await performControl(parts, order.operation, { ...order, keyed })), remaining: undefined };
    const { remaining = await accounts.remaining(tenant, plan) } = answer;
    return { ...answer, remaining };
  }

  /** Begins a call under its key; a store that went away in the middle may hold the key, and gives it back later. */
  async function begin(keyed: Keyed, patience: AbortSignal): Promise<Kept | null> {
    try {
      return await idempotentAnswers.begin(keyed, patience);
    } catch (error) {
      if (error instanceof StoreUnavailable)
        await arrears.owe(async () =>
          inTurn({ tenant: keyed.tenant }, async (tx) => idempotentAnswers.drop(tx, keyed)),
        );
      throw error;
    }
  }

  async function performKeyed(order: Order, key: string): Promise<Answer> {
    if (!KEY.test(key)) {
      throw new ServiceError('invalid_request', 'Idempotency-Key: must have 1 to 255 characters of printable ASCII');
    }
    const { operation, raw, ask } = order;
    const { caller, requestId, signal } = ask;
    const keyed = { tenant: caller.tenant, key, operation: operation.id, raw, requestId };
    const kept = await begin(keyed, clock.deadline(patienceOf(order), signal));
    if (kept === null) return performOnce(order, keyed);
    const first = kept.body['request_id'];
    const headers = {
      ...kept.headers,
      'idempotent-replayed': 'true',
      ...(typeof first === 'string' ? { 'x-request-id': first } : {}),
    };
    return { ...kept, headers, stream: null, remaining: await accounts.remaining(caller.tenant, caller.plan) };
  }

  return async function perform({ id }, raw, ask) {
    const operation = find(id);
    if (operation === null) throw new Error(`no feature runs ${id}`);
    const order: Order =
      operation.kind === 'work'
        ? { kind: 'work', ...openOrder(operation, { raw, ask }, factsFor) }
        : { kind: 'control', operation, raw, ask };
    const key = ask.idempotencyKey;
    return key === null ? performOnce(order, null) : performKeyed(order, key);
  };
}

type Order =
  | ({ readonly kind: 'work' } & WorkOrder)
  | { readonly kind: 'control'; readonly operation: RunnableControl; readonly raw: unknown; readonly ask: Ask };

/** How long a repeat may wait for the first call: as long as it would itself take at most. */
function patienceOf(order: Order): number {
  const { inline_timeout_ms: inline } = order.ask.caller.plan;
  if (order.kind === 'control') return inline;
  try {
    return Math.min(order.admission().timeoutMs, inline);
  } catch {
    // What is wrong with it is the first call's answer.
    return inline;
  }
}
