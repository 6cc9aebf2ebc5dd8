import type { CallRequest } from '#engine/call/ask.ts';
import { type ModelSession, openModelSession } from '#engine/call/model.ts';
import type { BoundWork } from '#engine/call/bound-operation.ts';
import type { WorkCall, WorkResult } from '#engine/call/operation.ts';
import type { UnpaidWork } from '#engine/call/unpaid-work.ts';
import type { Admission } from '#engine/credits/admission.ts';
import { type Account, type Billing, toChargeKey, toParty } from '#engine/credits/billing.ts';
import type { Caller } from '#engine/identity/caller.ts';
import { createActivity } from '#engine/jobs/slots.ts';
import type { JobInput } from '#engine/jobs/job-record.ts';
import type { Lease } from '#engine/jobs/lease.ts';
import type { PackedReading } from '#engine/reading/packed-outputs.ts';
import type { ReadingCaller } from '#engine/reading/parser-queue.ts';
import type { CallArtifacts } from '#engine/results/artifacts.ts';
import type { PageVisitor } from '#engine/visits/visits.ts';
import type { PageReading, ReadRequest } from '#extract/reading.ts';
import type { Clock } from '#kernel/clock.ts';
import { type Deadline, runWithDeadline } from '#kernel/deadline.ts';
import type { MemoryBudgets, MemoryShare } from '#kernel/memory-budget.ts';
import type { SharedModel, Tokens } from '#llm/complete.ts';
import { CLOSING_TIMEOUT_MS, type GetAdmissionFacts, minCeiling, type WorkOrder } from './order.ts';
import type { Trace } from './trace.ts';

export type ModelPorts = {
  readonly billing: Billing;
  /** The operator's language model; null if none is configured. */
  readonly model: SharedModel | null;
  /** Returns a new random word. */
  readonly createNonce: () => string;
};

export type RunParts = ModelPorts & {
  readonly visiting: PageVisitor;
  /** Parses a fetched page in a parser thread, until the signal aborts. */
  readonly read: (request: ReadRequest, reader: ReadingCaller) => Promise<PageReading>;
  /** Like `read`, with large outputs serialized already. */
  readonly readPacked: (request: ReadRequest, reader: ReadingCaller) => Promise<PackedReading>;
  readonly unpaid: UnpaidWork;
  readonly clock: Clock;
};

/** Resources of a running call that are used until it is charged. */
type RunResources = { readonly trace: Trace; readonly artifacts: CallArtifacts; readonly share: MemoryShare };

/** Reserves the lowest cost and runs accepted work under its deadline. The caller then charges or releases it. */
export async function runWork(
  parts: RunParts,
  order: WorkOrder,
  held: RunResources,
): Promise<WorkResult<Readonly<Record<string, unknown>>>> {
  const { billing, unpaid, clock } = parts;
  const { lease, signal } = order.call;
  const { admission, run } = order.getAdmitted();
  const account = buildAccount(order.call);
  const isClosing = (lease?.closing ?? null) !== null;
  if (lease === null) unpaid.assertAllowance(account);
  const delayMs = unpaid.computeDelayMs(account);
  if (delayMs > 0 && !isClosing) await clock.sleep(delayMs, signal);
  if (!isClosing) await billing.reserve(account, admission.cheapest);
  const timeoutMs = isClosing ? CLOSING_TIMEOUT_MS : computeTimeLeftMs(admission, lease, clock.now());
  const served = await runWithDeadline({ timeoutMs, signal, clock }, async (deadline) => {
    const visits = parts.visiting.begin({
      price: order.operation.price,
      account,
      admission,
      attempts: held.trace.attempts,
      deadline,
    });
    try {
      return await run(buildWorkCall(parts, order, { ...held, account, deadline, visit: visits.visit }));
    } finally {
      // Also after a failure, so that nothing writes after the store is closed.
      await visits.close();
    }
  });
  // A caller that has disconnected does not pay.
  signal.throwIfAborted();
  return served;
}

