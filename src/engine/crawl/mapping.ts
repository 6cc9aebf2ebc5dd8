import type { Robots } from '#access/robots.ts';
import type { Closing } from '#engine/job-leases.ts';
import type { Price } from '#engine/prices.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { ClosedFrontier } from './closing.ts';
import { crawlOn } from './crawler.ts';
import type { CrawlerParts, Finish } from './crawler.ts';
import type { Found, Layer, Listed, Standing, Trouble } from './frontier.ts';
import type { CrawlOrder } from './order.ts';
import { listedOf, mapFrontier } from './map-frontier.ts';
import { buildPurse } from './purse.ts';
import { allows } from './robots-gate.ts';
import type { RobotsGate } from './robots-gate.ts';
import { FILE_SOURCES } from './site-files.ts';
import type { FileCounts, FileSource } from './site-files.ts';
import { MOST_AT_ONCE, MOST_ERRORS, refuseEmpty, untilTime, WALK_STOPS } from './walking.ts';
import type { WalkCall, Walking } from './walking.ts';

/** Where a map looks for addresses. */
export const MAP_SOURCES = [...FILE_SOURCES, 'links'] as const;

export type MapSource = (typeof MAP_SOURCES)[number];

/** Why a map ended. */
export const MAP_STOP_REASONS = ['exhausted', 'max_urls', 'answer_full', ...WALK_STOPS] as const;

export type MapStopReason = (typeof MAP_STOP_REASONS)[number];

/** What a map is to do; plain data. */
export type MapOrder = Pick<
  CrawlOrder,
  'mostPerPattern' | 'scope' | 'include' | 'exclude' | 'respectRobots' | 'delayMs'
> & {
  readonly url: string;
  readonly maxUrls: number;
  /** Of links; what files name is found whatever it is. */
  readonly maxDepth: number;
  readonly sources: readonly MapSource[];
  /** Whether links are asked how they call what they lead to. */
  readonly wantsTitles: boolean;
  /** Whether more are gathered than are answered, to choose from. */
  readonly gathers: boolean;
};

export type MapCall = WalkCall & {
  /** Of one address, and of the visit of a page. */
  readonly prices: { readonly address: number; readonly visit: Price };
};

/** What a map came to. */
export type MapEnd = {
  /** What was found, in the order of discovery; of more than is paid for only what there is to choose from. */
  readonly listed: readonly Listed[];
  /** Addresses that are paid for. */
  readonly paid: number;
  readonly total: number;
  readonly stopReason: MapStopReason;
  /** Where the seed left its own site for, null when it did not. */
  readonly leftTo: string | null;
  /** Whether nothing in reach can have been left out. */
  readonly isComplete: boolean;
  readonly standing: Standing;
  /** Credits of the visits that are in the ledger already. */
  readonly charged: number;
  readonly layers: readonly Layer[];
  readonly files: Readonly<Record<FileSource, FileCounts>> | null;
  readonly errors: readonly Trouble[];
};

/** Addresses that a search chooses from at most, where fewer are asked for. */
const MOST_GATHERED = 10_000;

export function buildMapping(parts: {
  readonly open: Walking['open'];
  readonly close: Walking['close'];
  readonly robots: RobotsGate;
}) {
  const { open, close, robots } = parts;

  /** The links of a page as a map takes them: what robots.txt forbids is left out, and the deepest are only listed. */
  async function linksFor(order: MapOrder, { url, host, signal }: Place, links: readonly Found[]) {
    const rules = order.respectRobots ? await rulesOf(url, signal) : null;
    return links.map((link): Found => {
      const isForbidden = rules !== null && link.host === host && !allows(rules, link.url);
      if (link.skip === null && isForbidden) return { ...link, skip: 'robots' };
      return { ...link, rests: link.depth >= order.maxDepth };
    });
  }

  /** Null where the host does not answer: that is the failure of its own pages, which nobody then visits. */
  async function rulesOf(url: string, signal: AbortSignal): Promise<Robots | null> {
    return robots.of(new URL(url).origin, signal).catch((error: unknown) => {
      signal.throwIfAborted();
      if (!(error instanceof ServiceError)) throw error;
      return null;
    });
  }

  return {
    /** Finds the addresses of a site; throws what its seed failed with when nothing came of it. */
    async run(order: MapOrder, call: MapCall): Promise<MapEnd> {
      const { prices, admission, role, signal, jobId, closing } = call;
      const { maxCredits } = admission;
      const terms = { price: prices.visit, maxPages: Number.MAX_SAFE_INTEGER, maxCredits, keeps: false };
      if (closing !== null) {
        return closed(order, { each: prices.address, closing }, await close(toCrawlOrder(order), call, terms));
      }
      const { frontier, discovery, visit, paceOf, filesOf, cheapest } = await open(toCrawlOrder(order), call, terms);
      const most = order.gathers ? Math.max(order.maxUrls, MOST_GATHERED) : order.maxUrls;
      const files = filesOf(
        FILE_SOURCES.filter((source) => order.sources.includes(source)),
        async (found) =>
          listedOf(await frontier.add(found.map((one) => ({ ...one, rests: rests(order, one) })))) < most,
      );
      const purse = role === 'owner' ? buildPurse({ frontier, each: prices.address }) : null;
      const own = mapFrontier({
        frontier,
        maxUrls: order.maxUrls,
        followsTo: followsTo(order),
        most,
        purse,
        maxCredits,
        prices: { address: prices.address, cheapest },
        files,
      });
      const walk: CrawlerParts = {
        frontier: own.frontier,
        feed: own.feed,
        paceOf,
        mostAtOnce: MOST_AT_ONCE,
        role,
        async visit(claim, stop) {
          const visited = await visit(claim, stop);
          const { end } = visited;
          if (!order.sources.includes('links')) return { ...visited, end: { ...end, links: [], leftOut: {} } };
          return { ...visited, end: { ...end, links: await linksFor(order, { ...claim, signal: stop }, end.links) } };
        },
      };
      const finish = await untilTime(crawlOn(walk, signal), signal);
      const standing = await frontier.standing();
      // The last pages may have brought addresses after the last look at what is known.
      await own.pay(standing);
      const errors = await frontier.troubles(MOST_ERRORS);
      if (role === 'owner') refuseEmpty(finish, standing, errors);
      const layers = await frontier.survey();
      const total = listedOf(standing);
      const paid = Math.min(total, order.maxUrls, purse?.count() ?? 0);
      const stopReason = toStopReason(finish, standing, { layers, maxDepth: order.maxDepth });
      return {
        listed: await frontier.listed(order.gathers ? most : paid),
        paid,
        total,
        stopReason,
        leftTo: discovery.isAstray() ? standing.anchor : null,
        isComplete:
          stopReason === 'exhausted' &&
          standing.beyond.links === 0 &&
          standing.stored > 0 &&
          isWhole(errors, files?.counts() ?? null),
        standing,
        charged: jobId === null ? 0 : standing.credits,
        layers,
        files: files?.counts() ?? null,
        errors,
      };
    },
  };
}

