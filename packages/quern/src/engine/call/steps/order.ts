import type { CallRequest } from '#engine/call/ask.ts';
import type { AcceptedControl, AcceptedWork, BoundOperation } from '#engine/call/bound-operation.ts';
import type { ControlOperation, Operation, WorkOperation } from '#engine/call/operation.ts';
import type { Admission, AdmissionFacts } from '#engine/credits/admission.ts';
import type { Caller } from '#engine/identity/caller.ts';
import type { Plan } from '#engine/identity/plans.ts';
import { ServiceError } from '#kernel/errors.ts';

/** The time limit of a crawl that only returns its stored pages. */
export const CLOSING_TIMEOUT_MS = 60_000;

/** Returns the facts that decide whether a plan admits an input. */
export type GetAdmissionFacts = (plan: Plan) => AdmissionFacts;

/** A call of an operation. `createOrder` has validated its input. */
export type Order = WorkOrder | ControlOrder;

export type WorkOrder = {
  readonly kind: 'work';
  readonly operation: WorkOperation;
  readonly raw: unknown;
  readonly call: CallRequest;
  /** Returns the accepted call. Throws what was wrong: `plan_upgrade_required`, `invalid_request`, an error of `admit`. */
  readonly getAdmitted: () => AdmittedWork;
};

/** `maxCredits` of the admission includes the ceiling of the job. */
type AdmittedWork = AcceptedWork & { readonly admission: Admission };

export type ControlOrder = Pick<WorkOrder, 'raw' | 'call'> & {
  readonly kind: 'control';
  readonly operation: ControlOperation;
  /** Returns the accepted call. Throws what was wrong: `plan_upgrade_required`, `invalid_request`. */
  readonly getAccepted: () => AcceptedControl;
};

/**
 * Checks the plan, validates the input and admits it, once per call and at once. What is wrong is thrown later by
 * `getAdmitted` or `getAccepted`, where a failure is logged and stored for an idempotency key.
 *
 * A job passes here again when it runs: the store holds its input as it was sent, and the plan, the settings or the
 * declaration may have changed since it was submitted.
 */
export function createOrder(
  bound: BoundOperation,
  { raw, call }: Pick<WorkOrder, 'raw' | 'call'>,
  factsFor: GetAdmissionFacts,
): Order {
  const { caller, lease } = call;
  const isClosing = (lease?.closing ?? null) !== null;
  if (bound.kind === 'control') {
    const { kind, operation } = bound;
    const getAccepted = attempt(() => {
      assertPlan(operation, caller);
      return bound.accept(raw);
    });
    return { kind, operation, raw, call, getAccepted };
  }
  const { kind, operation } = bound;
  const getAdmitted = attempt(() => {
    if (!isClosing) assertPlan(operation, caller);
    const accepted = bound.accept(raw);
    const facts = factsFor(caller.plan);
    const asked = isClosing ? admitClosing(accepted, facts) : limitTime(accepted.admit(facts), caller.plan);
    const maxCredits = lease === null ? asked.maxCredits : minCeiling(asked.maxCredits, lease.maxCredits);
    return { ...accepted, admission: { ...asked, maxCredits } };
  });
  return { kind, operation, raw, call, getAdmitted };
}

/** Runs a function at once. The returned function returns its value or throws its error. */
function attempt<T>(make: () => T): () => T {
  try {
    const value = make();
    return () => value;
  } catch (error) {
    return () => {
      throw error;
    };
  }
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