type StartedRun = RunResources & Pick<WorkCall, 'account' | 'visit'> & { readonly deadline: Deadline };

function buildWorkCall(
  parts: RunParts,
  order: WorkOrder,
  { trace, artifacts, share, account, deadline, visit }: StartedRun,
): WorkCall {
  const { lease, takesJsonBytes = false } = order.call;
  const { admission } = order.getAdmitted();
  const reader = { party: toParty(account), signal: deadline.signal, onCost: trace.countReadMs };
  const activity = lease?.activity ?? createActivity(parts.clock);
  const { signal } = deadline;
  return {
    operation: order.operation.id,
    account,
    admission,
    jobId: lease?.jobId ?? null,
    closing: lease?.closing ?? null,
    share,
    modelSession: openCallModel(parts, { account, admission, signal, count: trace.countTokens }),
    activity,
    signal,
    deadline,
    attempts: trace.attempts,
    visit,
    read: async (request) => activity.trackReading(parts.read(request, reader)),
    readForReply: async (request) =>
      activity.trackReading(takesJsonBytes ? parts.readPacked(request, reader) : parts.read(request, reader)),
    storeArtifact: async (artifact) =>
      lease === null ? artifacts.store(artifact) : lease.store(async () => artifacts.store(artifact)),
    commitCharge: trace.commitCharge,
    reportProgress: lease?.reportProgress ?? null,
  };
}

type ModelSessionCall = {
  readonly account: Account;
  readonly admission: Admission;
  readonly signal: AbortSignal;
  readonly count: (tokens: Tokens) => void;
};

/** Opens a model session for one call; null if no model is configured. */
export function openCallModel(
  { model, billing, createNonce }: ModelPorts,
  { account, admission: { maxCredits }, signal, count }: ModelSessionCall,
): ModelSession | null {
  return model === null
    ? null
    : openModelSession({ model, billing, account, maxCredits, signal, createNonce, countTokens: count });
}

/** The tenant, plan and key that pay for a call. */
export function buildAccount({ caller, requestId, lease }: CallRequest): Account {
  const { tenant, plan } = caller;
  // The worker limits concurrent jobs, so jobs do not count as concurrent requests.
  if (lease === null) return { key: requestId, tenant, plan, maxConcurrent: plan.concurrent_requests };
  return { key: toChargeKey(lease.jobId), tenant, plan, fence: lease.fence, isRepeated: lease.attempt > 1 };
}

/** The time limit of a call, or the rest of the time of a job since its first claim. */
function computeTimeLeftMs(
  { timeoutMs, jobTimeoutMs = timeoutMs }: Admission,
  lease: Lease | null,
  now: number,
): number {
  return lease === null ? timeoutMs : Math.max(1, jobTimeoutMs - (now - lease.startedAt));
}

/** A job of another process that this process helps with. */
type HelpRequest = {
  readonly kind: string;
  readonly input: JobInput;
  readonly caller: Caller;
  readonly jobId: string;
  readonly maxCredits: number | null;
  readonly signal: AbortSignal;
};

/** Helps with a job of another process until no work is left. */
export type HelpWithJob = (assistance: HelpRequest) => Promise<void>;

type HelpParts = ModelPorts & {
  readonly getFacts: GetAdmissionFacts;
  readonly memory: Pick<MemoryBudgets, 'answers'>;
  readonly clock: Clock;
  readonly findWork: (id: string) => BoundWork | null;
};

export function buildHelp(parts: HelpParts): HelpWithJob {
  const { getFacts, memory, findWork, clock } = parts;
  return async function help({ kind, input, caller, jobId, maxCredits, signal }) {
    const accepted = findWork(kind)?.accept(input);
    if (accepted === undefined || accepted.help === null) return;
    const asked = accepted.admit(getFacts(caller.plan));
    const account = { key: toChargeKey(jobId), tenant: caller.tenant, plan: caller.plan };
    const admission = { ...asked, maxCredits: minCeiling(asked.maxCredits, maxCredits) };
    await accepted.help({
      operation: kind,
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
