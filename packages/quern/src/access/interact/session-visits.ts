import type { TierVisits } from '#access/tiers/ladder.ts';
import type { PageRequest, TierVisit } from '#access/page.ts';
import { createProxyTier } from '#access/tiers/proxy-tier.ts';
import type { ProxyPool } from '#access/proxy/proxy-pool.ts';
import type { Upstream } from '#access/proxy/tunnel.ts';
import type { AdmitSession, OpenedSession, SessionOrder, Sessions } from './sessions.ts';

/** The tiers of a session: escalation through them visits its first page, and leaves the session of the last visit open. */
export type SessionVisits = {
  readonly tierVisits: TierVisits;
  /** The session that is open, null for none. */
  readonly opened: () => OpenedSession | null;
  readonly close: () => Promise<void>;
};

/** Begins the sessions of one call, each under `signal`. */
export type OpenSessionVisits = (order: SessionOrder, signal: AbortSignal) => SessionVisits;

export type SessionVisitParts = {
  readonly sessions: Sessions;
  /** The credentials for a proxy's exit, null for direct connections. */
  readonly admitBy: (upstream: Upstream | null) => AdmitSession;
  readonly datacenter: ProxyPool | null;
  readonly residential: ProxyPool | null;
};

/** Builds the ladder's view of sessions, so that blocks, time and exits are treated as those of a fetch. */
export function createSessionVisits({
  sessions,
  admitBy,
  datacenter,
  residential,
}: SessionVisitParts): OpenSessionVisits {
  return function begin(order, signal) {
    let opened: OpenedSession | null = null;

    async function close(): Promise<void> {
      const last = opened;
      opened = null;
      await last?.close();
    }

    const through =
      (upstream: Upstream | null): TierVisit =>
      async ({ leftMs, party }: PageRequest, first) => {
        await close();
        opened = await sessions.open({ ...order, party }, admitBy(upstream), { signal, first, getLeftMs: leftMs });
        return { page: opened.page, classification: opened.classification };
      };
    const tierVisits: TierVisits = {
      browser: through(null),
      ...(datacenter === null ? {} : { proxy: createProxyTier({ visitThrough: through }, datacenter) }),
      ...(residential === null ? {} : { proxy_browser: createProxyTier({ visitThrough: through }, residential) }),
    };
    return { tierVisits, opened: () => opened, close };
  };
}
