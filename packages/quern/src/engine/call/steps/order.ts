import type { CallRequest } from '#engine/call/ask.ts';
import type { AcceptedWork, BoundWork, Operation } from '#engine/call/operation.ts';
import type { Admission, AdmissionFacts } from '#engine/credits/admission.ts';
import type { Caller } from '#engine/identity/caller.ts';
import type { Plan } from '#engine/identity/plans.ts';
import { ServiceError } from '#kernel/errors.ts';

/** The time limit of a crawl that only returns its stored pages. */
export const CLOSING_TIMEOUT_MS = 60_000;

/** Returns the facts that decide whether a plan admits an input. */
export type GetAdmissionFacts = (plan: Plan) => AdmissionFacts;

/** A call of work. Its input is validated and admitted once, on first use. */
export type WorkOrder = {
  readonly operation: BoundWork;
  readonly raw: unknown;
  readonly call: CallRequest;
  /** Throws `plan_upgrade_required` and `invalid_request`. */
  readonly getAccepted: () => AcceptedWork;
  /** Throws the same and the errors of `admit`. `maxCredits` includes the ceiling of the job. */
  readonly getAdmission: () => Admission;
};

export function createOrder(
  operation: BoundWork,
  { raw, call }: Pick<WorkOrder, 'raw' | 'call'>,
  factsFor: GetAdmissionFacts,
) {
  const { caller, lease } = call;
  const isClosing = (lease?.closing ?? null) !== null;
  const accepted = memoize(() => {
    if (!isClosing) assertPlan(operation, caller);
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

/** Throws `plan_upgrade_required` if the plan of the caller does not include the operation. */
export function assertPlan(operation: Pick<Operation, 'id' | 'plan'>, { plan }: Caller): void {
  if (operation.plan !== 'starter' || plan.starter_surfaces) return;
  throw new ServiceError(
    'plan_upgrade_required',
    `${operation.id} needs plan starter or higher; your plan is ${plan.name}`,
  );
}

/** The longest delay of a Node timer, about 24 days. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Limits the time of an admission to the job timeout of the plan, and adds a warning if the caller asked for more. */
export function limitTime(admission: Admission, { name, job_timeout_ms: ofPlan }: Plan): Admission {
  const { timeoutMs, jobTimeoutMs = timeoutMs } = admission;
  const maxMs = Math.min(ofPlan ?? MAX_TIMER_MS, MAX_TIMER_MS);
  // A crawl without timeout_ms asks for unlimited time.
  if (jobTimeoutMs <= maxMs) return admission;
  const limited = { ...admission, timeoutMs: Math.min(timeoutMs, maxMs), jobTimeoutMs: maxMs };
  if (timeoutMs <= maxMs) return limited;
  const message = `timeout_ms: limited to ${maxMs} ms, the longest job time of plan ${name}`;
  return { ...limited, timeLimit: { code: 'time_limited', message } };
}

/** Returns the lower of two ceilings; null means no ceiling. */
export function minCeiling(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.min(one, other);
}

/**
 * Admits a job that only returns what it has stored. If the plan no longer allows it, it may not spend any more
 * credits.
 */
function admitClosing(accepted: AcceptedWork, facts: AdmissionFacts): Admission {
  try {
    return accepted.admit(facts);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { timeoutMs: CLOSING_TIMEOUT_MS, tiers: [], cheapest: 0, maxCredits: 0 };
  }
}

/** Caches the first result or error of a function without arguments. */
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

/** Whether a suspended tenant may call an operation: only reading, and operations of operators. */
export function isAllowedWhenSuspended({
  audience,
  kind,
  route,
}: Pick<Operation, 'audience' | 'kind' | 'route'>): boolean {
  return audience === 'operator' || (kind === 'control' && route?.startsWith('GET ') === true);
}

/** Throws `tenant_suspended` if the tenant of the caller is suspended and the operation is not allowed then. */
export function assertNotSuspended(
  operation: Pick<Operation, 'audience' | 'kind' | 'route'>,
  { caller: { suspendedAt } }: CallRequest,
): void {
  if (suspendedAt === undefined || isAllowedWhenSuspended(operation)) return;
  throw new ServiceError(
    'tenant_suspended',
    `the operator suspended this tenant at ${suspendedAt}; it can only read its data until it is resumed`,
  );
}
