import { InvariantError } from '#extract/invariant-error.ts';
import type { Breakers } from '#access/tiers/circuit-breaker.ts';
import type { HostMemory } from '#access/tiers/host-memory.ts';
import type { OpenSessionVisits, SessionVisits } from '#access/interact/session-visits.ts';
import type { InteractSession } from '#access/interact/session.ts';
import type { SessionOrder } from '#access/interact/sessions.ts';
import type { BrowserState } from '#access/tiers/ladder.ts';
import type { Attempt, Page, Tier } from '#access/page.ts';
import type { ServedTier } from '#engine/credits/prices.ts';
import type { SessionHandle, SavedSessions } from '#engine/sessions/saved-sessions.ts';
import { buildLadderVisit } from '#engine/visits/visit.ts';
import type { Deadline } from '#kernel/deadline.ts';
import type { Account } from '#engine/credits/billing.ts';
import type { Clock } from '#kernel/clock.ts';
import type { ObserveEvent } from '#kernel/events.ts';
import { ServiceError } from '#kernel/errors.ts';

/** An open session at its first page, with the tier that served it and the attempts made. */
export type OpenedSession = {
  readonly session: InteractSession;
  readonly page: Page;
  readonly tier: ServedTier;
  readonly attempts: readonly Attempt[];
  /** Remaining time for actions, in ms; time for outputs is reserved separately. */
  readonly leftMs: () => number;
};

/** The call for which a session is opened. */
export type InteractCall = {
  readonly account: Account;
  readonly tiers: readonly Tier[];
  /** Each attempt is appended. */
  readonly attempts: Attempt[];
  readonly deadline: Deadline;
};

export type SessionOpener = {
  /** Prepares a session for a call. The caller must call `close` at the end. */
  readonly begin: (call: InteractCall) => {
    /** `name` is the caller's saved session; null for none. */
    readonly open: (order: SessionOrder, name: string | null) => Promise<OpenedSession>;
    readonly close: () => Promise<void>;
  };
};

export type SessionOpenerParts = {
  /** Returns null if this machine has no browser. */
  readonly openSessionVisits: () => OpenSessionVisits | null;
  readonly browser: () => BrowserState;
  readonly savedSessions: Pick<SavedSessions, 'open'>;
  readonly breakers: Breakers;
  readonly hosts: HostMemory;
  readonly clock: Clock;
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  readonly random: () => number;
  readonly observe: ObserveEvent;
};

/** Part of the time limit that is reserved for outputs and the response: fixed, and as a share. */
const RESERVED_MS = 700;
const RESERVED_SHARE = 0.08;

/** Opens sessions through the same access ladder as a fetch, but accepts a page with little text. */
export function buildSessionOpener({
  openSessionVisits,
  browser,
  savedSessions,
  breakers,
  hosts,
  clock,
  random,
  observe,
}: SessionOpenerParts): SessionOpener {
  return {
    begin({ account, tiers, attempts, deadline }) {
      const { timeoutMs, startedAt, signal } = deadline;
      let visits: SessionVisits | null = null;
      let savedSession: SessionHandle | null = null;

      async function open(requested: SessionOrder, name: string | null): Promise<OpenedSession> {
        savedSession = name === null ? null : await savedSessions.open(account.tenant, name);
        const order = savedSession === null ? requested : { ...requested, session: savedSession.web };
        const began = openSessionVisits()?.(order, signal) ?? null;
        if (began === null) {
          throw new ServiceError('backend_unavailable', NO_BROWSER_MESSAGE, { retryable: browser() === 'is awaited' });
        }
        visits = began;
        const visit = buildLadderVisit({
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
          { tiers, timeoutMs, startedAt, signal, attempts, isSufficient: async () => true },
        );
        const opened = began.opened();
        if (opened === null) throw new InvariantError('a visit returned a page without a session');
        const until = startedAt + timeoutMs - RESERVED_MS - RESERVED_SHARE * timeoutMs;
        return { session: opened.session, page, tier, attempts, leftMs: () => until - clock.monotonic() };
      }

      /** The visits must be closed first: only then are the cookies of the pages in the saved session. */
      async function close(): Promise<void> {
        await visits?.close();
        await savedSession?.save();
      }

      return { open, close };
    },
  };
}

const NO_BROWSER_MESSAGE = 'this instance has no browser: install Chromium, or set QUERN_CHROMIUM to its path';
