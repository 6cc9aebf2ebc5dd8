import type { Accounts } from '#engine/credits/accounts.ts';
import { InvariantError } from '#extract/invariant-error.ts';
import type { Clock } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import { StoreUnavailable } from '#store/db.ts';
import type { GroupedTransaction } from '#store/group-commit.ts';
import { type Answer, type CallRequest, type PerformOperation, toServiceError } from './ask.ts';
import type { DeferredReleases } from './deferred-releases.ts';
import type { IdempotentAnswers, KeptAnswer, KeyedCall } from './idempotency.ts';
import type { BoundOperation } from './bound-operation.ts';
import type { ControlCall, Operation, Reply } from './operation.ts';
import {
  assertNotSuspended,
  type ControlOrder,
  createOrder,
  type GetAdmissionFacts,
  type Order,
} from './steps/order.ts';
import type { PerformWork } from './work.ts';

export type PerformParts = ControlParts & {
  readonly accounts: Pick<Accounts, 'readRemaining'>;
  readonly factsFor: GetAdmissionFacts;
  /** Finds the bound operation of an id; null if there is none. */
  readonly findOperation: (id: string) => BoundOperation | null;
  readonly work: PerformWork;
};

/** Other characters are excluded because clients encode them differently. */
const KEY_PATTERN = /^[\x20-\x7e]{1,255}$/;

/** Builds the function that runs any operation, once for each idempotency key. */
export function buildPerform(parts: PerformParts): PerformOperation {
  return async function perform({ id }, raw, call) {
    const bound = parts.findOperation(id);
    if (bound === null) throw new InvariantError(`no feature runs ${id}`);
    assertOperator(bound.operation, call);
    assertNotSuspended(bound.operation, call);
    const order = createOrder(bound, { raw, call }, parts.factsFor);
    const key = call.idempotencyKey;
    return key === null ? performOnce(parts, order, null) : performKeyed(parts, order, key);
  };
}

/** Throws `operator_key_required` if the operation needs an operator key. Called before the input is validated. */
function assertOperator({ id, audience }: Operation, { caller }: CallRequest): void {
  if (audience !== 'operator' || caller.isOperator === true) return;
  throw new ServiceError(
    'operator_key_required',
    `${id} needs an operator key, and this is the key of a tenant; create one with quern keys create --operator`,
  );
}

async function performOnce(parts: PerformParts, order: Order, keyed: KeyedCall | null): Promise<Answer> {
  const { tenant, plan } = order.call.caller;
  const answer =
    order.kind === 'work'
      ? await parts.work(order, keyed)
      : { ...(await performControl(parts, order, keyed)), remaining: undefined };
  const { remaining = await parts.accounts.readRemaining(tenant, plan) } = answer;
  return { ...answer, remaining };
}

async function performKeyed(parts: PerformParts, order: Order, key: string): Promise<Answer> {
  if (!KEY_PATTERN.test(key)) {
    throw new ServiceError('invalid_request', 'Idempotency-Key: must have 1 to 255 characters of printable ASCII');
  }
  const { operation, raw, call } = order;
  const { caller, requestId, signal } = call;
  const keyed = { tenant: caller.tenant, key, operation: operation.id, raw, requestId };
  const kept = await beginKeyed(parts, keyed, parts.clock.deadline(computeMaxWaitMs(order), signal));
  if (kept === null) return performOnce(parts, order, keyed);
  const first = kept.body['request_id'];
  const headers = {
    ...kept.headers,
    'idempotent-replayed': 'true',
    ...(typeof first === 'string' ? { 'x-request-id': first } : {}),
  };
  return { ...kept, headers, stream: null, remaining: await parts.accounts.readRemaining(caller.tenant, caller.plan) };
}

/**
 * Claims the idempotency key of a call. If the store fails meanwhile, the key may be taken, so it is released later.
 */
async function beginKeyed(
  { idempotentAnswers, deferredReleases, inTurn }: PerformParts,
  keyed: KeyedCall,
  patience: AbortSignal,
): Promise<KeptAnswer | null> {
  try {
    return await idempotentAnswers.begin(keyed, patience);
  } catch (error) {
    if (error instanceof StoreUnavailable)
      await deferredReleases.run(async () =>
        inTurn({ tenant: keyed.tenant }, async (tx) => idempotentAnswers.release(tx, keyed)),
      );
    throw error;
  }
}

/** How long a repeated call waits for the first one: as long as it could run itself. */
function computeMaxWaitMs(order: Order): number {
  const { inline_timeout_ms: inline } = order.call.caller.plan;
  if (order.kind === 'control') return inline;
  try {
    return Math.min(order.getAdmitted().admission.timeoutMs, inline);
  } catch {
    // The first call reports an invalid input.
    return inline;
  }
}

type ControlParts = {
  readonly deferredReleases: DeferredReleases;
  readonly idempotentAnswers: IdempotentAnswers;
  readonly inTurn: GroupedTransaction;
  readonly clock: Clock;
};

/** Runs a control operation. `keyed` is set if the reply is stored for an idempotency key. */
async function performControl(
  { deferredReleases, idempotentAnswers, inTurn, clock }: ControlParts,
  { call, getAccepted }: ControlOrder,
  keyed: KeyedCall | null,
): Promise<Omit<Answer, 'remaining'>> {
  const { caller, requestId, signal, lastEventId } = call;
  const keep: ControlCall['storeAnswer'] = async (tx, reply) => {
    if (keyed !== null) await idempotentAnswers.storeOrThrow(tx, keyed, toAnswer(reply, requestId));
  };
  try {
    const { run } = getAccepted();
    const control: ControlCall = { caller, requestId, now: clock.now(), storeAnswer: keep, signal, lastEventId };
    const answer = toAnswer(await run(control), requestId);
    // No effect if the operation has already stored its reply.
    if (keyed !== null)
      await inTurn({ tenant: caller.tenant }, async (tx) => idempotentAnswers.store(tx, keyed, answer));
    return answer;
  } catch (error) {
    const failure = toServiceError(error, call);
    if (keyed !== null)
      await deferredReleases.run(async () =>
        inTurn({ tenant: caller.tenant }, async (tx) => idempotentAnswers.storeFailure(tx, keyed, failure)),
      );
    throw failure;
  }
}

/** Completes the reply of a control operation with its request id. */
function toAnswer<R extends Pick<Reply, 'body'>>(reply: R, requestId: string) {
  const body = reply.body === null ? {} : { request_id: requestId, ...reply.body };
  return { ...reply, body, usage: null, deprecated: [] };
}
