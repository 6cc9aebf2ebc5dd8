import { type Plan, resolvePlan, type Plans } from './plans.ts';

/** The tenant and plan behind an API key. */
export type Caller = {
  readonly tenant: string;
  readonly keyId: string;
  readonly plan: Plan;
  /** Set for an operator key, which allows operations across tenants. */
  readonly isOperator?: true;
  /** When the tenant was suspended, ISO 8601 UTC; absent if it is not. */
  readonly suspendedAt?: string;
};

/** The row of a key joined with its tenant. */
export type CallerRow = {
  readonly id: string;
  readonly tenant_id: string;
  readonly operator: number;
  readonly plan: string;
  readonly suspended_at: string | null;
};

/** Builds the caller from the row of a key. */
export function toCaller(plans: Plans, { id, tenant_id, operator, plan, suspended_at }: CallerRow): Caller {
  return {
    tenant: tenant_id,
    keyId: id,
    plan: resolvePlan(plans, plan),
    ...(operator === 1 ? { isOperator: true } : {}),
    ...(suspended_at === null ? {} : { suspendedAt: suspended_at }),
  };
}
