import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { writeWorld } from '../world/write.ts';

const SEED = 1;
const WORLD_SOURCES = join(import.meta.dirname, '../world');
/** Disk space per page, compressed and uncompressed, with a margin. */
const BYTES_PER_PAGE = 150_000;

const StoredWorld = z.object({
  /** Hash of the generator sources: another version generates another site. */
  sources: z.string(),
  pages: z.int(),
  seed: z.int(),
  origin: z.string(),
  bytes: z.int(),
  reachable_ok: z.int(),
});
type StoredWorld = z.output<typeof StoredWorld>;

export type World = {
  readonly folder: string;
  readonly origin: string;
  /** Total size of the HTML. */
  readonly bytes: number;
  /** URLs of the pages that a complete crawl reaches and that return success. */
  readonly urls: readonly string[];
};

/** Returns the synthetic site with this many pages for `http://127.0.0.1:port`, cached below the temporary folder. */
export async function prepareWorld(pages: number, port: number): Promise<World> {
  const origin = `http://127.0.0.1:${port}`;
  const folder = join(tmpdir(), 'quern-worlds', `${pages}-${port}`);
  const kept = readStoredWorld(folder);
  const isFresh = kept?.sources === hashSources() && kept.seed === SEED;
  const { bytes, reachable_ok: reachable } = isFresh ? kept : await createWorld(folder, { pages, seed: SEED, origin });
  const urls = readFileSync(join(folder, 'urls.txt'), 'utf8')
    .split('\n')
    .filter((url) => url !== '' && !new URL(url).pathname.startsWith('/fails/'));
  if (urls.length !== reachable) throw new Error(`${folder} is inconsistent: remove it`);
  return { folder, origin, bytes, urls };
}

async function createWorld(folder: string, options: Parameters<typeof writeWorld>[0]): Promise<StoredWorld> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  assertDiskSpace(folder, options.pages);
  process.stderr.write(`writing a world of ${options.pages} pages to ${folder} …\n`);
  const made = { sources: hashSources(), ...(await writeWorld(options, folder)) };
  // Written last, so that an incomplete site is never used.
  writeFileSync(getTruthFile(folder), JSON.stringify(made));
  return made;
}

function readStoredWorld(folder: string): StoredWorld | null {
  const file = getTruthFile(folder);
  if (!existsSync(file)) return null;
  return StoredWorld.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data ?? null;
}

function getTruthFile(folder: string): string {
  return join(folder, 'truth.json');
}

function hashSources(): string {
  const hash = createHash('sha256');
  for (const file of readdirSync(WORLD_SOURCES).toSorted()) hash.update(readFileSync(join(WORLD_SOURCES, file)));
  return hash.digest('hex');
}

function assertDiskSpace(folder: string, pages: number): void {
  const { bavail, bsize } = statfsSync(folder);
  const needed = pages * BYTES_PER_PAGE;
  if (bavail * bsize >= needed) return;
  throw new Error(`a site of ${pages} pages needs ${Math.ceil(needed / 1e9)} GB in ${tmpdir()}, but less is available`);
}
