import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const INSTALL_MS = 300_000;
const PEERS = join(import.meta.dirname, '../peers');

export const CONTENDERS = ['quern', 'undici', 'spider', 'crawlee'] as const;

export type Contender = (typeof CONTENDERS)[number];

/** What each does with a page. */
export const WORK: Readonly<Record<Contender, string>> = {
  quern: 'links, main content as Markdown, metadata; durable, charged',
  undici: 'the bytes of addresses known beforehand',
  spider: 'links and HTML, in Rust; nothing kept',
  crawlee: 'links, `main` as Markdown by turndown, title, description; nothing kept',
};

/** The program of each that is not the service. */
export const PROGRAMS: Readonly<Record<Exclude<Contender, 'quern'>, string>> = {
  undici: join(import.meta.dirname, 'undici-loop.ts'),
  spider: join(PEERS, 'spider.mjs'),
  crawlee: join(PEERS, 'crawlee.mjs'),
};

/** Of those asked for the ones that can run; installs other crawlers into a folder of their own when it is not done yet. */
export function installContenders(wanted: readonly Contender[]): readonly Contender[] {
  const ours = wanted.filter((name) => name === 'quern' || name === 'undici');
  if (ours.length === wanted.length || installPeers()) return wanted;
  process.stderr.write('npm ci in bench/peers failed: without other crawlers\n');
  return ours;
}

/** Installs the other programs into bench/peers when it is not done yet; whether they are there. */
export function installPeers(): boolean {
  const hash = createHash('sha256')
    .update(readFileSync(join(PEERS, 'package-lock.json')))
    .digest('hex');
  const stamp = join(PEERS, 'node_modules/.bench-lock');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return true;
  process.stderr.write('installing other programs into bench/peers …\n');
  const flags = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = spawnSync('npm', flags, { cwd: PEERS, stdio: ['ignore', 2, 2], timeout: INSTALL_MS });
  if (status !== 0) return false;
  writeFileSync(stamp, hash);
  return true;
}
