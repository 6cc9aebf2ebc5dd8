/**
 * Measures the quality of extraction per suite, on tuning pages and on held-out pages:
 * `npm run bench -- extraction [--suites wcxb,htmldate] [--sample 4] [--only wcxb/0085] [--pin] [--peers]`.
 * Exits with 1 if a score is below its floor. `--pin` raises the floors to the measured scores;
 * `--peers` compares with other readers and ignores floors.
 */
import { parseArgs } from 'node:util';
import { readPage } from '#extract/read-page.ts';
import { buildMarkdownRequest } from '#testkit/read-request.ts';
import { installPeers } from './installed-peers.ts';
import { printPeerComparison, type PeerReads } from './extraction/peers.ts';
import { readFragmentSamples, measureRoundTrips, scoreFragments } from './extraction/converter.ts';
import { CONTENT_SUITES, findCorpusFolder, FACT_SUITES, readSuite, type Sample } from './extraction/corpus.ts';
import { EMBEDDED_SUITES } from './extraction/embedded.ts';
import {
  listBelowFloors,
  raiseFloors,
  scorePage,
  type PageReadout,
  type Scores,
  scoreSuite,
} from './extraction/suites.ts';
import { buildPageDiff } from './extraction/page-diff.ts';
import { scoreRows, TABLES } from './extraction/tables.ts';

/** Number of tuning and held-out pages of a suite, with the scores of both. */
type SuiteRow = {
  readonly suite: string;
  readonly pages: readonly [number, number];
  readonly tuning: Scores;
  readonly heldOut: Scores;
};

const options = {
  suites: {
    type: 'string',
    default: [
      ...CONTENT_SUITES,
      ...FACT_SUITES,
      'fragments',
      'round-trips',
      ...Object.keys(EMBEDDED_SUITES),
      ...Object.keys(TABLES),
    ].join(','),
  },
  sample: { type: 'string', default: '1' },
  only: { type: 'string' },
  worst: { type: 'string' },
  pin: { type: 'boolean', default: false },
  peers: { type: 'boolean', default: false },
} as const;

const { values } = parseArgs({ options });
const folder = findCorpusFolder();
if (folder === null) console.log('0 recordings: set QUERN_CORPUS to the folder of the corpus');
else if (values.only !== undefined) printPage(folder, values.only);
else if (values.peers) await printPeers(folder);
else measureSuites(folder);

function measureSuites(corpus: string): void {
  const every = Number(values.sample);
  const rows: SuiteRow[] = [];
  for (const suite of values.suites.split(',')) {
    const row = buildSpecialRow(corpus, suite) ?? buildPagesRow(suite, readSamples(corpus, suite, every));
    if (row.pages[0] + row.pages[1] === 0) continue;
    rows.push(row);
    printRow(row);
  }
  if (every > 1) return;
  const measured = Object.fromEntries(
    rows.map(({ suite, tuning, heldOut }) => [suite, { tuning, held_out: heldOut }] as const),
  );
  if (values.pin) return raiseFloors(measured);
  const faults = listBelowFloors(measured);
  for (const fault of faults) console.log(fault);
  if (faults.length > 0) process.exitCode = 1;
}

/** The row of a suite that does not consist of whole pages; null for other suites. */
function buildSpecialRow(corpus: string, suite: string): SuiteRow | null {
  if (suite === 'fragments') return buildFragmentRow(corpus);
  return suite === 'round-trips' ? buildRoundTripRow(corpus) : buildTableRow(corpus, suite);
}

function readSamples(corpus: string, suite: string, every: number): readonly Sample[] {
  return readSuite(corpus, suite).filter((_, at) => at % every === 0);
}

/** The row of a suite of short texts; null for other suites. */
function buildTableRow(corpus: string, suite: string): SuiteRow | null {
  const rows = TABLES[suite]?.(corpus);
  if (rows === undefined) return null;
  const tuning = rows.filter(({ heldOut }) => !heldOut);
  const heldOut = rows.filter((row) => row.heldOut);
  if (values.worst !== undefined) {
    const wrong = tuning.filter(({ figures }) => Object.values(figures).includes(0));
    for (const { row } of wrong.slice(0, Number(values.worst))) console.log(`  ${row}`);
  }
  return { suite, pages: [tuning.length, heldOut.length], tuning: scoreRows(tuning), heldOut: scoreRows(heldOut) };
}

