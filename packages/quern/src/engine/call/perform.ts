import type { Accounts } from '#engine/credits/accounts.ts';
import { InvariantError } from '#extract/invariant-error.ts';
import type { Clock } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import { StoreUnavailable } from '#store/db.ts';
import type { InTurn } from '#store/group-commit.ts';
import { type Answer, type Ask, type Perform, toServiceError } from './ask.ts';
import type { DeferredReleases } from './deferred-releases.ts';
import type { IdempotentAnswers, KeptAnswer, Keyed } from './idempotency.ts';
import type { ControlCall, Reply, Runnable, RunnableControl } from './operation.ts';
import { type FactsFor, gatePlan, openOrder, type WorkOrder } from './steps/order.ts';
import { gateSuspended } from './suspension.ts';
import type { PerformWork } from './work.ts';

export type PerformParts = ControlParts & {
  readonly accounts: Pick<Accounts, 'remaining'>;
  readonly factsFor: FactsFor;
  /** The operation of an id as it runs, null for none. */
  readonly find: (id: string) => Runnable | null;
  readonly work: PerformWork;
};

/** Clients encode other characters differently. */
const KEY = /^[\x20-\x7e]{1,255}$/;

type Order =
  | ({ readonly kind: 'work' } & WorkOrder)
  | { readonly kind: 'control'; readonly operation: RunnableControl; readonly raw: unknown; readonly ask: Ask };

/** The gate: work and control operations, each answered once for an idempotency key. */
export function buildPerform(parts: PerformParts): Perform {
  return async function perform({ id }, raw, ask) {
    const operation = parts.find(id);
    if (operation === null) throw new InvariantError(`no feature runs ${id}`);
    gateOperator(operation, ask);
    gateSuspended(operation, ask);
    const order: Order =
      operation.kind === 'work'
        ? { kind: 'work', ...openOrder(operation, { raw, ask }, parts.factsFor) }
        : { kind: 'control', operation, raw, ask };
    const key = ask.idempotencyKey;
    return key === null ? performOnce(parts, order, null) : performKeyed(parts, order, key);
  };
}

/** Throws `operator_key_required` for what only an operator may ask, before anything of the request is read. */
function gateOperator({ id, audience }: Runnable, { caller }: Ask): void {
  if (audience !== 'operator' || caller.isOperator === true) return;
  throw new ServiceError(
    'operator_key_required',
    `${id} is for the operator of this service, and this key belongs to a tenant: quern keys create --operator makes one`,
  );
}

async function performOnce(parts: PerformParts, order: Order, keyed: Keyed | null): Promise<Answer> {
  const { tenant, plan } = order.ask.caller;
  const answer =
    order.kind === 'work'
      ? await parts.work(order, keyed)
      : { ...(await performControl(parts, order.operation, { ...order, keyed })), remaining: undefined };
  const { remaining = await parts.accounts.remaining(tenant, plan) } = answer;
  return { ...answer, remaining };
}

async function performKeyed(parts: PerformParts, order: Order, key: string): Promise<Answer> {
  if (!KEY.test(key)) {
    throw new ServiceError('invalid_request', 'Idempotency-Key: must have 1 to 255 characters of printable ASCII');
  }
  const { operation, raw, ask } = order;
  const { caller, requestId, signal } = ask;
  const keyed = { tenant: caller.tenant, key, operation: operation.id, raw, requestId };
  const kept = await begin(parts, keyed, parts.clock.deadline(patienceOf(order), signal));
  if (kept === null) return performOnce(parts, order, keyed);
  const first = kept.body['request_id'];
  const headers = {
    ...kept.headers,
    'idempotent-replayed': 'true',
    ...(typeof first === 'string' ? { 'x-request-id': first } : {}),
  };
  return { ...kept, headers, stream: null, remaining: await parts.accounts.remaining(caller.tenant, caller.plan) };
}

/** Starts a call under its key; where the store fails meanwhile, the key may be taken, and is freed later. */
async function begin(
  { idempotentAnswers, deferredReleases, inTurn }: PerformParts,
  keyed: Keyed,
  patience: AbortSignal,
): Promise<KeptAnswer | null> {
  try {
    return await idempotentAnswers.begin(keyed, patience);
  } catch (error) {
    if (error instanceof StoreUnavailable)
      await deferredReleases.run(async () =>
        inTurn({ tenant: keyed.tenant }, async (tx) => idempotentAnswers.drop(tx, keyed)),
      );
    throw error;
  }
}

/** The time that a repeated call waits for the first: the longest that it could itself take. */
function patienceOf(order: Order): number {
  const { inline_timeout_ms: inline } = order.ask.caller.plan;
  if (order.kind === 'control') return inline;
  try {
    return Math.min(order.admission().timeoutMs, inline);
  } catch {
    // An invalid input is reported by the first call.
    return inline;
  }
}

type ControlParts = {
  readonly deferredReleases: DeferredReleases;
  readonly idempotentAnswers: IdempotentAnswers;
  readonly inTurn: InTurn;
  readonly clock: Clock;
};

type Asked = { readonly raw: unknown; readonly ask: Ask };

/** Runs a control operation; `keyed` where its answer is to be kept. */
async function performControl(
  { deferredReleases, idempotentAnswers, inTurn, clock }: ControlParts,
  operation: RunnableControl,
  { raw, ask, keyed }: Asked & { readonly keyed: Keyed | null },
): Promise<Omit<Answer, 'remaining'>> {
  const { caller, requestId, signal, lastEventId } = ask;
  const keep: ControlCall['keep'] = async (tx, reply) => {
    if (keyed !== null) await idempotentAnswers.demandKept(tx, keyed, toAnswer(reply, requestId));
  };
  try {
    gatePlan(operation, caller);
    const { run } = operation.accept(raw);
    const call = { caller, requestId, now: clock.now(), keep, signal, lastEventId };
    const answer = toAnswer(await run(call), requestId);
    // Of an operation that kept its answer with its effect, this changes nothing.
    if (keyed !== null)
      await inTurn({ tenant: caller.tenant }, async (tx) => idempotentAnswers.keep(tx, keyed, answer));
    return answer;
  } catch (error) {
    const failure = toServiceError(error, ask);
    if (keyed !== null)
      await deferredReleases.run(async () =>
        inTurn({ tenant: caller.tenant }, async (tx) => idempotentAnswers.keepFailure(tx, keyed, failure)),
      );
    throw failure;
  }
}

/** The reply of a control operation, as its caller gets it and an idempotency key keeps it. */
function toAnswer<R extends Pick<Reply, 'body'>>(reply: R, requestId: string) {
  const body = reply.body === null ? {} : { request_id: requestId, ...reply.body };
  return { ...reply, body, usage: null, deprecated: [] };
}
