import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import { z } from 'zod';
import { listAssets } from './assets.ts';
import { writePage } from './page.ts';
import { buildArray } from './prose.ts';
import { listRedirects, listSiteFiles, writeRobots } from './site-files.ts';
import { planWorld, type WorldOptions } from './site.ts';

const GZIP_OPTIONS = { level: 6 };
const PACKED_TYPES = /\.(?:css|js)$/;

/** A range of pages for one thread. */
export const WriteOrder = z.object({
  folder: z.string(),
  options: z.object({ pages: z.int(), seed: z.int(), origin: z.string() }),
  from: z.int(),
  to: z.int(),
});
export type WriteOrder = z.output<typeof WriteOrder>;

/** Facts about a generated site. */
export type WorldTruth = WorldOptions & {
  /** Total size of the HTML. */
  readonly bytes: number;
  /** Number of pages that a complete crawl reaches and that return success. */
  readonly reachable_ok: number;
};

/**
 * Writes a synthetic site into a folder: `site` with the files of the server, each text also compressed; `redirects.map` for the
 * server; `urls.txt` with the URL of every page. The same options give the same bytes.
 */
export async function writeWorld(options: WorldOptions, folder: string): Promise<WorldTruth> {
  const site = planWorld(options);
  const root = join(folder, 'site');
  for (const [path, body] of listAssets())
    writeWorldFile(root, path, body, PACKED_TYPES.test(path) ? 'packed too' : 'as it is');
  writeWorldFile(root, '/robots.txt', Buffer.from(writeRobots(site)), 'as it is');
  for (const [path, body] of listSiteFiles(site)) writeWorldFile(root, path, Buffer.from(body), 'packed too');
  const moved = listRedirects(site).map(([from, to]) => `${from} ${to};\n`);
  writeFileSync(join(folder, 'redirects.map'), moved.join(''));
  const ids = buildArray(options.pages, (id) => id);
  writeFileSync(join(folder, 'urls.txt'), ids.map((id) => `${site.origin}${site.getPath(id)}\n`).join(''));
  const threads = availableParallelism();
  const edge = (thread: number): number => Math.floor((options.pages * thread) / threads);
  const runs = buildArray(threads, (at) => ({ folder, options, from: edge(at), to: edge(at + 1) }));
  const bytes = (await Promise.all(runs.map(startWorker))).reduce((sum, one) => sum + one, 0);
  return { ...options, bytes, reachable_ok: ids.filter((id) => !site.isFailing(id)).length };
}

/** Writes a range of pages and their print versions; returns the size of the HTML in bytes. */
export function writePages({ folder, options, from, to }: WriteOrder): number {
  const site = planWorld(options);
  const root = join(folder, 'site');
  let bytes = 0;
  for (let id = from; id < to; id += 1) {
    const body = Buffer.from(writePage(site, id, 'whole'));
    bytes += body.length;
    writeWorldFile(root, id === 0 ? '/index.html' : site.getPath(id), body, 'packed too');
    if (site.hasPrintCopy(id))
      writeWorldFile(root, `/print/${id}`, Buffer.from(writePage(site, id, 'print')), 'packed too');
  }
  return bytes;
}

async function startWorker(run: WriteOrder): Promise<number> {
  const worker = new Worker(new URL('./pages.worker.ts', import.meta.url), { workerData: run });
  const [bytes] = z.tuple([z.int()]).parse(await once(worker, 'message'));
  return bytes;
}

function writeWorldFile(root: string, path: string, body: Buffer, form: 'packed too' | 'as it is'): void {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, body);
  if (form === 'packed too') writeFileSync(`${file}.gz`, gzipSync(body, GZIP_OPTIONS));
}
