import { z } from 'zod';
import { SKIP_REASONS } from '#extract/site/admission.ts';
import type { SkipReason } from '#extract/site/admission.ts';
import { SERVED_TIERS } from '#engine/prices.ts';
import type { End, Failed, Standing } from './frontier.ts';
import type { Spread } from './spread.ts';

/** A section of a site that is closed to strangers is shorter than this, mostly. */
const MOST_SILENT = 25;
/** Hosts whose silence is counted; of more the first are forgotten. */
const MOST_SILENT_HOSTS = 1000;
const SILENCES: ReadonlySet<Failed['code']> = new Set([
  'target_blocked',
  'free_plan_proxy_required',
  'target_unreachable',
  'timeout',
]);
/** Of a proxy or a delivery network whose site is away. */
const GATEWAY_STATUSES: ReadonlySet<number> = new Set([502, 503, 504, 520, 521, 522, 523, 524, 525, 526, 527]);

/** The counts of a crawl as they are kept; what is active or stored stands in columns of its own. */
export const Tally = z.object({
  discovered: z.number(),
  failed: z.number(),
  skipped: z.record(z.enum(SKIP_REASONS), z.number()),
  credits: z.number(),
  /** Crawls that began before a model had a part in them have none. */
  made: z.number().default(0),
  anchor: z.string().nullable(),
  tiers: z.partialRecord(z.enum(SERVED_TIERS), z.number()),
  /** Visits in a row that came to nothing because of the host, by host; a host without any is not there. */
  silent: z.record(z.string(), z.number()),
  /** Twins of stored pages that brought new addresses: those that were taken in, and those that were not. */
  twins: z.object({ followed: z.number(), unfollowed: z.number() }).default({ followed: 0, unfollowed: 0 }),
  /** Links that were left out because the pattern of their path had no room, and the first such pattern. */
  beyond: z.object({ links: z.number(), pattern: z.string().nullable() }).default({ links: 0, pattern: null }),
  /** Whether some page was claimed by several members that died: such pages are visited alone. */
  hasSuspects: z.boolean().default(false),
});

export type Tally = z.output<typeof Tally>;

export const EMPTY_TALLY: Tally = {
  discovered: 0,
  failed: 0,
  skipped: countsOf([]),
  credits: 0,
  made: 0,
  anchor: null,
  tiers: {},
  silent: {},
  twins: { followed: 0, unfollowed: 0 },
  beyond: { links: 0, pattern: null },
  hasSuspects: false,
};

/** An address that came to be known, or that was known as too deep and is not. */
export type Added = Spread<{ readonly skip: SkipReason | null; readonly wasTooDeep: boolean }>;

/** The tally after some pages ended and some addresses were discovered. */
export function addTo(tally: Tally, ends: readonly End[], found: readonly Added[]): Tally {
  const stored = ends.map(({ fate }) => fate).filter((fate) => fate.kind === 'stored');
  const skipped = [
    ...ends.map(({ fate }) => (fate.kind === 'skipped' ? fate.reason : null)),
    ...found.map(({ skip }) => skip),
  ].filter((reason) => reason !== null);
  const more = countsOf(skipped);
  const leftOut = toCounts((reason) => ends.reduce((sum, end) => sum + (end.leftOut[reason] ?? 0), 0));
  const unnamed = SKIP_REASONS.reduce((sum, reason) => sum + leftOut[reason], 0);
  const raised = found.filter(({ wasTooDeep }) => wasTooDeep).length;
  const tiers = { ...tally.tiers };
  for (const { tier } of stored) tiers[tier] = (tiers[tier] ?? 0) + 1;
  return {
    ...tally,
    discovered: tally.discovered + found.length + unnamed - raised,
    failed: tally.failed + ends.filter(({ fate }) => fate.kind === 'failed').length,
    skipped: toCounts(
      (reason) => tally.skipped[reason] + more[reason] + leftOut[reason] - (reason === 'depth' ? raised : 0),
    ),
    credits: tally.credits + stored.reduce((sum, { credits }) => sum + credits, 0),
    made: tally.made + stored.reduce((sum, { made }) => sum + made, 0),
    anchor: ends.find(({ anchor }) => anchor !== null)?.anchor ?? tally.anchor,
    tiers,
    silent: countSilent(tally.silent, ends),
    beyond: {
      links: tally.beyond.links + found.filter(({ beyond }) => beyond !== undefined).length,
      pattern: tally.beyond.pattern ?? found.find(({ beyond }) => beyond !== undefined)?.beyond ?? null,
    },
  };
}

/** Whether a host is visited no more: so many visits in a row were blocked, refused or left without an answer. */
export function isGivenUp({ silent }: Tally, host: string): boolean {
  return (silent[host] ?? 0) >= MOST_SILENT;
}

/** A tally with what the columns beside it say. */
export function toStanding(
  tally: Tally,
  { stored, active, isFull = false }: { readonly stored: number; readonly active: number; readonly isFull?: boolean },
): Standing {
  const ended = SKIP_REASONS.reduce((sum, reason) => sum + tally.skipped[reason], stored + tally.failed);
  const { unfollowed } = tally.twins;
  return { ...tally, stored, active, pending: tally.discovered - ended, unfollowed, isFull };
}

function countSilent(before: Tally['silent'], ends: readonly End[]): Tally['silent'] {
  const silent = new Map(Object.entries(before));
  for (const { claim, fate } of ends) {
    if (fate.kind === 'failed' && isSilence(fate)) silent.set(claim.host, (silent.get(claim.host) ?? 0) + 1);
    // What robots.txt forbids was not asked for.
    else if (fate.kind !== 'skipped' || fate.reason !== 'robots') silent.delete(claim.host);
  }
  return Object.fromEntries([...silent].slice(-MOST_SILENT_HOSTS));
}

/** Whether a visit says nothing of its page, only that the host, or what stands before it, gives none. */
function isSilence({ statusCode, code }: Failed): boolean {
  return statusCode === null ? SILENCES.has(code) : GATEWAY_STATUSES.has(statusCode);
}

function countsOf(reasons: readonly SkipReason[]): Record<SkipReason, number> {
  return toCounts((reason) => reasons.filter((one) => one === reason).length);
}

function toCounts(count: (reason: SkipReason) => number): Record<SkipReason, number> {
  return {
    robots: count('robots'),
    filter: count('filter'),
    scope: count('scope'),
    depth: count('depth'),
    limit: count('limit'),
    duplicate: count('duplicate'),
    redirect: count('redirect'),
    media: count('media'),
    invalid: count('invalid'),
  };
}
