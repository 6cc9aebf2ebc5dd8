import type { Cursors, CursorScope } from '#engine/call/cursor.ts';
import type { WorkCall } from '#engine/call/operation.ts';
import { toParty } from '#engine/credits/billing.ts';
import type { ReadingCaller } from '#engine/reading/parser-queue.ts';
import type { Clock } from '#kernel/clock.ts';
import type { SiteVerdict } from '#sites/framework/answers.ts';
import type { SiteHealth } from './health.ts';
import type { SourceReadRequest } from '#sites/framework/source-reader.ts';
import type { SiteBook } from './settings.ts';

export type SiteWorkParts = {
  readonly book: SiteBook;
  readonly cursors: Cursors;
  readonly siteHealth: Pick<SiteHealth, 'observe'>;
  /** Parses a page for a site endpoint in a parser thread, until the signal aborts. */
  readonly readSource: (order: SourceReadRequest, reader: ReadingCaller) => Promise<SiteVerdict>;
  readonly clock: Clock;
};

/** The module of the parser threads for site endpoints. */
export const SOURCE_WORKER = new URL('./source.worker.ts', import.meta.url);

/** Cursors of one caller and one operation. */
export type BoundCursors = {
  readonly read: (filters: Readonly<Record<string, unknown>>, cursor: string | null) => string | null;
  readonly write: (filters: Readonly<Record<string, unknown>>, position: string) => string;
};

/** Everything a call of an endpoint needs besides visits, bound to its caller and time limit. */
export type SiteWork = SiteBook & {
  /** Parses a page for a site endpoint, in a parser thread. */
  readonly read: (order: SourceReadRequest) => Promise<SiteVerdict>;
  readonly cursors: BoundCursors;
  readonly tenant: string;
  /** Reports the outcome of a call to the health of the endpoint. */
  readonly observe: SiteHealth['observe'];
  /** The current time, ms. */
  readonly now: () => number;
  /** The remaining time of the call, ms. */
  readonly leftMs: () => number;
  readonly signal: AbortSignal;
};

/** The context of a call of an endpoint. */
export type SiteCall = WorkCall & { readonly sites: SiteWork };

export function buildSiteWork({ book, cursors, siteHealth, readSource, clock }: SiteWorkParts) {
  return function siteWorkOf({ operation, account, deadline }: WorkCall): SiteWork {
    const { signal, startedAt, timeoutMs } = deadline;
    const { tenant } = account;
    const party = toParty(account);
    const scopeOf = (filters: CursorScope['filters']): CursorScope => ({ tenant, operation, filters });
    return {
      of: book.of,
      read: async (order) => readSource(order, { party, signal }),
      cursors: {
        read: (filters, cursor) => cursors.read(scopeOf(filters), cursor),
        write: (filters, position) => cursors.write(scopeOf(filters), position),
      },
      tenant,
      observe: (id, observation) => siteHealth.observe(id, observation),
      now: () => clock.now(),
      leftMs: () => timeoutMs - (clock.monotonic() - startedAt),
      signal,
    };
  };
}
