import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { startService, type ServiceProcess } from '#demo/service.ts';
import { type Job, KEY, fetchResult, submitCrawl, waitForJob } from '../crawl-job.ts';
import { watchFootprint } from './footprint.ts';
import { printLine } from '#bench/command-line.ts';
import { computeTimeoutMs, type CrawlReading } from './program.ts';
import type { World } from './world.ts';

const MAX_PAGES = 1_000_000;
/** Limit of printed URLs. */
const MAX_SHOWN = 10;

const ResultPage = z.looseObject({ url: z.string(), final_url: z.string() });

/** The result of a crawl: for each URL the hashes of its outputs, one per occurrence. */
export type CrawlOutput = {
  readonly pages: ReadonlyMap<string, readonly string[]>;
  readonly credits: number;
};

export type QuernReading = CrawlReading & {
  readonly crawled: CrawlOutput;
  /** Samples of resident memory in MiB, and size of the data folder at the end in bytes. */
  readonly rssMb: readonly number[];
  readonly storeBytes: number;
};

/** Data folder of the service, and folder for CPU profiles (null for none). */
export type ServiceFolders = { readonly folder: string; readonly profile: string | null };

/** Crawls the whole site through the API of a new service with an empty data folder. */
export async function crawlWithQuern(
  world: World,
  place: ServiceFolders,
  { pacing = 'none', outputs = DEFAULT_CRAWL_OUTPUTS }: CrawlChoice = {},
): Promise<QuernReading> {
  const service = await startQuern(world, place);
  try {
    const watching = watchFootprint(service.pid);
    const began = performance.now();
    const id = await submitWorld(service, world, { pacing, outputs });
    const job = await waitForJob(service, id, computeTimeoutMs(world));
    const seconds = (performance.now() - began) / 1000;
    const used = watching.end();
    const storeBytes = measureFolderBytes(place.folder);
    const crawled = await readOutput(service, job, outputs);
    return { pages: crawled.pages.size, seconds, ...used, crawled, storeBytes };
  } finally {
    await service.close();
  }
}

/** Without delay between pages, or with the default politeness. */
export type Pacing = 'none' | 'polite';

/** How the site is crawled, and what is requested of each page. */
export type CrawlChoice = { readonly pacing?: Pacing; readonly outputs?: readonly string[] };

const DEFAULT_CRAWL_OUTPUTS: readonly string[] = ['markdown', 'links', 'metadata'];

export async function startQuern(world: World, { folder, profile }: ServiceFolders): Promise<ServiceProcess> {
  mkdirSync(folder, { recursive: true });
  return startService({
    dataDir: folder,
    settings: {
      QUERN_ALLOW_TARGETS: new URL(world.origin).host,
      QUERN_BOOTSTRAP_KEY: KEY,
      QUERN_LOG_LEVEL: 'warn',
      QUERN_CHROMIUM: 'off',
      NODE_ENV: 'production',
      ...(profile === null ? {} : { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profile}` }),
    },
  });
}

/** Submits a crawl of the whole site; returns the job id. */
export async function submitWorld(
  service: ServiceProcess,
  world: World,
  { pacing = 'none', outputs = DEFAULT_CRAWL_OUTPUTS }: CrawlChoice = {},
): Promise<string> {
  return submitCrawl(service, {
    url: `${world.origin}/`,
    max_pages: MAX_PAGES,
    max_per_pattern: MAX_PAGES,
    output: outputs,
    ...(pacing === 'none' ? { delay_ms: 0 } : {}),
  });
}

/** Reads the result line by line. */
export async function readOutput(
  service: ServiceProcess,
  { id, usage }: Job,
  outputs: readonly string[] = DEFAULT_CRAWL_OUTPUTS,
): Promise<CrawlOutput> {
  const result = await fetchResult(service, id, 'jsonl');
  const pages = new Map<string, string[]>();
  for await (const line of createInterface({ input: result })) {
    const { final_url: url, ...page } = ResultPage.parse(JSON.parse(line));
    const hash = createHash('sha256')
      .update(JSON.stringify(outputs.map((name) => page[name])))
      .digest('hex');
    const address = removeQuery(url);
    pages.set(address, [...(pages.get(address) ?? []), hash]);
  }
  return { pages, credits: usage?.credits ?? 0 };
}

/** Prints how a result differs from the site; returns whether it has every page exactly once. */
export function checkOutput(world: World, { pages, credits }: CrawlOutput): boolean {
  const known = new Set(world.urls);
  const missing = world.urls.filter((url) => !pages.has(url));
  const twice = world.urls.filter((url) => (pages.get(url)?.length ?? 0) > 1);
  const others = [...pages.keys()].filter((url) => !known.has(url));
  const found = world.urls.length - missing.length;
  printLine(
    `pages ${found} of ${world.urls.length}, ${twice.length} twice, ${others.length} others, ${credits} credits`,
  );
  for (const url of [...missing, ...twice, ...others].slice(0, MAX_SHOWN)) printLine(`  wrong: ${url}`);
  return missing.length + twice.length + others.length === 0;
}

function removeQuery(url: string): string {
  return url.split(/[?#]/, 1)[0] ?? '';
}

/** Files that the service deletes meanwhile count as empty. */
function measureFolderBytes(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce(
      (sum, { parentPath, name }) => sum + (statSync(join(parentPath, name), { throwIfNoEntry: false })?.size ?? 0),
      0,
    );
}
