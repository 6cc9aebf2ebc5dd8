import { join } from 'node:path';
import { installPeers, PEERS } from '../installed-peers.ts';

export const CONTENDERS = ['quern', 'undici', 'spider', 'crawlee'] as const;

export type Contender = (typeof CONTENDERS)[number];

/** What each does with a page, and what it does not. */
export const WORK: Readonly<Record<Contender, string>> = {
  quern: 'links, main content chosen by learned weights, as Markdown, metadata; durable, charged',
  undici: 'the bytes of addresses known beforehand; reads none of them, finds no links',
  spider: 'links and HTML, in Rust; chooses no content, makes no Markdown, keeps nothing',
  crawlee: 'links, `main` as Markdown by turndown, title, description; chooses no content, keeps nothing',
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
