import assert from 'node:assert/strict';
import { z } from 'zod';
import { SITE } from '../../engine/gate.ts';

/** The response of a crawl in a form for tests. */
export const Crawled = z.looseObject({
  complete: z.boolean(),
  stop_reason: z.string(),
  pages: z.array(
    z.looseObject({
      url: z.string(),
      final_url: z.string(),
      depth: z.number(),
      parent_url: z.string().nullable(),
      credits: z.number(),
    }),
  ),
  errors: z.array(z.looseObject({ url: z.string(), code: z.string(), status_code: z.number().optional() })),
  skipped: z.record(z.string(), z.number()),
  stats: z.looseObject({
    discovered: z.number(),
    fetched: z.number(),
    failed: z.number(),
    skipped: z.number(),
    pending: z.number(),
  }),
  warnings: z.array(z.looseObject({ code: z.string(), message: z.string() })),
  usage: z.looseObject({ credits: z.number(), tiers: z.record(z.string(), z.number()) }),
});

export type Crawled = z.output<typeof Crawled>;

/** The paths of the stored pages, sorted. */
export function listStoredPaths({ pages }: Pick<Crawled, 'pages'>): readonly string[] {
  return pages.map(({ url }) => url.slice(SITE.length - 1)).toSorted();
}

/** Checks that each discovered URL has an outcome, and that stored pages equal charged pages. */
export function checkSum({ stats, skipped, pages, usage }: Crawled): void {
  const left = Object.values(skipped).reduce((sum, n) => sum + n, 0);
  assert.equal(stats.skipped, left);
  assert.equal(stats.discovered, stats.fetched + stats.failed + left + stats.pending);
  assert.equal(stats.fetched, pages.length);
  assert.equal(
    usage.credits,
    pages.reduce((sum, { credits }) => sum + credits, 0),
  );
}
