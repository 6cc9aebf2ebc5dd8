import type { ActiveTenants } from '#kernel/active-tenants.ts';
import type { Clock } from '#kernel/clock.ts';
import type { MemoryBudgets } from '#kernel/memory-budgets.ts';
import { LeaseLost } from '#engine/jobs/lease.ts';
import type { Artifacts } from '#engine/results/artifacts.ts';
import { write } from './answer-writer.ts';
import { type Answer, toServiceError } from './ask.ts';
import type { Keyed } from './idempotency.ts';
import type { WorkOrder } from './steps/order.ts';
import type { Queueing } from './steps/queue.ts';
import { type RunParts, runReserved } from './steps/run.ts';
import { settle, type SettleParts, toWorkAnswer, undo } from './steps/settle.ts';
import { openTrace } from './steps/trace.ts';

export type WorkParts = RunParts &
  SettleParts & {
    readonly queueing: Pick<Queueing, 'divert'>;
    readonly artifacts: Artifacts;
    readonly memory: Pick<MemoryBudgets, 'answers'>;
    readonly active: ActiveTenants;
    readonly clock: Clock;
  };

/** Runs work to its end, or queues work that is too large for an inline call; `keyed` where its answer is to be kept. */
export type PerformWork = (order: WorkOrder, keyed: Keyed | null) => Promise<Omit<Answer, 'remaining'> & Remaining>;

/** Credits left this month, null when unlimited; absent where nothing was charged. */
type Remaining = { readonly remaining?: number | null };

/** Plan gate, validation, option gate, inline or queue, credits and cap, concurrency, run, settle or release. */
export function buildWork(parts: WorkParts): PerformWork {
  const { queueing, artifacts, idempotentAnswers, memory, active, clock } = parts;

  async function divert(order: WorkOrder, keyed: Keyed | null): Promise<Omit<Answer, 'remaining'>> {
    const { ask, accepted } = order;
    const { deprecated } = accepted();
    const toBody = (body: Answer['body'] | null): Answer['body'] => ({ request_id: ask.requestId, ...body });
    const reply = await queueing.divert(order, async (tx, { status, headers, body }) => {
      if (keyed === null) return;
      const kept = { status, headers, body: toBody(body), usage: null, deprecated: [...deprecated] };
      await idempotentAnswers.demandKept(tx, keyed, kept);
    });
    return { ...reply, body: toBody(reply.body), usage: null, deprecated };
  }

  return async function performWork(order, keyed) {
    const { ask } = order;
    const { tenant, plan } = ask.caller;
    active.meet(tenant);
    const trace = openTrace(order, clock);
    const files = artifacts.begin({ tenant, plan, jobId: ask.lease?.jobId ?? null });
    const share = memory.answers.enter(tenant);
    try {
      if (ask.lease === null && order.accepted().queue(plan)) return await divert(order, keyed);
      const served = await runReserved(parts, order, { trace, artifacts: files, share });
      const answer = toWorkAnswer(order, served);
      // Written before the charge, so that an answer that cannot be sent is free; the result of a job is packed instead.
      const written =
        ask.lease === null ? { written: await write(answer.body, { share, signal: ask.signal, clock }) } : {};
      const settling = { answer, paid: served.charge?.paid ?? 0, trace, artifacts: files, keyed };
      return { ...answer, remaining: await settle(parts, order, settling), ...written };
    } catch (error) {
      share.leave();
      if (error instanceof LeaseLost) {
        await files.discard(error);
        throw error;
      }
      const failure = toServiceError(error, ask, () => ({ tiers: order.admission().tiers, attempts: trace.attempts }));
      await undo(parts, order, { failure, trace, keyed }).finally(async () => files.discard(error));
      throw failure;
    }
  };
}
