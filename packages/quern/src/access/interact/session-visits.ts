import type { TierVisits } from '#access/tiers/ladder.ts';
import type { PageRequest, TierVisit } from '#access/page.ts';
import { createProxyTier } from '#access/tiers/proxy-tier.ts';
import type { ProxyPool } from '#access/proxy/proxy-pool.ts';
import type { Upstream } from '#access/proxy/tunnel.ts';
import type { AdmitSession, OpenedSession, SessionOrder, Sessions } from './sessions.ts';

/** The tiers that open a session. Each visit opens a new session; that of the last visit stays open. */
export type SessionVisits = {
  readonly tierVisits: TierVisits;
  /** The open session; null if there is none. */
  readonly opened: () => OpenedSession | null;
  readonly close: () => Promise<void>;
};

/** Creates the visits of one call; `signal` ends each of its sessions. */
export type OpenSessionVisits = (order: SessionOrder, signal: AbortSignal) => SessionVisits;

export type SessionVisitParts = {
  readonly sessions: Sessions;
  /** Issues credentials for connections through a proxy; null for direct connections. */
  readonly admitBy: (upstream: Upstream | null) => AdmitSession;
  readonly datacenter: ProxyPool | null;
  readonly residential: ProxyPool | null;
};

/** Creates visits for the ladder, so that blocks, time and proxy exits are handled as in a fetch. */
export function createSessionVisits({
  sessions,
  admitBy,
  datacenter,
  residential,
}: SessionVisitParts): OpenSessionVisits {
  return function openVisits(order, signal) {
    let opened: OpenedSession | null = null;

    async function close(): Promise<void> {
      const session = opened;
      opened = null;
      await session?.close();
    }

    const visitThrough =
      (upstream: Upstream | null): TierVisit =>
      async ({ leftMs, party }: PageRequest, first) => {
        await close();
        opened = await sessions.open({ ...order, party }, admitBy(upstream), { signal, first, getLeftMs: leftMs });
        return { page: opened.page, classification: opened.classification };
      };
    const tierVisits: TierVisits = {
      browser: visitThrough(null),
      ...(datacenter === null ? {} : { proxy: createProxyTier({ visitThrough }, datacenter) }),
      ...(residential === null ? {} : { proxy_browser: createProxyTier({ visitThrough }, residential) }),
    };
    return { tierVisits, opened: () => opened, close };
  };
}
