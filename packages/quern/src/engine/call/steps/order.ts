import { ServiceError } from '#kernel/errors.ts';
import type { Admission, AdmissionFacts } from '#engine/credits/admission.ts';
import type { Caller } from '#engine/identity/caller.ts';
import type { Plan } from '#engine/identity/plans.ts';
import type { Ask } from '#engine/call/ask.ts';
import type { AcceptedWork, Operation, RunnableWork } from '#engine/call/operation.ts';

/** Time to answer the stored pages of a crawl: a few reads. */
export const CLOSING_TIMEOUT_MS = 60_000;

/** The facts that the option gate decides by, for a caller on a plan. */
export type FactsFor = (plan: Plan) => AdmissionFacts;

/** A request for work; its input is validated once and admitted once, on first use. */
export type WorkOrder = {
  readonly operation: RunnableWork;
  readonly raw: unknown;
  readonly call: Ask;
  /** Throws `plan_upgrade_required` and `invalid_request`. */
  readonly getAccepted: () => AcceptedWork;
  /** Throws the same and what the option gate refuses with; bounded by the ceiling of a job. */
  readonly getAdmission: () => Admission;
};

export function createOrder(
  operation: RunnableWork,
  { raw, call }: Pick<WorkOrder, 'raw' | 'call'>,
  factsFor: FactsFor,
) {
  const { caller, lease } = call;
  const isClosing = (lease?.closing ?? null) !== null;
  const accepted = memoize(() => {
    if (!isClosing) gatePlan(operation, caller);
    return operation.accept(raw);
  });
  const admission = memoize(() => {
    const facts = factsFor(caller.plan);
    const asked = isClosing ? admitClosing(accepted(), facts) : limitTime(accepted().admit(facts), caller.plan);
    return lease === null ? asked : { ...asked, maxCredits: minCeiling(asked.maxCredits, lease.maxCredits) };
  });
  const order: WorkOrder = { operation, raw, call, getAccepted: accepted, getAdmission: admission };
  return order;
}

/** Throws `plan_upgrade_required` where the plan of the caller does not have the operation. */
export function gatePlan(operation: Pick<Operation, 'id' | 'plan'>, { plan }: Caller): void {
  if (operation.plan !== 'starter' || plan.starter_surfaces) return;
  throw new ServiceError(
    'plan_upgrade_required',
    `${operation.id} needs plan starter or higher, and this is ${plan.name}`,
  );
}

/** The longest that a timer of Node can wait, ms: 24 days. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Limits the time of an admission to the longest that a job of the plan may take, and adds a warning where it was longer. */
export function limitTime(admission: Admission, { name, job_timeout_ms: ofPlan }: Plan): Admission {
  const { timeoutMs, jobTimeoutMs = timeoutMs } = admission;
  const maxMs = Math.min(ofPlan ?? MAX_TIMER_MS, MAX_TIMER_MS);
  // A crawl without a time of its own asks for as much as there is.
  if (jobTimeoutMs <= maxMs) return admission;
  const limited = { ...admission, timeoutMs: Math.min(timeoutMs, maxMs), jobTimeoutMs: maxMs };
  if (timeoutMs <= maxMs) return limited;
  const message = `timeout_ms: a job of plan ${name} runs at most ${maxMs} ms, so this one ends after that time`;
  return { ...limited, timeLimit: { code: 'time_limited', message } };
}

/** The lower of two ceilings, null for none. */
export function minCeiling(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.min(one, other);
}

/** Admits a job that only answers what it has stored: where the gates refuse it now, it may spend nothing more. */
function admitClosing(accepted: AcceptedWork, facts: AdmissionFacts): Admission {
  try {
    return accepted.admit(facts);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { timeoutMs: CLOSING_TIMEOUT_MS, tiers: [], cheapest: 0, maxCredits: 0 };
  }
}

/** Remembers the first value or failure of a function without arguments. */
function memoize<T>(make: () => T): () => T {
  let get = (): T => {
    try {
      const value = make();
      get = () => value;
      return value;
    } catch (error) {
      get = () => {
        throw error;
      };
      throw error;
    }
  };
  return () => get();
}
