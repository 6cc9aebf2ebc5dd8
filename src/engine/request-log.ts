import type { Attempt } from '#access/page.ts';

/** One logged request for work, as `/v1/requests` shows it. */
export type LoggedRequest = {
  readonly id: string;
  readonly at: string;
  readonly operation: string;
  readonly status: number;
  readonly code: string | null;
  readonly credits: number;
  readonly tier: string | null;
  readonly duration_ms: number;
};

/** The log of work requests, kept 24 h. */
export type RequestLog = {
  readonly find: (
    tenant: string,
    id: string,
  ) => Promise<(LoggedRequest & { readonly attempts: readonly Attempt[] }) | null>;
};
