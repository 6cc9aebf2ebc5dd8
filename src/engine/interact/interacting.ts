import type { Breakers } from '#access/breaker.ts';
import type { HostMemory } from '#access/host-memory.ts';
import type { OpenClimb, SessionClimb } from '#access/interact/climbing.ts';
import type { Session } from '#access/interact/session.ts';
import type { SessionOrder } from '#access/interact/sessions.ts';
import { climb, demandTier } from '#access/ladder.ts';
import type { BrowserState } from '#access/ladder.ts';
import type { Attempt, Page, Tier } from '#access/page.ts';
import type { Deadline } from '#engine/deadline.ts';
import type { Account } from '#engine/billing.ts';
import { ServiceError } from '#kernel/errors.ts';

/** A session at its first page, the tier that got there, and how. */
export type Begun = {
  readonly session: Session;
  readonly page: Page;
  readonly tier: Tier;
  readonly attempts: readonly Attempt[];
  /** The time that is left for actions, ms; what comes after them has its own. */
  readonly leftMs: () => number;
};

/** Everything that one call's session needs to know of it. */
export type InteractCall = {
  readonly account: Account;
  readonly tiers: readonly Tier[];
  /** Filled as the ladder is climbed. */
  readonly attempts: Attempt[];
  readonly deadline: Deadline;
};

export type Interacting = {
  /** What opens a session of a call; it is closed with the call. */
  readonly begin: (call: InteractCall) => {
    readonly open: (order: SessionOrder) => Promise<Begun>;
    readonly close: () => Promise<void>;
  };
};

export type InteractingParts = {
  /** Null while this machine has no browser. */
  readonly openClimb: () => OpenClimb | null;
  readonly browser: () => BrowserState;
  readonly breakers: Breakers;
  readonly hosts: HostMemory;
};

/** Time slices are measured on a clock that no one can set. */
const MONOTONIC = { now: () => performance.now() };
/** Kept for the outputs and the reply. */
const KEPT_MS = 700;
const KEPT_SHARE = 0.08;

/** Opens sessions for calls, up the same ladder as a fetch; a page with little text is one to work with. */
export function buildInteracting({ openClimb, browser, breakers, hosts }: InteractingParts): Interacting {
  return {
    begin({ account, tiers, attempts, deadline }) {
      const { timeoutMs, startedAt, signal } = deadline;
      let ladder: SessionClimb | null = null;

      async function open(order: SessionOrder): Promise<Begun> {
        const began = openClimb()?.(order, signal) ?? null;
        if (began === null) {
          throw new ServiceError('backend_unavailable', NO_BROWSER, { retryable: browser() === 'is awaited' });
        }
        ladder = began;
        demandTier(tiers, began.rungs, 'as it is');
        const { url, headers, cookies, country } = order;
        const { page, tier } = await climb({
          tiers,
          rungs: began.rungs,
          breakers,
          memory: hosts.of(account.tenant, 'proxy_browser'),
          request: { url, headers, cookies, ...(country === undefined ? {} : { country }) },
          timeoutMs,
          startedAt,
          clock: MONOTONIC,
          random: Math.random,
          signal,
          proxiesInPlan: account.plan.starter_surfaces,
          suffices: async () => true,
          before: async () => undefined,
          attempts,
        });
        const opened = began.opened();
        if (opened === null) throw new Error('a climb ended with a page and without its session');
        const until = startedAt + timeoutMs - KEPT_MS - KEPT_SHARE * timeoutMs;
        return { session: opened.session, page, tier, attempts, leftMs: () => until - performance.now() };
      }

      return { open, close: async () => ladder?.close() };
    },
  };
}

const NO_BROWSER = 'this instance has no browser: install Chromium, or name one with QUERN_CHROMIUM';
