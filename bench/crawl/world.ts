import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { writeWorld } from '../world/write.ts';

const SEED = 1;
const WORLD_SOURCES = join(import.meta.dirname, '../world');
/** What a page takes on the disk, packed and unpacked, with room to spare. */
const BYTES_PER_PAGE = 150_000;

const StoredWorld = z.object({
  /** Of the files that write worlds: another version writes others. */
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
  /** Bytes of the HTML of its pages. */
  readonly bytes: number;
  /** Addresses of the pages that a whole crawl from the start reaches and that answer with success. */
  readonly urls: readonly string[];
};

/** The world of so many pages as files for `http://127.0.0.1:port`, from the cache below the system's temporary folder. */
export async function prepareWorld(pages: number, port: number): Promise<World> {
  const origin = `http://127.0.0.1:${port}`;
  const folder = join(tmpdir(), 'quern-worlds', `${pages}-${port}`);
  const kept = readStoredWorld(folder);
  const isFresh = kept?.sources === hashSources() && kept.seed === SEED;
  const { bytes, reachable_ok: reachable } = isFresh ? kept : await createWorld(folder, { pages, seed: SEED, origin });
  const urls = readFileSync(join(folder, 'urls.txt'), 'utf8')
    .split('\n')
    .filter((url) => url !== '' && !new URL(url).pathname.startsWith('/fails/'));
  if (urls.length !== reachable) throw new Error(`${folder} contradicts itself: remove it`);
  return { folder, origin, bytes, urls };
}

async function createWorld(folder: string, options: Parameters<typeof writeWorld>[0]): Promise<StoredWorld> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  assertDiskSpace(folder, options.pages);
  process.stderr.write(`writing a world of ${options.pages} pages to ${folder} …\n`);
  const made = { sources: hashSources(), ...(await writeWorld(options, folder)) };
  // Last, so that a world which is only half there is never taken for one.
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
  throw new Error(`a world of ${pages} pages needs ${Math.ceil(needed / 1e9)} GB in ${tmpdir()}, and there is less`);
}
