import { workerData } from 'node:worker_threads';
import { isDocument } from '#extract/html/signature.ts';
import { readDocument } from '#extract/read-document.ts';
import { readPage } from '#extract/read-page.ts';
import type { Source } from '#extract/read-page.ts';
import type { Reading } from '#extract/reading.ts';
import { buildJudge } from '#extract/site/judging.ts';
import type { CrawlRules, Judge } from '#extract/site/judging.ts';
import { readSitePage } from '#extract/site/site-page.ts';
import type { SitePage } from '#extract/site/site-page.ts';
import { ServiceError } from '#kernel/errors.ts';
import { release } from '#kernel/memory.ts';
import { openDesk } from './desk.ts';
import type { Refusal, Task, Work } from './parsing.ts';

const desk = openDesk(workerData instanceof SharedArrayBuffer ? workerData : undefined);
const judgeBy = recallJudges();

/** How long pages of a document are read, ms; its lane gives it more, for what comes then. */
const PAGES_MS = 8000;

/** A document takes turns with nothing: its lane hands out one at a time. */
export function parsePage({ id, ...task }: Task<Work>): Read | Promise<Read> {
  desk.lay(id);
  const { body } = task.request;
  if (isDocument(body)) return readAsDocument(task);
  try {
    return read(task);
  } catch (error) {
    return toRefusal(error);
  } finally {
    clear(body);
  }
}

type Read = Reading | SitePage | Refusal;

async function readAsDocument(task: Work): Promise<Read> {
  const { body } = task.request;
  const until = performance.now() + PAGES_MS;
  try {
    return read(task, await readDocument(body, () => performance.now() < until));
  } catch (error) {
    return toRefusal(error);
  } finally {
    clear(body);
  }
}

function read(task: Work, from?: Source): Reading | SitePage {
  return task.kind === 'page' ? readPage(task.request, from) : readSitePage(task.request, { judgeBy, from });
}

function toRefusal(error: unknown): Refusal {
  if (error instanceof ServiceError) return { code: error.code, message: error.message };
  throw error;
}

function clear(body: Uint8Array<ArrayBuffer>): void {
  desk.lay(0);
  release(body);
}

/** Crawls whose judges are kept; the rules of another take its place. */
const MOST_JUDGES = 8;

function recallJudges(): (rules: CrawlRules) => Judge {
  const judges = new Map<string, Judge>();
  return (rules) => {
    const name = JSON.stringify(rules);
    const judge = judges.get(name) ?? buildJudge(rules);
    // Set anew, it is the last to go.
    judges.delete(name);
    judges.set(name, judge);
    const [oldest] = judges.keys();
    if (judges.size > MOST_JUDGES && oldest !== undefined) judges.delete(oldest);
    return judge;
  };
}
