import type { Clock } from '#kernel/clock.ts';
import type { MemoryBudgets } from '#kernel/memory-budget.ts';
import { createActivity } from '#engine/jobs/activity.ts';
import { toChargeKey } from '#engine/credits/billing.ts';
import type { JobInput } from '#engine/jobs/job-record.ts';
import type { Caller } from '#engine/identity/caller.ts';
import type { BoundWork } from '#engine/call/operation.ts';
import { type GetAdmissionFacts, minCeiling } from './order.ts';
import { type ModelPorts, openCallModel } from './run.ts';

/** A job of another process that this process helps with. */
export type HelpRequest = {
  readonly kind: string;
  readonly input: JobInput;
  readonly caller: Caller;
  readonly jobId: string;
  readonly maxCredits: number | null;
  readonly signal: AbortSignal;
};

/** Helps with a job of another process until no work is left. */
export type HelpWithJob = (assistance: HelpRequest) => Promise<void>;

export type HelpParts = ModelPorts & {
  readonly getFacts: GetAdmissionFacts;
  readonly memory: Pick<MemoryBudgets, 'answers'>;
  readonly clock: Clock;
  readonly findWork: (id: string) => BoundWork | null;
};

export function buildHelp(parts: HelpParts): HelpWithJob {
  const { getFacts: factsFor, memory, findWork: find, clock } = parts;
  return async function help({ kind, input, caller, jobId, maxCredits, signal }) {
    const operation = find(kind);
    const accepted = operation?.accept(input);
    if (operation === null || accepted === undefined || accepted.help === null) return;
    const asked = accepted.admit(factsFor(caller.plan));
    const account = { key: toChargeKey(jobId), tenant: caller.tenant, plan: caller.plan };
    const admission = { ...asked, maxCredits: minCeiling(asked.maxCredits, maxCredits) };
    await accepted.help({
      operation: operation.id,
      account,
      admission,
      jobId,
      closing: null,
      // A job stores its results as rows, not in a response.
      share: memory.answers.createShare(caller.tenant),
      // The tokens used by a helper are only counted in the metrics of its process.
      modelSession: openCallModel(parts, { account, admission, signal, count: () => undefined }),
      activity: createActivity(clock),
      signal,
    });
  };
}