/** What a map that goes on no more has found, as far as that can be paid. */
async function closed(
  order: MapOrder,
  { each, closing }: { readonly each: number; readonly closing: Closing },
  frontier: ClosedFrontier,
): Promise<MapEnd> {
  const standing = await frontier.standing();
  const total = listedOf(standing);
  const purse = buildPurse({ frontier, each });
  await purse.holdFor(Math.min(total, order.maxUrls));
  const paid = purse.count();
  return {
    listed: await frontier.listed(order.gathers ? Math.max(order.maxUrls, MOST_GATHERED) : paid),
    paid,
    total,
    stopReason: closing,
    leftTo: null,
    isComplete: false,
    standing,
    charged: standing.credits,
    layers: await frontier.survey(),
    files: null,
    errors: await frontier.troubles(MOST_ERRORS),
  };
}

type Place = { readonly url: string; readonly host: string; readonly signal: AbortSignal };

/** What sitemaps name is not visited at first; what feeds name is, where links are followed that far. */
function rests(order: MapOrder, { source, depth }: Found): boolean {
  return source !== 'feed' || depth >= followsTo(order);
}

/** The depth at which pages are no longer visited for their links. */
function followsTo({ sources, maxDepth }: MapOrder): number {
  return sources.includes('links') ? maxDepth : 0;
}

function toStopReason(
  finish: Finish | 'timeout',
  { stored, skipped }: Standing,
  { layers, maxDepth }: { readonly layers: readonly Layer[]; readonly maxDepth: number },
): MapStopReason {
  if (finish === 'max_pages') return 'max_urls';
  if (finish !== 'nothing') return finish;
  if (stored === 0 && skipped.robots > 0) return 'robots';
  const isCut = layers.some(({ source, depth, resting }) => source === 'links' && depth >= maxDepth && resting > 0);
  return isCut || skipped.depth > 0 ? 'max_depth' : 'exhausted';
}

/** Whether every page and file that could name more addresses was read; one that is gone names none. */
function isWhole(errors: readonly Trouble[], files: Readonly<Record<FileSource, FileCounts>> | null): boolean {
  const counts = files === null ? [] : Object.values(files);
  return (
    errors.every(({ code }) => code === 'not_found') &&
    counts.every(({ cutShort, errors: failed }) => !cutShort && failed.every(({ code }) => code === 'not_found'))
  );
}

function toCrawlOrder({
  url,
  maxDepth,
  scope,
  include,
  exclude,
  respectRobots,
  delayMs,
  mostPerPattern,
  wantsTitles,
}: MapOrder): CrawlOrder {
  return {
    seeds: [url],
    discovers: true,
    sitemap: 'include',
    maxPages: Number.MAX_SAFE_INTEGER,
    maxDepth,
    scope,
    include,
    exclude,
    respectRobots,
    delayMs,
    mostPerPattern,
    dedupeContent: false,
    archive: false,
    summary: false,
    page: {
      outputs: wantsTitles ? ['links'] : [],
      onlyMainContent: false,
      includeSelectors: [],
      excludeSelectors: [],
      extract: null,
      maxChars: null,
      offsetChars: 0,
      passageChars: null,
      headers: {},
      cookies: [],
      visit: {},
    },
  };
}
