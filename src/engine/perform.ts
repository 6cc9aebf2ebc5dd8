import { closest } from 'fastest-levenshtein';
import { ServiceError } from '#kernel/errors.ts';
import { StoreUnavailable } from '#store/db.ts';
import type { InTurn } from '#store/group-commit.ts';
import type { Accounts } from './accounts.ts';
import type { Artifacts } from './artifacts.ts';
import { toServiceError } from './ask.ts';
import type { Answer, Ask, Perform } from './ask.ts';
import type { Caller } from './caller.ts';
import type { Cursors } from './cursor.ts';
import type { Instance } from './instance.ts';
import type { Following } from './job-following.ts';
import type { Kept, Keyed } from './kept-answers.ts';
import type { History } from './monitors/history.ts';
import type { Monitors } from './monitors/monitors.ts';
import type {
  ControlContext,
  ControlOperation,
  JobOrder,
  Named,
  Operation,
  Reply,
  WorkOperation,
} from './operation.ts';
import type { ResultReader } from './result-reader.ts';
import type { DeliveryLog } from './webhooks/delivery-log.ts';
import type { Webhooks } from './webhooks/webhooks.ts';
import type { Work, WorkParts } from './work.ts';

export type PerformParts = Pick<WorkParts, 'arrears' | 'requestLog' | 'jobs' | 'keptAnswers' | 'visiting' | 'clock'> & {
  readonly inTurn: InTurn;
  readonly accounts: Accounts;
  readonly cursors: Cursors;
  readonly instance: Instance;
  readonly following: Following;
  readonly results: ResultReader;
  readonly artifacts: Pick<Artifacts, 'find'>;
  readonly monitors: Monitors;
  readonly history: History;
  readonly webhooks: Webhooks;
  readonly deliveries: DeliveryLog;
};

/** Other characters arrive as different ones from different clients. */
const KEY = /^[\x20-\x7e]{1,255}$/;

/** The gate: work and control operations, each with the answer of an idempotency key once. */
export function buildPerform(parts: PerformParts, work: Work): Perform {
  const { keptAnswers, visiting, inTurn, clock, arrears, ...known } = parts;
  const { accounts, instance, webhooks } = known;

  async function performControl(
    operation: ControlOperation,
    raw: unknown,
    { ask, keyed }: { readonly ask: Ask; readonly keyed: Keyed | null },
  ): Promise<Answer> {
    const { caller, requestId, signal, lastEventId } = ask;
    const examine: ControlContext['examine'] = ({ kind, input, named }) => {
      const found = findWork(instance.operations, kind, named);
      return { operation: found, admission: work.examine(found, input, { caller, at: named.input }) };
    };
    const keep: ControlContext['keep'] = async (tx, reply) => {
      if (keyed !== null) await work.demandKept(tx, keyed, toAnswer(reply, requestId));
    };
    const submit = async ({ kind, input, maxCredits, webhook }: JobOrder): Promise<Reply> =>
      work.submit({
        operation: findWork(instance.operations, kind, AS_JOB),
        raw: input,
        ask,
        keyed,
        maxCredits,
        at: AS_JOB.input,
        webhook: webhook === null ? null : webhooks.accept(webhook),
      });
    try {
      const { run } = operation.read(raw);
      const now = clock.now();
      const own = { submit, examine, keep, signal, lastEventId };
      const answer = toAnswer(await run({ caller, now, ...known, ...own }), requestId);
      // Of an operation that kept its answer with its effect, this changes nothing.
      if (keyed !== null) await inTurn(`tenant ${caller.tenant}`, async (tx) => keptAnswers.keep(tx, keyed, answer));
      return { ...answer, remaining: await accounts.remaining(caller.tenant, caller.plan) };
    } catch (error) {
      const failure = toServiceError(error, ask);
      if (keyed !== null)
        await arrears.owe(async () =>
          inTurn(`tenant ${caller.tenant}`, async (tx) => work.keepFailure(tx, keyed, failure)),
        );
      throw failure;
    }
  }

  /** How long a repeat may wait for the first call: as long as it would itself take at most. */
  function patienceOf(operation: Operation, raw: unknown, { plan }: Caller): number {
    if (operation.kind === 'control') return plan.inline_timeout_ms;
    try {
      const { timeoutMs } = operation.read(raw).admit(visiting.factsFor(plan));
      return Math.min(timeoutMs, plan.inline_timeout_ms);
    } catch {
      // What is wrong with it is the first call's answer.
      return plan.inline_timeout_ms;
    }
  }

  /** Begins a call under its key; a store that went away in the middle may hold the key, and gives it back later. */
  async function begin(keyed: Keyed, patience: AbortSignal): Promise<Kept | null> {
    try {
      return await keptAnswers.begin(keyed, patience);
    } catch (error) {
      if (error instanceof StoreUnavailable)
        await arrears.owe(async () => inTurn(`tenant ${keyed.tenant}`, async (tx) => keptAnswers.drop(tx, keyed)));
      throw error;
    }
  }

  async function performKeyed(operation: Operation, raw: unknown, { ask, key }: { ask: Ask; key: string }) {
    if (!KEY.test(key)) {
      throw new ServiceError('invalid_request', 'Idempotency-Key: must have 1 to 255 characters of printable ASCII');
    }
    const { caller, requestId, signal } = ask;
    const keyed = { tenant: caller.tenant, key, operation: operation.id, raw, requestId };
    const patience = AbortSignal.any([signal, AbortSignal.timeout(patienceOf(operation, raw, caller))]);
    const kept = await begin(keyed, patience);
    if (kept === null) return performOnce(operation, raw, { ask, keyed });
    const first = kept.body['request_id'];
    const headers = {
      ...kept.headers,
      'idempotent-replayed': 'true',
      ...(typeof first === 'string' ? { 'x-request-id': first } : {}),
    };
    return { ...kept, headers, stream: null, remaining: await accounts.remaining(caller.tenant, caller.plan) };
  }

  async function performOnce(operation: Operation, raw: unknown, more: { ask: Ask; keyed: Keyed | null }) {
    if (operation.kind === 'control') return performControl(operation, raw, more);
    const answer = await work.perform({ operation, raw, ...more });
    if (answer.usage !== null || more.ask.lease !== null) return answer;
    const { tenant, plan } = more.ask.caller;
    return { ...answer, remaining: await accounts.remaining(tenant, plan) };
  }

  return async function perform(operation, raw, ask) {
    const key = ask.idempotencyKey;
    return key === null
      ? performOnce(operation, raw, { ask, keyed: null })
      : performKeyed(operation, raw, { ask, key });
  };
}

/** How a job names what it is to do. */
const AS_JOB: Named = { kind: 'kind', input: ['input'] };

/** The work that a kind names; throws `invalid_request` with the nearest known name. */
function findWork(operations: readonly Operation[], kind: string, named: Named): WorkOperation {
  const known = operations.filter((operation) => operation.kind === 'work');
  const found = known.find(({ id }) => id === kind);
  if (found !== undefined) return found;
  const names = known.map(({ id }) => id);
  throw new ServiceError(
    'invalid_request',
    `${named.kind}: ${kind.slice(0, 100)} is not known; the nearest is ${closest(kind.slice(0, 100), names)}`,
  );
}

/** What a control operation replied, as its caller gets it and an idempotency key keeps it. */
function toAnswer<R extends Pick<Reply, 'body'>>(reply: R, requestId: string) {
  const body = reply.body === null ? {} : { request_id: requestId, ...reply.body };
  return { ...reply, body, usage: null, deprecated: [] };
}
