import { readSuite, type Sample } from './corpus.ts';
import { type PeerReads, PEERS, readByPeer } from './peers.ts';
import { mean } from './text-scores.ts';
import { scoreSuite } from './suites.ts';

type ReadPages = (samples: readonly Sample[]) => PeerReads;

/** Prints the figures of this reader beside those of others, of the same pages in one run: all of them, and those held out. */
export async function contest(
  corpus: string,
  {
    suites,
    every,
    readHere,
  }: { readonly suites: readonly string[]; readonly every: number; readonly readHere: ReadPages },
): Promise<void> {
  console.log(`| suite, figure | pages | quern | ${PEERS.join(' | ')} |\n|---|---|${'---|'.repeat(PEERS.length + 1)}`);
  for (const suite of suites) {
    const samples = readSuite(corpus, suite).filter((_, at) => at % every === 0);
    if (samples.length === 0) continue;
    const all = [readHere(samples)];
    for (const peer of PEERS) all.push(await readByPeer(peer, samples));
    printFigures(suite, all);
    printFigures(
      `${suite}, held out`,
      all.map((one) => ({ ...one, reads: one.reads.filter(({ sample }) => sample.heldOut) })),
    );
    printRow(
      `${suite}: ms of CPU a page`,
      samples.length,
      all.map(({ cpuMs }) => mean(cpuMs).toFixed(1)),
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
  const scores = all.map((one) => ({ figures: scoreSuite(suite, one.reads), says: factsOf(one) }));
  for (const figure of Object.keys(scores[0]?.figures ?? {})) {
    const cells = scores.map(
      ({ figures, says }) => (says[figure] === false ? '–' : figures[figure]?.toFixed(3)) ?? '–',
    );
    printRow(`${title}: ${figure}`, reads.length, cells);
  }
}

/** Of the facts of a page, whether a reader says them at all. */
function factsOf({ reads }: PeerReads): Readonly<Record<string, boolean>> {
  return {
    title: reads.some(({ metadata }) => metadata.title !== null),
    author: reads.some(({ metadata }) => metadata.author !== null),
    date: reads.some(({ metadata }) => metadata.published_date !== null),
  };
}

function printRow(title: string, pages: number, cells: readonly string[]): void {
  console.log(`| ${title} | ${pages} | ${cells.join(' | ')} |`);
}
