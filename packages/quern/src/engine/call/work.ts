import { SMALL_BYTES } from '#access/limits.ts';
import { LeaseLost } from '#engine/jobs/lease.ts';
import type { Artifacts } from '#engine/results/artifacts.ts';
import { leastJsonBytes } from '#extract/json/size.ts';
import type { ActiveTenants } from '#kernel/active-tenants.ts';
import { ANSWER_BYTES, writeJson } from '#kernel/answer-json.ts';
import type { Clock } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { MemoryShare } from '#kernel/memory-budget.ts';
import type { MemoryBudgets } from '#kernel/memory-budgets.ts';
import { type Answer, toServiceError, type Written } from './ask.ts';
import type { KeyedCall } from './idempotency.ts';
import type { WorkOrder } from './steps/order.ts';
import type { Queueing } from './steps/queue.ts';
import { type RunParts, runWork } from './steps/run.ts';
import { settleWork, type SettleParts, toWorkAnswer, settleFailure } from './steps/settle.ts';
import { createTrace } from './steps/trace.ts';

export type WorkParts = RunParts &
  SettleParts & {
    readonly queueing: Pick<Queueing, 'queueInline'>;
    readonly artifacts: Artifacts;
    readonly memory: Pick<MemoryBudgets, 'answers'>;
    readonly active: ActiveTenants;
    readonly clock: Clock;
  };

/** Runs work to its end, or queues work that is too large for an inline call; `keyed` where its answer is to be kept. */
export type PerformWork = (
  order: WorkOrder,
  keyed: KeyedCall | null,
) => Promise<Omit<Answer, 'remaining'> & RemainingCredits>;

/** Credits left this month, null when unlimited; absent where nothing was charged. */
type RemainingCredits = { readonly remaining?: number | null };

/** Plan gate, validation, option gate, inline or queue, credits and cap, concurrency, run, settle or release. */
export function buildWork(parts: WorkParts): PerformWork {
  const { queueing, artifacts, idempotentAnswers, memory, active, clock } = parts;

  async function divert(order: WorkOrder, keyed: KeyedCall | null): Promise<Omit<Answer, 'remaining'>> {
    const { call, getAccepted } = order;
    const { deprecated } = getAccepted();
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
    active.meet(tenant);
    const trace = createTrace(order, clock);
    const files = artifacts.begin({ tenant, plan, jobId: call.lease?.jobId ?? null });
    const share = memory.answers.enter(tenant);
    try {
      if (call.lease === null && order.getAccepted().queue(plan)) return await divert(order, keyed);
      const served = await runWork(parts, order, { trace, artifacts: files, share });
      const answer = toWorkAnswer(order, served);
      // Written before the charge, so that an answer that cannot be sent is free; the result of a job is packed instead.
      const written =
        call.lease === null
          ? { written: await serializeAnswer(answer.body, { share, signal: call.signal, clock }) }
          : {};
      const settling = { answer, paid: served.charge?.paid ?? 0, trace, artifacts: files, keyed };
      return { ...answer, remaining: await settleWork(parts, order, settling), ...written };
    } catch (error) {
      share.leave();
      if (error instanceof LeaseLost) {
        await files.discard(error);
        throw error;
      }
      const failure = toServiceError(error, call, () => ({
        tiers: order.getAdmission().tiers,
        attempts: trace.attempts,
      }));
      await settleFailure(parts, order, { failure, trace, keyed }).finally(async () => files.discard(error));
      throw failure;
    }
  };
}

/** How long a large answer waits for memory that other answers hold, ms. */
const MAX_MEMORY_WAIT_MS = 10_000;

type SerializeParts = {
  /** Holds the memory of the answer until it is sent. */
  readonly share: MemoryShare;
  readonly signal: AbortSignal;
  readonly clock: Pick<Clock, 'deadline'>;
};

/**
 * Writes the body of an answer before it is charged, within the memory of all answers. Throws `content_too_large`, and
 * `backend_unavailable` while there is too little memory.
 */
async function serializeAnswer(body: object, { share, signal, clock }: SerializeParts): Promise<Written> {
  // A body that is sure to be too large is not serialized: that would hold up all calls for seconds, or not fit into a string.
  if (leastJsonBytes(body, ANSWER_BYTES) > ANSWER_BYTES) throw createTooLargeError();
  const json = writeJson(body);
  const bytes = typeof json === 'string' ? Buffer.byteLength(json) : countBytes(json);
  if (bytes > ANSWER_BYTES) throw createTooLargeError();
  // The text replaces the pieces that were counted so far.
  share.leave();
  if (bytes > SMALL_BYTES) {
    await share.grow(bytes, clock.deadline(MAX_MEMORY_WAIT_MS, signal)).catch((cause: unknown) => {
      signal.throwIfAborted();
      throw new ServiceError('backend_unavailable', 'too many large answers are under way: call again', { cause });
    });
  }
  return { json, bytes, leave: share.leave };
}

function countBytes(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, { byteLength }) => sum + byteLength, 0);
}

function createTooLargeError(): ServiceError {
  return new ServiceError(
    'content_too_large',
    `the answer is larger than ${ANSWER_BYTES / 2 ** 20} MiB: ask for less output, or cut texts with max_chars`,
  );
}
