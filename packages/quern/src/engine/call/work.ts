import { MAX_UNCOUNTED_BYTES } from '#access/limits.ts';
import { LeaseLost } from '#engine/jobs/lease.ts';
import type { Artifacts } from '#engine/results/artifacts.ts';
import { estimateMinJsonBytes } from '#extract/json/size.ts';
import type { ActiveTenants } from '#kernel/active-tenants.ts';
import { MAX_ANSWER_BYTES, stringifyAnswer } from '#kernel/answer-json.ts';
import type { Clock } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { MemoryShare, MemoryBudgets } from '#kernel/memory-budget.ts';
import { type Answer, toServiceError, type SerializedBody } from './ask.ts';
import type { KeyedCall } from './idempotency.ts';
import { ResultOutdated, type WorkResult } from './operation.ts';
import type { WorkOrder } from './steps/order.ts';
import type { JobGate } from './steps/queue.ts';
import { type RunParts, runWork } from './steps/run.ts';
import { settleWork, type SettleParts, toWorkAnswer, settleFailure } from './steps/settle.ts';
import { createTrace } from './steps/trace.ts';

export type WorkParts = RunParts &
  SettleParts & {
    readonly queueing: Pick<JobGate, 'queueInline'>;
    readonly artifacts: Artifacts;
    readonly memory: Pick<MemoryBudgets, 'answers'>;
    readonly active: ActiveTenants;
    readonly clock: Clock;
  };

/**
 * Runs work, or queues it if it is too large for an inline call. `keyed` is set if the answer is stored for an
 * idempotency key.
 */
export type PerformWork = (
  order: WorkOrder,
  keyed: KeyedCall | null,
) => Promise<Omit<Answer, 'remaining'> & RemainingCredits>;

/** Credits remaining this month; null if unlimited, absent if nothing was charged. */
type RemainingCredits = { readonly remaining?: number | null };

/**
 * Builds the function that runs work: check the plan, validate, admit, queue if too large, reserve credits, run, then
 * charge or release.
 */
export function buildPerformWork(parts: WorkParts): PerformWork {
  const { queueing, artifacts, idempotentAnswers, memory, active, clock } = parts;

  async function divert(order: WorkOrder, keyed: KeyedCall | null): Promise<Omit<Answer, 'remaining'>> {
    const { call } = order;
    const { deprecated } = order.getAdmitted();
    const toBody = (body: Answer['body'] | null): Answer['body'] => ({ request_id: call.requestId, ...body });
    const reply = await queueing.queueInline(order, async (tx, { status, headers, body }) => {
      if (keyed === null) return;
      const kept = { status, headers, body: toBody(body), usage: null, deprecated: [...deprecated] };
      await idempotentAnswers.storeOrThrow(tx, keyed, kept);
    });
    return { ...reply, body: toBody(reply.body), usage: null, deprecated };
  }

  return async function performWork(order, keyed) {
    const { call } = order;
    const { tenant, plan } = call.caller;
    active.noteActivity(tenant);
    const trace = createTrace(order, clock);
    const files = artifacts.begin({ tenant, plan, jobId: call.lease?.jobId ?? null });
    const share = memory.answers.createShare(tenant);
    try {
      if (call.lease === null && order.getAdmitted().queue(plan)) return await divert(order, keyed);
      const served = await runWork(parts, order, { trace, artifacts: files, share });
      return await settleCurrent(served, async (result) => {
        const answer = toWorkAnswer(order, result);
        // Serialized before the charge, so that a response that cannot be sent is free. Results of jobs are packed instead.
        const response =
          call.lease === null
            ? { serialized: await serializeAnswer(answer.body, { share, signal: call.signal, clock }) }
            : {};
        const { effect, charge } = result;
        const settling = { answer, effect, paid: charge?.paid ?? 0, trace, artifacts: files, keyed };
        return { ...answer, remaining: await settleWork(parts, order, settling), ...response };
      });
    } catch (error) {
      share.release();
      if (error instanceof LeaseLost) {
        await files.discard(error);
        throw error;
      }
      const failure = toServiceError(error, call, () => ({
        tiers: order.getAdmitted().admission.tiers,
        attempts: trace.attempts,
      }));
      await settleFailure(parts, order, { failure, trace, keyed }).finally(async () => files.discard(error));
      throw failure;
    }
  };
}

/** How often a result is built again. Each time, another call has changed the same data meanwhile. */
const MAX_REBUILDS = 100;

/** Charges a result. If it is outdated by then, it is built and charged again. */
async function settleCurrent<T>(first: ServedResult, settle: (result: ServedResult) => Promise<T>): Promise<T> {
  let result = first;
  for (let rebuilds = 0; ; rebuilds += 1) {
    try {
      return await settle(result);
    } catch (error) {
      if (!(error instanceof ResultOutdated) || result.effect === undefined) throw error;
      if (rebuilds >= MAX_REBUILDS) throw createContentionError(error);
      result = await result.effect.rebuild();
    }
  }
}

type ServedResult = WorkResult<Answer['body']>;

function createContentionError(cause: Error): ServiceError {
  return new ServiceError('backend_unavailable', 'too many calls change the same data; retry later', { cause });
}

/** How long a large response waits until other responses have released memory. */
const MAX_MEMORY_WAIT_MS = 10_000;

type SerializeParts = {
  /** The memory of the response, held until it is sent. */
  readonly share: MemoryShare;
  readonly signal: AbortSignal;
  readonly clock: Pick<Clock, 'deadline'>;
};

/**
 * Serializes a response body before it is charged. Throws `content_too_large`, or `backend_unavailable` if there is too
 * little memory.
 */
async function serializeAnswer(body: object, { share, signal, clock }: SerializeParts): Promise<SerializedBody> {
  // A body that is certainly too large is not serialized: that would block the event loop for seconds, or exceed the maximum string length.
  if (estimateMinJsonBytes(body, MAX_ANSWER_BYTES) > MAX_ANSWER_BYTES) throw createTooLargeError();
  const json = stringifyAnswer(body);
  const bytes = typeof json === 'string' ? Buffer.byteLength(json) : countBytes(json);
  if (bytes > MAX_ANSWER_BYTES) throw createTooLargeError();
  // The JSON replaces the parts counted so far.
  share.release();
  if (bytes > MAX_UNCOUNTED_BYTES) {
    await share.grow(bytes, clock.deadline(MAX_MEMORY_WAIT_MS, signal)).catch((cause: unknown) => {
      signal.throwIfAborted();
      throw new ServiceError('backend_unavailable', 'too many large responses are being sent; retry later', { cause });
    });
  }
  return { json, bytes, leave: share.release };
}

function countBytes(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, { byteLength }) => sum + byteLength, 0);
}

function createTooLargeError(): ServiceError {
  return new ServiceError(
    'content_too_large',
    `the response is larger than ${MAX_ANSWER_BYTES / 2 ** 20} MiB; request fewer outputs, or limit texts with max_chars`,
  );
}
