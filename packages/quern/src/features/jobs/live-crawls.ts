import { type CrawlState, PageList } from '#features/crawl/frontier/page-list.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Db } from '#store/db.ts';
import type { FoundView, JobViews } from './job-view.ts';

const MINUTE_MS = 60_000;
/** Readings are that far apart at least, so that a rate is not that of one commit. */
const MIN_MS = 2000;
/** Crawls whose rates are known at once; the one that was looked at first is forgotten. */
const MAX_CRAWLS = 1000;

/** A reading of the pages that have ended. */
type RateReading = { readonly at: number; readonly ended: number };

/** Looks at jobs as their followers see them: a crawl that runs with its rate and its latest pages. */
export function buildLiveCrawls({
  db,
  clock,
  views,
}: {
  readonly db: Db;
  readonly clock: Clock;
  readonly views: JobViews;
}) {
  const pages = new PageList(db);
  const readings = new Map<string, readonly RateReading[]>();

  /** Pages a minute, from the readings of the last one. */
  function rateOf(id: string, ended: number): number | null {
    const at = clock.monotonic();
    const kept = (readings.get(id) ?? []).filter((one) => one.at > at - MINUTE_MS);
    const last = kept.at(-1);
    const all = last === undefined || at - last.at >= MIN_MS ? [...kept, { at, ended }] : kept;
    readings.delete(id);
    readings.set(id, all);
    const [oldest] = readings.keys();
    if (readings.size > MAX_CRAWLS && oldest !== undefined) readings.delete(oldest);
    const [first] = all;
    if (first === undefined || at - first.at < MIN_MS) return null;
    return ((ended - first.ended) * MINUTE_MS) / (at - first.at);
  }

  return {
    async find(tenant: string, id: string): Promise<FoundView> {
      const found = await views.find(tenant, id);
      const { record } = found;
      if (record.kind !== 'crawl' || record.status !== 'running') {
        readings.delete(id);
        return found;
      }
      const state = await pages.state(id);
      if (state === null) return found;
      const { completed, failed, pending = 0 } = record.progress;
      const rate = rateOf(id, completed + failed);
      const live = {
        pages_per_minute: rate === null ? null : Math.round(rate * 10) / 10,
        eta_seconds: secondsFor(leftOf(state, { completed, pending }), rate),
        latest: state.latest,
      };
      return { ...found, record: { ...record, live } };
    },
  };
}

function leftOf(
  { maxPages }: CrawlState,
  { completed, pending }: { readonly completed: number; readonly pending: number },
) {
  return Math.max(0, Math.min(pending, maxPages - completed));
}

function secondsFor(pages: number, rate: number | null): number | null {
  return rate === null || rate <= 0 ? null : Math.ceil((pages / rate) * 60);
}
