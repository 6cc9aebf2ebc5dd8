import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { decodeBody } from '#extract/html/decode.ts';
import type { Sample } from './corpus.ts';
import { htmlText, markdownText } from './structure-scores.ts';
import { NO_METADATA, type Read } from './suites.ts';

/** Other readers of main content, by the names that `bench/peers/readers.mjs` knows. */
export const PEERS = ['readability', 'defuddle', 'mdream'] as const;

export type Peer = (typeof PEERS)[number];

/** What one reader made of pages, and the ms of CPU that a page took. */
export type PeerReads = { readonly reads: readonly Read[]; readonly cpuMs: readonly number[]; readonly failed: number };

const PROGRAM = join(import.meta.dirname, '../peers/readers.mjs');
/** A page that takes longer counts as one of which nothing was read. */
const PAGE_MS = 30_000;

const Made = z.object({
  html: z.string().nullish(),
  markdown: z.string().nullish(),
  title: z.string().nullish(),
  author: z.string().nullish(),
  date: z.string().nullish(),
  failed: z.string().optional(),
  cpuMs: z.number(),
});

type Made = z.infer<typeof Made>;

/** Lets a peer read pages one after the other, in a process of its own that is started anew where a page hangs in it. */
export async function readByPeer(peer: Peer, samples: readonly Sample[]): Promise<PeerReads> {
  const reads: Read[] = [];
  const cpuMs: number[] = [];
  let failed = 0;
  let reader = startReader(peer);
  for (const sample of samples) {
    const { text: html } = decodeBody(sample.body(), 'text/html', 'html');
    const made = await Promise.race([reader.read(html, sample.url), wait(PAGE_MS, null, { ref: false })]);
    if (made === null || made.failed !== undefined) failed += 1;
    if (made === null) {
      reader.stop();
      reader = startReader(peer);
    } else cpuMs.push(made.cpuMs);
    reads.push(toRead(sample, made));
  }
  reader.stop();
  return { reads, cpuMs, failed };
}

function startReader(peer: Peer) {
  const child = spawn(process.execPath, [PROGRAM, peer], { stdio: ['pipe', 'pipe', 'ignore'] });
  // What is written to a process that has ended is told by what it no longer answers.
  child.stdin.on('error', () => undefined);
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    /** Null where the process has ended. */
    async read(html: string, url: string): Promise<Made | null> {
      child.stdin.write(`${JSON.stringify({ html, url: URL.canParse(url) ? url : 'https://example.org/' })}\n`);
      const { value, done } = await answers.next();
      return done === true ? null : Made.parse(JSON.parse(value));
    },
    stop: () => child.kill('SIGKILL'),
  };
}

function toRead(sample: Sample, made: Made | null): Read {
  const { html, markdown, title, author, date } = made ?? {};
  const text = typeof html === 'string' ? htmlText(html) : markdownText(markdown ?? '');
  const metadata = { ...NO_METADATA, title: title ?? null, author: author ?? null, published_date: date ?? null };
  return { sample, text, markdown: markdown ?? '', metadata };
}
