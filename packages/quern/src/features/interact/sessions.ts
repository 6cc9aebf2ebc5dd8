import { InvariantError } from '#extract/invariant-error.ts';
import type { Breakers } from '#access/tiers/circuit-breaker.ts';
import type { HostMemory } from '#access/tiers/host-memory.ts';
import type { OpenSessionVisits, SessionVisits } from '#access/interact/session-visits.ts';
import type { InteractSession } from '#access/interact/session.ts';
import type { SessionOrder } from '#access/interact/sessions.ts';
import type { BrowserState } from '#access/tiers/ladder.ts';
import type { Attempt, Page, Tier } from '#access/page.ts';
import type { ServedTier } from '#engine/credits/prices.ts';
import type { HeldSession } from '#engine/sessions/held-session.ts';
import type { SavedSessions } from '#engine/sessions/saved-sessions.ts';
import { ladder } from '#engine/visits/ladder-visit.ts';
import type { Deadline } from '#kernel/deadline.ts';
import type { Account } from '#engine/credits/billing.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Observe } from '#kernel/events.ts';
import { ServiceError } from '#kernel/errors.ts';

/** A session at its first page, the tier that served it, and the attempts that led to it. */
export type OpenedSession = {
  readonly session: InteractSession;
  readonly page: Page;
  readonly tier: ServedTier;
  readonly attempts: readonly Attempt[];
  /** The time that is left for actions, ms; outputs have time of their own. */
  readonly leftMs: () => number;
};

/** The call that a session is opened for. */
export type InteractCall = {
  readonly account: Account;
  readonly tiers: readonly Tier[];
  /** Filled attempt by attempt. */
  readonly attempts: Attempt[];
  readonly deadline: Deadline;
};

export type Interacting = {
  /** Opens the session of a call, which is closed with the call. */
  readonly begin: (call: InteractCall) => {
    /** `name` is that of the caller's saved session, null for none. */
    readonly open: (order: SessionOrder, name: string | null) => Promise<OpenedSession>;
    readonly close: () => Promise<void>;
  };
};

export type InteractingParts = {
  /** Null while this machine has no browser. */
  readonly openSessionVisits: () => OpenSessionVisits | null;
  readonly browser: () => BrowserState;
  readonly savedSessions: Pick<SavedSessions, 'open'>;
  readonly breakers: Breakers;
  readonly hosts: HostMemory;
  readonly clock: Clock;
  /** A number from 0 to below 1. */
  readonly random: () => number;
  readonly observe: Observe;
};

/** Kept for the outputs and the reply. */
const KEPT_MS = 700;
const KEPT_SHARE = 0.08;

/** Opens sessions for calls by the same ladder as a fetch; a page with little text is accepted. */
export function buildInteracting({
  openSessionVisits,
  browser,
  savedSessions,
  breakers,
  hosts,
  clock,
  random,
  observe,
}: InteractingParts): Interacting {
  return {
    begin({ account, tiers, attempts, deadline }) {
      const { timeoutMs, startedAt, signal } = deadline;
      let visits: SessionVisits | null = null;
      let held: HeldSession | null = null;

      async function open(asked: SessionOrder, name: string | null): Promise<OpenedSession> {
        held = name === null ? null : await savedSessions.open(account.tenant, name);
        const order = held === null ? asked : { ...asked, session: held.web };
        const began = openSessionVisits()?.(order, signal) ?? null;
        if (began === null) {
          throw new ServiceError('backend_unavailable', NO_BROWSER, { retryable: browser() === 'is awaited' });
        }
        visits = began;
        const visit = ladder({
          tierVisits: () => began.tierVisits,
          browser: () => 'as it is',
          breakers,
          memory: hosts.of(account.tenant, 'proxy_browser'),
          account,
          observe,
          clock,
          random,
        });
        const { url, headers, cookies, country, session } = order;
        const { page, tier } = await visit(
          { url, headers, cookies, session, ...(country === undefined ? {} : { country }) },
          { tiers, timeoutMs, startedAt, signal, attempts, suffices: async () => true },
        );
        const opened = began.opened();
        if (opened === null) throw new InvariantError('a visit ended with a page and without its session');
        const until = startedAt + timeoutMs - KEPT_MS - KEPT_SHARE * timeoutMs;
        return { session: opened.session, page, tier, attempts, leftMs: () => until - clock.monotonic() };
      }

      /** What the pages left is in the session when the browser has let go of it. */
      async function close(): Promise<void> {
        await visits?.close();
        await held?.save();
      }

      return { open, close };
    },
  };
}

const NO_BROWSER = 'this instance has no browser: install Chromium, or name one with QUERN_CHROMIUM';
