import type { Account } from '#engine/billing.ts';
import type { Cursors, CursorScope } from '#engine/cursor.ts';
import type { Deadline } from '#engine/deadline.ts';
import type { SiteWork } from '#engine/operation.ts';
import type { Visiting } from '#engine/visiting.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Verdict } from './answers.ts';
import type { SiteHealth } from './health.ts';
import type { ReadOrder } from './reading.ts';

export type SiteWorkParts = {
  readonly visiting: Pick<Visiting, 'factsFor'>;
  readonly cursors: Cursors;
  readonly siteHealth: Pick<SiteHealth, 'observe'>;
  /** Reads a page by a source of an endpoint in a parser thread until the signal fires. */
  readonly readSource: (order: ReadOrder, signal: AbortSignal) => Promise<Verdict>;
  readonly clock: Clock;
};

type SiteCall = {
  /** The operation that runs, by its id alone. */
  readonly operation: { readonly id: string };
  readonly account: Pick<Account, 'tenant' | 'plan'>;
  readonly deadline: Deadline;
};

/** Gives each call what running an endpoint of a site needs beside visits, bound to its caller and its time. */
export function buildSiteWork({ visiting, cursors, siteHealth, readSource, clock }: SiteWorkParts) {
  return function siteWorkOf({ operation, account: { tenant, plan }, deadline }: SiteCall): SiteWork {
    const { signal, startedAt, timeoutMs } = deadline;
    const scopeOf = (filters: CursorScope['filters']): CursorScope => ({ tenant, operation: operation.id, filters });
    return {
      of: visiting.factsFor(plan).sites.of,
      read: async (order) => readSource(order, signal),
      cursors: {
        read: (filters, cursor) => cursors.read(scopeOf(filters), cursor),
        write: (filters, position) => cursors.write(scopeOf(filters), position),
      },
      observe: (id, observation) => siteHealth.observe(id, observation),
      now: () => clock.now(),
      leftMs: () => timeoutMs - (performance.now() - startedAt),
      signal,
    };
  };
}