function buildPagesRow(suite: string, samples: readonly Sample[]): SuiteRow {
  const tuning = samples.filter(({ heldOut }) => !heldOut);
  const heldOut = samples.filter((sample) => sample.heldOut);
  const pages = [tuning.length, heldOut.length] as const;
  const embedded = EMBEDDED_SUITES[suite];
  if (embedded !== undefined) return { suite, pages, tuning: embedded(tuning), heldOut: embedded(heldOut) };
  const reads = tuning.map(readSample);
  if (values.worst !== undefined) printWorst(reads, Number(values.worst));
  return { suite, pages, tuning: scoreSuite(suite, reads), heldOut: scoreSuite(suite, heldOut.map(readSample)) };
}

/** The Markdown converter alone, on the labelled content of pages. */
function buildFragmentRow(corpus: string): SuiteRow {
  const samples = readFragmentSamples(corpus);
  const tuning = samples.filter(({ heldOut }) => !heldOut);
  const heldOut = samples.filter((sample) => sample.heldOut);
  const pages = [tuning.length, heldOut.length] as const;
  return { suite: 'fragments', pages, tuning: scoreFragments(tuning), heldOut: scoreFragments(heldOut) };
}

/** Share of the Markdown specification examples that survive a round trip, and that are stable when converted again. */
function buildRoundTripRow(corpus: string): SuiteRow {
  const { all, again, losses } = measureRoundTrips(corpus) ?? { all: 0, again: 0, losses: [] };
  const scores: Scores = all === 0 ? {} : { equal: (all - losses.length) / all, again: again / all };
  if (values.worst !== undefined) for (const loss of losses) console.log(loss);
  return { suite: 'round-trips', pages: [all, 0], tuning: scores, heldOut: {} };
}

async function printPeers(corpus: string): Promise<void> {
  if (!installPeers()) throw new Error('npm ci in bench/peers failed');
  const known: readonly string[] = [...CONTENT_SUITES, ...FACT_SUITES];
  const suites = values.suites.split(',').filter((suite) => known.includes(suite));
  await printPeerComparison(corpus, { suites, every: Number(values.sample), readHere: readWithQuern });
}

/** Reads pages with Quern, in this process. */
function readWithQuern(samples: readonly Sample[]): PeerReads {
  const cpuMs: number[] = [];
  const reads = samples.map((sample) => {
    const before = process.cpuUsage();
    const read = readSample(sample);
    const { user, system } = process.cpuUsage(before);
    cpuMs.push((user + system) / 1000);
    return read;
  });
  return { reads, cpuMs, failed: 0 };
}

function readSample(sample: Sample): PageReadout {
  const asked = buildMarkdownRequest(sample.body(), sample.url);
  // No charset, so that it is detected from the page.
  const { outputs, metadata } = readPage({ ...asked, contentType: 'text/html', outputs: ['markdown', 'text'] });
  return { sample, text: outputs.text ?? '', markdown: outputs.markdown ?? '', metadata };
}

function printRow(row: SuiteRow): void {
  console.log(`\n${row.suite}: ${row.pages[0]} pages to tune on, ${row.pages[1]} held out`);
  for (const [name, figure] of Object.entries(row.tuning)) {
    const other = row.heldOut[name];
    console.log(`  ${name.padEnd(16)}${figure.toFixed(3)}  ${other === undefined ? '–' : other.toFixed(3)}`);
  }
}

/** Prints the worst tuning pages; held-out pages must not be inspected. */
function printWorst(reads: readonly PageReadout[], most: number): void {
  const scored = reads.map((read) => ({ read, score: scorePage(read) })).toSorted((a, b) => a.score - b.score);
  for (const { read, score } of scored.slice(0, most)) {
    const { suite, id, type, url } = read.sample;
    console.log(`  ${score.toFixed(3)} ${suite}/${id} ${type} ${url}`);
  }
}

/** Prints the lines of one page that are extra (`+`) or missing (`-`). */
function printPage(corpus: string, only: string): void {
  const [suite = '', ...rest] = only.split('/');
  const sample = readSuite(corpus, suite).find(({ id }) => id === rest.join('/'));
  if (sample === undefined) throw new Error(`no page ${only}`);
  if (sample.heldOut) throw new Error(`${only} is a held-out page and must not be inspected`);
  const read = readSample(sample);
  console.log(`${only} ${sample.type} ${sample.url}: ${scorePage(read).toFixed(3)}`);
  console.log(buildPageDiff(read));
}
