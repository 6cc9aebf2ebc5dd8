import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { request } from 'undici';
import { z } from 'zod';
import { openService } from '#demo/service.ts';
import type { Service } from '#demo/service.ts';
import { watch } from './footprint.ts';
import { say } from './printing.ts';
import { mostMsOf } from './program.ts';
import type { Reading } from './program.ts';
import type { World } from './world.ts';

const KEY = `qk_${'mill'.repeat(8)}`;
const HEADERS = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
const MOST_PAGES = 1_000_000;
const WAIT_MS = 30_000;
const CALL_MS = 60_000;
/** Of what is wrong with a result, so many addresses are printed. */
const SHOWN = 10;

const Job = z.object({
  id: z.string(),
  status: z.string(),
  progress: z.object({ completed: z.int() }),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  usage: z.object({ credits: z.int() }).nullable(),
});
type Job = z.output<typeof Job>;

const Page = z.object({ url: z.string(), final_url: z.string(), markdown: z.string() });

/** What a crawl has given back: for the address of each page the hashes of its Markdown, one for each time it is there. */
export type Crawled = {
  readonly pages: ReadonlyMap<string, readonly string[]>;
  readonly credits: number;
};

export type QuernReading = Reading & {
  readonly crawled: Crawled;
  /** Resident memory along the way, MiB, and bytes of the data folder at the end. */
  readonly rssMb: readonly number[];
  readonly storeBytes: number;
};

/** How the service is started: its data folder, and a folder for CPU profiles of all its threads. */
export type Place = { readonly folder: string; readonly profile: string | null };

/** A crawl of the whole world as a user asks for it, with a new service on a folder that is empty. */
export async function runQuern(world: World, place: Place, pacing: Pacing = 'none'): Promise<QuernReading> {
  const service = await startQuern(world, place);
  try {
    const watching = watch(service.pid);
    const began = performance.now();
    const id = await submitCrawl(service, world, pacing);
    const job = await untilEnded(service, id, world);
    const seconds = (performance.now() - began) / 1000;
    const used = watching.end();
    const storeBytes = bytesBelow(place.folder);
    const crawled = await readCrawled(service, job);
    return { pages: crawled.pages.size, seconds, ...used, crawled, storeBytes };
  } finally {
    await service.close();
  }
}

/** Whether pages are asked for as fast as they come, or as politely as without a word about it. */
export type Pacing = 'none' | 'polite';

export async function startQuern(world: World, { folder, profile }: Place): Promise<Service> {
  mkdirSync(folder, { recursive: true });
  return openService({
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

/** Answers the id of the job. */
export async function submitCrawl(service: Service, world: World, pacing: Pacing): Promise<string> {
  const answer = await request(`${service.origin}/v1/crawl`, {
    method: 'POST',
    headers: HEADERS,
    body: JSON.stringify({
      url: `${world.origin}/`,
      max_pages: MOST_PAGES,
      max_per_pattern: MOST_PAGES,
      output: ['markdown', 'links', 'metadata'],
      ...(pacing === 'none' ? { delay_ms: 0 } : {}),
    }),
    signal: AbortSignal.timeout(CALL_MS),
  });
  if (answer.statusCode !== 202) {
    throw new Error(`the crawl was answered ${answer.statusCode}: ${await answer.body.text()}`);
  }
  return Job.parse(await answer.body.json()).id;
}

/** Asks for the job until it has ended; throws unless it has completed, and when it takes far too long. */
export async function untilEnded(service: Service, id: string, world: World): Promise<Job> {
  const until = performance.now() + mostMsOf(world);
  while (performance.now() < until) {
    const job = await showJob(service, id, WAIT_MS);
    if (job.status === 'completed') return job;
    if (job.status !== 'queued' && job.status !== 'running') {
      throw new Error(`the crawl ended as ${job.status}: ${job.error?.code ?? ''} ${job.error?.message ?? ''}`);
    }
  }
  throw new Error('the crawl does not end');
}

export async function showJob(service: Service, id: string, waitMs: number): Promise<Job> {
  const answer = await request(`${service.origin}/v1/jobs/${id}?wait_ms=${waitMs}`, {
    headers: HEADERS,
    signal: AbortSignal.timeout(CALL_MS),
  });
  if (answer.statusCode !== 200) throw new Error(`the job was answered ${answer.statusCode}`);
  return Job.parse(await answer.body.json());
}

/** Reads the whole result, line by line. */
export async function readCrawled(service: Service, { id, usage }: Job): Promise<Crawled> {
  const answer = await request(`${service.origin}/v1/jobs/${id}/result?format=jsonl`, { headers: HEADERS });
  if (answer.statusCode !== 200) throw new Error(`the result was answered ${answer.statusCode}`);
  const pages = new Map<string, string[]>();
  for await (const line of createInterface({ input: answer.body })) {
    const { final_url: url, markdown } = Page.parse(JSON.parse(line));
    const hash = createHash('sha256').update(markdown).digest('hex');
    const address = withoutQuery(url);
    pages.set(address, [...(pages.get(address) ?? []), hash]);
  }
  return { pages, credits: usage?.credits ?? 0 };
}

/** Prints how a result differs from the truth; whether every page of the world is there, once. */
export function checkCrawled(world: World, { pages, credits }: Crawled): boolean {
  const known = new Set(world.urls);
  const missing = world.urls.filter((url) => !pages.has(url));
  const twice = world.urls.filter((url) => (pages.get(url)?.length ?? 0) > 1);
  const others = [...pages.keys()].filter((url) => !known.has(url));
  const found = world.urls.length - missing.length;
  say(`pages ${found} of ${world.urls.length}, ${twice.length} twice, ${others.length} others, ${credits} credits`);
  for (const url of [...missing, ...twice, ...others].slice(0, SHOWN)) say(`  wrong: ${url}`);
  return missing.length + twice.length + others.length === 0;
}

function withoutQuery(url: string): string {
  return url.split(/[?#]/, 1)[0] ?? '';
}

/** A file that the service removes meanwhile counts nothing. */
function bytesBelow(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce(
      (sum, { parentPath, name }) => sum + (statSync(join(parentPath, name), { throwIfNoEntry: false })?.size ?? 0),
      0,
    );
}
