import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';

const SEED = 1;
const GENERATE_MS = 1_800_000;
/** What a page takes on the disk, packed and unpacked, with room to spare. */
const BYTES_A_PAGE = 150_000;

const Truth = z.object({
  pages: z.int(),
  seed: z.int(),
  base: z.string(),
  /** Of the HTML of all pages. */
  bytes: z.int(),
  reachable_ok: z.int(),
});

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
  const kept = readTruth(folder);
  if (kept === null || kept.pages !== pages || kept.seed !== SEED || kept.base !== origin) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    refuseSmallDisk(folder, pages);
    process.stderr.write(`writing a world of ${pages} pages to ${folder} …\n`);
    const given = { pages: String(pages), out: folder, base: origin, seed: String(SEED) };
    const args = Object.entries(given).flatMap(([name, value]) => [`--${name}`, value]);
    const program = join(import.meta.dirname, '../world.mjs');
    await promisify(execFile)(process.execPath, [program, 'gen', ...args], { timeout: GENERATE_MS });
  }
  const truth = readTruth(folder);
  if (truth === null) throw new Error(`there is no truth.json in ${folder}`);
  const urls = readFileSync(join(folder, 'urls.txt'), 'utf8')
    .split('\n')
    .filter((url) => url !== '' && !new URL(url).pathname.startsWith('/fails/'));
  if (urls.length !== truth.reachable_ok) throw new Error(`${folder} contradicts itself: remove it`);
  return { folder, origin, bytes: truth.bytes, urls };
}

function readTruth(folder: string): z.output<typeof Truth> | null {
  const file = join(folder, 'truth.json');
  return existsSync(file) ? Truth.parse(JSON.parse(readFileSync(file, 'utf8'))) : null;
}

function refuseSmallDisk(folder: string, pages: number): void {
  const { bavail, bsize } = statfsSync(folder);
  const needed = pages * BYTES_A_PAGE;
  if (bavail * bsize >= needed) return;
  throw new Error(`a world of ${pages} pages needs ${Math.ceil(needed / 1e9)} GB in ${tmpdir()}, and there is less`);
}
