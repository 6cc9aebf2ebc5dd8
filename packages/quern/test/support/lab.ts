import { createBreakers } from '#access/tiers/circuit-breaker.ts';
import { createHostMemory } from '#access/tiers/host-memory.ts';
import { escalate, type EscalationOptions, type TierVisits } from '#access/tiers/ladder.ts';
import { type Attempt, TIERS } from '#access/page.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';

/** Fetches a page of the lab; returns the final tier, the steps, the warnings and the content. */
export async function climbTo(
  url: URL,
  { tierVisits, ...options }: Partial<EscalationOptions> & { readonly tierVisits: TierVisits },
) {
  const attempts: Attempt[] = [];
  const clock = SYSTEM_CLOCK;
  const said = await escalate({
    tiers: TIERS,
    tierVisits,
    breakers: createBreakers({ clock }),
    memory: createHostMemory({ clock }).of('tenant', 'proxy_browser'),
    request: { url, headers: {}, cookies: [] },
    timeoutMs: 60_000,
    startedAt: clock.monotonic(),
    clock,
    random: () => 0,
    signal: AbortSignal.timeout(60_000),
    proxiesInPlan: true,
    isSufficient: null,
    beforeTier: () => Promise.resolve(),
    attempts,
    ...options,
  }).catch((error: unknown) => {
    if (error instanceof ServiceError) return error.code;
    throw error;
  });
  const walk = attempts.map(({ tier, outcome }) => `${tier} ${outcome}`);
  if (typeof said === 'string') return { end: said, walk, warnings: [], text: '' };
  const { page, tier } = said;
  return { end: tier, walk, warnings: page.warnings.map(({ code }) => code), text: Buffer.from(page.body).toString() };
}

export type Journey = {
  readonly path: string;
  /** The tier that serves it if all tiers are available, or the error. */
  readonly end: string;
  readonly walk: readonly string[];
  readonly warnings?: readonly string[];
};

/** The outcome of each page of the lab with all four tiers and the trusted proxy exit. */
export const JOURNEYS: readonly Journey[] = [
  {
    path: '/blocked/403',
    end: 'target_blocked',
    walk: ['http blocked', 'browser blocked', 'proxy blocked', 'proxy_browser blocked'],
  },
  {
    path: '/blocked/503',
    end: 'target_blocked',
    walk: ['http challenge', 'browser challenge', 'proxy_browser challenge'],
  },
  { path: '/lab/address', end: 'proxy', walk: ['http blocked', 'browser blocked', 'proxy ok'] },
  { path: '/lab/vendor', end: 'proxy_browser', walk: ['http blocked', 'browser blocked', 'proxy_browser ok'] },
  { path: '/lab/rate', end: 'http', walk: ['http rate_limited', 'http ok'] },
  { path: '/lab/rate/long', end: 'proxy', walk: ['http rate_limited', 'proxy ok'] },
  { path: '/lab/ledger', end: 'http', walk: ['http auth_required'], warnings: ['auth_required'] },
  { path: '/lab/country', end: 'http', walk: ['http geo_or_legal'], warnings: ['geo_or_legal'] },
  { path: '/lab/challenge', end: 'browser', walk: ['http challenge', 'browser ok'] },
  { path: '/lab/challenge/plain', end: 'browser', walk: ['http challenge', 'browser ok'] },
  {
    path: '/lab/captcha',
    end: 'target_blocked',
    walk: ['http challenge', 'browser challenge', 'proxy_browser challenge'],
  },
  { path: '/lab/shell', end: 'browser', walk: ['http js_required', 'browser ok'] },
  { path: '/lab/shell/address', end: 'proxy', walk: ['http blocked', 'browser blocked', 'proxy ok'] },
  { path: '/lab/endless', end: 'browser', walk: ['http thin', 'browser thin'], warnings: ['thin_content'] },
  { path: '/lab/look-alike/article', end: 'http', walk: ['http ok'] },
  { path: '/lab/look-alike/short', end: 'http', walk: ['http ok'] },
  { path: '/lab/look-alike/soft-404', end: 'http', walk: ['http ok'] },
  {
    path: '/lab/look-alike/maintenance',
    end: 'http',
    walk: ['http http_error', 'http http_error'],
    warnings: ['target_error'],
  },
  { path: '/lab/look-alike/contact', end: 'http', walk: ['http ok'] },
  { path: '/lab/look-alike/telemetry', end: 'http', walk: ['http ok'] },
  { path: '/lab/look-alike/json', end: 'http', walk: ['http ok'] },
];
