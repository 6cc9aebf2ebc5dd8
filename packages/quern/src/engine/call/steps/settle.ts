import type { ObserveEvent } from '#kernel/events.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { Warning } from '#kernel/warnings.ts';
import type { Queryable } from '#store/db.ts';
import type { Billing } from '#engine/credits/billing.ts';
import { toUsage, type Usage } from '#engine/credits/prices.ts';
import type { JobInput } from '#engine/jobs/job-record.ts';
import { ChargedFailure } from '#engine/jobs/lease.ts';
import type { CallArtifacts } from '#engine/results/artifacts.ts';
import type { Answer } from '#engine/call/ask.ts';
import type { DeferredReleases } from '#engine/call/deferred-releases.ts';
import type { KeyedCall, IdempotentAnswers } from '#engine/call/idempotency.ts';
import { hasStrictOutput, type WorkResult } from '#engine/call/operation.ts';
import type { RequestLog } from '#engine/call/request-log.ts';
import type { UnpaidWork } from '#engine/call/unpaid-work.ts';
import type { WorkOrder } from './order.ts';
import { buildAccount } from './run.ts';
import type { Trace } from './trace.ts';

export type SettleParts = {
  readonly billing: Billing;
  readonly deferredReleases: DeferredReleases;
  readonly requestLog: RequestLog;
  readonly idempotentAnswers: IdempotentAnswers;
  readonly unpaid: UnpaidWork;
  readonly observe: ObserveEvent;
};

type Settlement = { readonly trace: Trace; readonly artifacts: CallArtifacts; readonly keyed: KeyedCall | null };

/** `paid` are the credits that are already in the ledger. */
type WorkSettlement = Settlement & {
  readonly answer: WorkAnswer;
  readonly effect: WorkResult<Answer['body']>['effect'];
  readonly paid: number;
};

type WorkAnswer = Omit<Answer, 'remaining' | 'usage'> & { readonly usage: Usage };

/** Builds the complete response of work. */
export function toWorkAnswer(
  { operation, call, getAdmitted }: WorkOrder,
  served: WorkResult<Answer['body']>,
): WorkAnswer {
  const { deprecated, admission } = getAdmitted();
  const { timeLimit } = admission;
  const usage = served.charge?.usage ?? toUsage(operation.price, served.tier);
  const added = hasStrictOutput(operation) ? {} : { usage };
  const more: readonly Warning[] = [
    ...(call.lease === null || timeLimit === undefined ? [] : [timeLimit]),
    ...deprecated.map((name) => ({
      code: 'deprecated' as const,
      message: `${name} is deprecated; see the documentation`,
    })),
  ];
  const body = { request_id: call.requestId, ...addWarnings(served.body, more), ...added };
  return { status: 200, headers: {}, body, stream: null, usage, deprecated };
}

/**
 * Charges a response. Writes the effect of the work, the log, the files and the idempotent answer in the same
 * transaction. Returns the remaining credits. Throws `ResultOutdated` if the response must be built again.
 */
export async function settleWork(
  { billing, requestLog, idempotentAnswers, unpaid, observe }: SettleParts,
  order: WorkOrder,
  { answer, effect, paid, trace, artifacts, keyed }: WorkSettlement,
): Promise<number | null> {
  const { usage } = answer;
  const credits = usage.credits - paid;
  const { lease } = order.call;
  const store = lease?.store ?? (async <T>(work: () => Promise<T>): Promise<T> => work());
  const charge = async (): Promise<number | null> =>
    settleWithResult(order, answer.body, async (complete) =>
      billing.settle(buildAccount(order.call), {
        operation: order.operation.id,
        credits,
        async record(tx) {
          await effect?.store(tx);
          await requestLog.write(tx, trace.toEntry({ error: null, usage }));
          await artifacts.add(tx);
          if (keyed !== null)
            await idempotentAnswers.storeOrThrow(tx, keyed, { ...answer, deprecated: [...answer.deprecated] });
        },
        finish: async (tx) => complete(tx, usage),
      }),
    );
  const left = await store(charge);
  if (usage.credits === 0) unpaid.add(buildAccount(order.call), trace.getUnpaidCall());
  observe({ type: 'charge', operation: order.operation.id, credits });
  return left;
}

/**
 * Releases the reservation of failed work, or charges what was committed, and logs it. While the store is unavailable
 * this is deferred for a call; for a job it throws `StoreUnavailable`, and the worker keeps the lease until the end can
 * be written.
 */
export async function settleFailure(
  { billing, deferredReleases, requestLog, idempotentAnswers, unpaid, observe }: SettleParts,
  { operation, call }: WorkOrder,
  { failure, trace, keyed }: Omit<Settlement, 'artifacts'> & { readonly failure: ServiceError },
): Promise<void> {
  const usage = failure.cause instanceof ChargedFailure ? failure.cause.usage : trace.getCommittedCharge();
  const entry = trace.toEntry({ error: failure, usage });
  if (usage === null) unpaid.add(buildAccount(call), trace.getUnpaidCall());
  const attempts = entry.attempts.length;
  const failed = { failure, attempts, ...(usage === null ? {} : { usage }) };
  const record = async (tx: Queryable): Promise<void> => {
    const isOver = call.lease === null || (await call.lease.endAttempt(tx, failed));
    if (isOver) await requestLog.write(tx, entry);
    if (keyed !== null) await idempotentAnswers.storeFailure(tx, keyed, failure);
  };
  const end = async (): Promise<void> => {
    if (usage === null) return billing.release(buildAccount(call), record);
    const { credits } = usage;
    await billing.settle(buildAccount(call), { operation: operation.id, credits, record });
    observe({ type: 'charge', operation: operation.id, credits });
    return undefined;
  };
  await (call.lease === null ? deferredReleases.run(end) : end());
}

/**
 * Runs `charge` with the function that ends the job, if there is one. The result is packed before and discarded on
 * failure.
 */
async function settleWithResult<T>(
  { operation, call: { lease } }: WorkOrder,
  body: JobInput,
  charge: (complete: (tx: Queryable, usage: Usage) => Promise<void>) => Promise<T>,
): Promise<T> {
  if (lease === null) return charge(async () => undefined);
  const packing = await lease.pack(body, operation.list ?? null);
  try {
    return await charge(packing.complete);
  } catch (error) {
    await packing.discard(error);
    throw error;
  }
}

/** Adds warnings to a body that has a `warnings` array. */
function addWarnings(body: Answer['body'], more: readonly Warning[]) {
  const { warnings } = body;
  if (more.length === 0 || !Array.isArray(warnings)) return body;
  return { ...body, warnings: [...warnings, ...more] };
}
