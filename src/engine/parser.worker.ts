import { workerData } from 'node:worker_threads';
import { readPage } from '#extract/read-page.ts';
import type { ReadRequest, Reading } from '#extract/reading.ts';
import { buildJudge } from '#extract/site/judging.ts';
import type { CrawlRules, Judge } from '#extract/site/judging.ts';
import { readSitePage } from '#extract/site/site-page.ts';
import type { SitePage, SitePageRequest } from '#extract/site/site-page.ts';
import { ServiceError } from '#kernel/errors.ts';
import { release } from '#kernel/memory.ts';
import { openDesk } from './desk.ts';
import type { Refusal, Task } from './parsing.ts';

type Work =
  | { readonly kind: 'page'; readonly request: ReadRequest }
  | { readonly kind: 'site'; readonly request: SitePageRequest };

const desk = openDesk(workerData instanceof SharedArrayBuffer ? workerData : undefined);
const judgeBy = recallJudges();

export function parsePage({ id, ...task }: Task<Work>): Reading | SitePage | Refusal {
  desk.lay(id);
  try {
    return task.kind === 'page' ? readPage(task.request) : readSitePage(task.request, judgeBy);
  } catch (error) {
    if (error instanceof ServiceError) return { code: error.code, message: error.message };
    throw error;
  } finally {
    desk.lay(0);
    release(task.request.body);
  }
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
