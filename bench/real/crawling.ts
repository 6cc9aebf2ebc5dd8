import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { json } from 'node:stream/consumers';
import { z } from 'zod';
import { openService } from '#demo/service.ts';
import { KEY, openResult, submitCrawl, untilEnded } from '../crawl-job.ts';

const MAX_MS = 1_800_000;

const Page = z.object({
  final_url: z.string(),
  markdown: z.string(),
  metadata: z.object({ title: z.string().nullable(), published_date: z.string().nullable() }),
  tier: z.string(),
});
export type Page = z.output<typeof Page>;

/** A result without its pages, of which this form holds the first alone. */
const Head = z.object({
  complete: z.boolean(),
  stop_reason: z.string(),
  errors: z.array(z.object({ url: z.string(), code: z.string() }).loose()),
  skipped: z.record(z.string(), z.int()),
  stats: z.object({ discovered: z.int() }).loose(),
});

/** What a crawl of one site brought. */
export type Crawled = z.output<typeof Head> & {
  readonly pages: readonly Page[];
  readonly seconds: number;
  readonly credits: number;
};

/** How a site is crawled: its address, and as many pages as it may bring. */
export type Ordered = { readonly url: string; readonly most: number };

/** Crawls a site with a new service of its own, with the defaults of everything but the number of pages. */
export async function crawlSite({ url, most }: Ordered, cache: string): Promise<Crawled> {
  const below = join(cache, 'services');
  mkdirSync(below, { recursive: true });
  const dataDir = mkdtempSync(join(below, 'data-'));
  const service = await openService({
    dataDir,
    settings: {
      QUERN_ALLOW_TARGETS: new URL(url).host,
      QUERN_BOOTSTRAP_KEY: KEY,
      QUERN_LOG_LEVEL: 'warn',
      NODE_ENV: 'production',
    },
  });
  try {
    const began = performance.now();
    const id = await submitCrawl(service, { url, max_pages: most });
    const { usage } = await untilEnded(service, id, MAX_MS);
    const seconds = (performance.now() - began) / 1000;
    const head = Head.parse(await json(await openResult(service, id, 'json')));
    const pages: Page[] = [];
    for await (const line of createInterface({ input: await openResult(service, id, 'jsonl') })) {
      pages.push(Page.parse(JSON.parse(line)));
    }
    return { ...head, pages, seconds, credits: usage?.credits ?? 0 };
  } finally {
    await service.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
