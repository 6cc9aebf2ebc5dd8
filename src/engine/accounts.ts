import type { Plan } from './plans.ts';

/** A tenant's credits now; null where the plan sets no limit. Instants are ISO 8601 UTC. */
export type Balance = {
  readonly plan: string;
  readonly cycle: { readonly start: string; readonly end: string };
  readonly credits_granted: number | null;
  readonly credits_topped_up: number;
  readonly credits_used: number;
  readonly credits_reserved: number;
  readonly credits_remaining: number | null;
  readonly daily_cap: number | null;
  readonly daily_used: number;
  readonly daily_resets_at: string;
};

/** Balances of tenants, read side. */
export type Accounts = {
  readonly balance: (tenant: string, plan: Plan) => Promise<Balance>;
};
