import type { Attempt, Page, PageRequest, Tier } from '#access/page.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { Account, Billing } from './billing.ts';
import type { Deadline } from './deadline.ts';
import type { Admission, Visited, WorkOperation } from './operation.ts';
import type { PageCache } from './page-cache.ts';
import { toUsage } from './prices.ts';

/** Everything one call's visits need to know of it. */
export type Call = {
  readonly operation: WorkOperation;
  readonly account: Account;
  readonly admission: Admission;
  /** Filled as the ladder is climbed, so that a failed call shows its attempts too. */
  readonly attempts: Attempt[];
  readonly deadline: Deadline;
};

export type Visits = {
  readonly visit: (request: PageRequest, options: { readonly maxAgeMs: number }) => Promise<Visited>;
  /** Resolves when the fetched pages are in the cache. */
  readonly kept: () => Promise<void>;
};
export type Visiting = {
  readonly begin: (call: Call) => Visits;
  readonly readTarget: (url: string) => URL;
};
