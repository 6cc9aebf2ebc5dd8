import { type Plan, planNamed, type Plans } from './plans.ts';

/** The tenant of a key, and its plan. */
export type Caller = {
  readonly tenant: string;
  readonly keyId: string;
  readonly plan: Plan;
  /** Set for the key of an operator, which opens the operations that see every tenant. */
  readonly isOperator?: true;
  /** When the operator has suspended the tenant, ISO 8601 UTC; absent unless it is. */
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

/** The caller that a key stands for. */
export function toCaller(plans: Plans, { id, tenant_id, operator, plan, suspended_at }: CallerRow): Caller {
  return {
    tenant: tenant_id,
    keyId: id,
    plan: planNamed(plans, plan),
    ...(operator === 1 ? { isOperator: true } : {}),
    ...(suspended_at === null ? {} : { suspendedAt: suspended_at }),
  };
}
