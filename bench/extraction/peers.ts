import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { decodeBody } from '#extract/html/decode.ts';
import { readSuite, type Sample } from './corpus.ts';
import { toHtmlText, toMarkdownText } from './structure-scores.ts';
import { NO_METADATA, type PageReadout, scoreSuite } from './suites.ts';
import { computeMean } from './text-scores.ts';

/** Other content extractors, by their names in `bench/peers/readers.mjs`. */
export const PEERS = ['readability', 'defuddle', 'mdream'] as const;

export type Peer = (typeof PEERS)[number];

/** The output of one reader, and its CPU time per page in ms. */
export type PeerReads = {
  readonly reads: readonly PageReadout[];
  readonly cpuMs: readonly number[];
  readonly failed: number;
};

const PEER_PROGRAM = join(import.meta.dirname, '../peers/readers.mjs');
/** Slower pages count as empty. */
const PAGE_TIMEOUT_MS = 30_000;

const PeerOutput = z.object({
  html: z.string().nullish(),
  markdown: z.string().nullish(),
  title: z.string().nullish(),
  author: z.string().nullish(),
  date: z.string().nullish(),
  failed: z.string().optional(),
  cpuMs: z.number(),
});

type PeerOutput = z.infer<typeof PeerOutput>;

/** Reads pages with another extractor in a child process, which is restarted if a page hangs. */
export async function readWithPeer(peer: Peer, samples: readonly Sample[]): Promise<PeerReads> {
  const reads: PageReadout[] = [];
  const cpuMs: number[] = [];
  let failed = 0;
  let reader = startReader(peer);
  for (const sample of samples) {
    const { text: html } = decodeBody(sample.body(), 'text/html', 'html');
    const made = await Promise.race([reader.read(html, sample.url), wait(PAGE_TIMEOUT_MS, null, { ref: false })]);
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
  const child = spawn(process.execPath, [PEER_PROGRAM, peer], { stdio: ['pipe', 'pipe', 'ignore'] });
  // Write errors are ignored: an exited process is detected by its missing response.
  child.stdin.on('error', () => undefined);
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    /** Returns null if the process has exited. */
    async read(html: string, url: string): Promise<PeerOutput | null> {
      child.stdin.write(`${JSON.stringify({ html, url: URL.canParse(url) ? url : 'https://example.org/' })}\n`);
      const { value, done } = await answers.next();
      return done === true ? null : PeerOutput.parse(JSON.parse(value));
    },
    stop: () => child.kill('SIGKILL'),
  };
}

function toRead(sample: Sample, made: PeerOutput | null): PageReadout {
  const { html, markdown, title, author, date } = made ?? {};
  const text = typeof html === 'string' ? toHtmlText(html) : toMarkdownText(markdown ?? '');
  const metadata = { ...NO_METADATA, title: title ?? null, author: author ?? null, published_date: date ?? null };
  return { sample, text, markdown: markdown ?? '', metadata };
}

type ReadSamples = (samples: readonly Sample[]) => PeerReads;

/** Prints the scores of Quern and other readers on the same pages: all pages, and held-out pages. */
export async function printPeerComparison(
  corpus: string,
  {
    suites,
    every,
    readHere,
  }: { readonly suites: readonly string[]; readonly every: number; readonly readHere: ReadSamples },
): Promise<void> {
  console.log(`| suite, figure | pages | quern | ${PEERS.join(' | ')} |\n|---|---|${'---|'.repeat(PEERS.length + 1)}`);
  for (const suite of suites) {
    const samples = readSuite(corpus, suite).filter((_, at) => at % every === 0);
    if (samples.length === 0) continue;
    const all = [readHere(samples)];
    for (const peer of PEERS) all.push(await readWithPeer(peer, samples));
    printFigures(suite, all);
    printFigures(
      `${suite}, held out`,
      all.map((one) => ({ ...one, reads: one.reads.filter(({ sample }) => sample.heldOut) })),
    );
    printRow(
      `${suite}: ms of CPU a page`,
      samples.length,
      all.map(({ cpuMs }) => computeMean(cpuMs).toFixed(1)),
    );
    if (all.some(({ failed }) => failed > 0)) {
      printRow(
        `${suite}: pages that failed`,
        samples.length,
        all.map(({ failed }) => String(failed)),
      );
    }
  }
}

function printFigures(title: string, all: readonly PeerReads[]): void {
  const [{ reads } = { reads: [] }] = all;
  const suite = reads[0]?.sample.suite;
  if (suite === undefined) return;
  const scores = all.map((one) => ({ figures: scoreSuite(suite, one.reads), says: listReportedFacts(one) }));
  for (const figure of Object.keys(scores[0]?.figures ?? {})) {
    const cells = scores.map(
      ({ figures, says }) => (says[figure] === false ? '–' : figures[figure]?.toFixed(3)) ?? '–',
    );
    printRow(`${title}: ${figure}`, reads.length, cells);
  }
}

/** Which metadata fields a reader reports at all. */
function listReportedFacts({ reads }: PeerReads): Readonly<Record<string, boolean>> {
  return {
    title: reads.some(({ metadata }) => metadata.title !== null),
    author: reads.some(({ metadata }) => metadata.author !== null),
    date: reads.some(({ metadata }) => metadata.published_date !== null),
  };
}

function printRow(title: string, pages: number, cells: readonly string[]): void {
  console.log(`| ${title} | ${pages} | ${cells.join(' | ')} |`);
}
