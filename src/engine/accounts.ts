/** Balances and usage of tenants. */
export type Accounts = Record<never, never>;
