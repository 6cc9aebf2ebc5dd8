import { workerData } from 'node:worker_threads';
import { isDocument } from '#extract/html/sniff.ts';
import { readDocument, type PageSource } from '#extract/page-source.ts';
import { ReadError } from '#extract/warnings.ts';
import { readPage } from '#extract/read-page.ts';
import { createLinkClassifier, type CrawlRules, type LinkClassifier } from '#extract/urls/link-classifier.ts';
import { readSitePage, type SitePage } from '#extract/urls/site-page.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { freeBuffer } from '#kernel/memory-budget.ts';
import { openWatchdogCell, type ParserTask, buildTimedTask } from './parser-thread.ts';
import { type TransferredReading, packOutputs } from './packed-outputs.ts';
import type { ParserRefusal } from './parser-queue.ts';
import type { ParserWork } from './parser-threads.ts';

const cell = openWatchdogCell(SYSTEM_CLOCK, workerData instanceof SharedArrayBuffer ? workerData : undefined);
const judgeBy = createJudgeCache();

/** Time limit for reading the pages of a document. The limit of its queue is longer, to leave time for rendering. */
const MAX_PAGES_MS = 8000;

/** Parses a page or a document. Documents are read asynchronously, so their queue sends one at a time. */
export const runTask = buildTimedTask(({ id, ...task }: ParserTask<ParserWork>): ReadResult | Promise<ReadResult> => {
  cell.mark(id);
  const { body } = task.request;
  if (isDocument(body)) return readAsDocument(task);
  try {
    return read(task);
  } catch (error) {
    return toRefusal(error);
  } finally {
    releaseBody(body);
  }
}, listBuffers);

type ReadResult = TransferredReading | SitePage | ParserRefusal;

async function readAsDocument(task: ParserWork): Promise<ReadResult> {
  const { body } = task.request;
  const until = SYSTEM_CLOCK.monotonic() + MAX_PAGES_MS;
  try {
    return read(task, await readDocument(body, () => SYSTEM_CLOCK.monotonic() < until));
  } catch (error) {
    return toRefusal(error);
  } finally {
    releaseBody(body);
  }
}

function read(task: ParserWork, from?: PageSource): TransferredReading | SitePage {
  if (task.kind === 'site') return readSitePage(task.request, { judgeBy, from });
  const reading = readPage(task.request, from);
  return task.packs ? packOutputs(reading) : { reading, packed: {} };
}

function listBuffers(reply: ReadResult): readonly ArrayBuffer[] {
  return 'packed' in reply ? Object.values(reply.packed).map(({ buffer }) => buffer) : [];
}

function toRefusal(error: unknown): ParserRefusal {
  if (error instanceof ReadError) return { code: error.code, message: error.message };
  throw error;
}

function releaseBody(body: Uint8Array<ArrayBuffer>): void {
  cell.mark(0);
  freeBuffer(body);
}

/** The most crawls whose link judges are cached. */
const MAX_JUDGES = 8;

function createJudgeCache(): (rules: CrawlRules) => LinkClassifier {
  const judges = new Map<string, LinkClassifier>();
  return (rules) => {
    const name = JSON.stringify(rules);
    const judge = judges.get(name) ?? createLinkClassifier(rules);
    // Reinserted, so that it is evicted last.
    judges.delete(name);
    judges.set(name, judge);
    const [oldest] = judges.keys();
    if (judges.size > MAX_JUDGES && oldest !== undefined) judges.delete(oldest);
    return judge;
  };
}
