import { setTimeout as sleep } from 'node:timers/promises';
import type { Price } from '#engine/prices.ts';
import { crawlOn } from './crawler.ts';
import type { Finish } from './crawler.ts';
import type { Standing, Trouble } from './frontier.ts';
import { buildMapping } from './mapping.ts';
import type { MapCall, MapEnd, MapOrder } from './mapping.ts';
import type { CrawlOrder } from './order.ts';
import { buildWalking, MOST_AT_ONCE, MOST_ERRORS, refuseEmpty, untilTime, WALK_STOPS } from './walking.ts';
import type { WalkCall, WalkingParts } from './walking.ts';

/** Why a crawl ended. */
export const STOP_REASONS = ['exhausted', 'max_pages', 'answer_full', ...WALK_STOPS] as const;

export type StopReason = (typeof STOP_REASONS)[number];

/** What a crawl came to; `elements` are those that are not kept elsewhere already. */
export type CrawlEnd = {
  readonly standing: Standing;
  readonly stopReason: StopReason;
  /** Where the seed left its own site for, null when it did not. */
  readonly leftTo: string | null;
  /** Whether a job holds the pages and their charges already. */
  readonly isStored: boolean;
  readonly elements: readonly unknown[];
  readonly errors: readonly Trouble[];
};

/** Sitemaps are read no further while so many pages wait for each that may be stored, and so many more. */
const QUEUED_PER_PAGE = 4;
const MOST_QUEUED = 1000;
const LOOK_MS = 250;

export type Crawling = ReturnType<typeof buildCrawling>;

export function buildCrawling(parts: WalkingParts) {
  const { open, close } = buildWalking(parts);
  const mapping = buildMapping({ ...parts, open, close });

  return {
    map: async (order: MapOrder, call: MapCall): Promise<MapEnd> => mapping.run(order, call),

    /** Crawls until there is nothing more to do; throws what the seed failed with when nothing came of it. */
    async run(order: CrawlOrder, call: WalkCall & { readonly price: Price }): Promise<CrawlEnd> {
      const { price, admission, role, signal, closing } = call;
      const terms = { price, maxPages: order.maxPages, maxCredits: admission.maxCredits, keeps: true };
      if (closing !== null) {
        const held = await close(order, call, terms);
        const [standing, errors] = [await held.standing(), await held.troubles(MOST_ERRORS)];
        return { standing, errors, stopReason: closing, leftTo: null, isStored: true, elements: [] };
      }
      const { frontier, memory, discovery, visit, paceOf, filesOf } = await open(order, call, terms);
      const readsFiles = order.discovers && order.sitemap !== 'skip' && order.maxDepth !== 0;
      const files = filesOf(readsFiles ? ['robots', 'sitemap'] : [], async (found, stop) => {
        const most = order.maxPages * QUEUED_PER_PAGE + MOST_QUEUED;
        let { pending } = await frontier.add(found);
        while (pending > most) {
          await sleep(LOOK_MS, null, { signal: stop });
          ({ pending } = await frontier.standing());
        }
        return true;
      });
      const feed = files === null ? null : files.feed;
      const finish = await untilTime(
        crawlOn({ frontier, feed, visit, paceOf, mostAtOnce: MOST_AT_ONCE, role }, signal),
        signal,
      );
      const standing = await frontier.standing();
      const errors = await frontier.troubles(MOST_ERRORS);
      if (role === 'owner') refuseEmpty(finish, standing, errors);
      return {
        standing,
        stopReason: toStopReason(finish, standing),
        leftTo: discovery.isAstray() ? standing.anchor : null,
        isStored: memory === null,
        elements: memory?.elements() ?? [],
        errors,
      };
    },
  };
}

function toStopReason(finish: Finish | 'timeout', { stored, skipped }: Standing): StopReason {
  if (finish !== 'nothing') return finish;
  if (stored === 0 && skipped.robots > 0) return 'robots';
  return skipped.depth > 0 ? 'max_depth' : 'exhausted';
}
