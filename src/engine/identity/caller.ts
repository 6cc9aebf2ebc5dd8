import type { Plan } from './plans.ts';

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
