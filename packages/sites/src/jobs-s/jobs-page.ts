import { empty, pageOf, partly, unusable } from '#sites/framework/answers.ts';
import { attributeOf } from '#extract/html/tree.ts';
import { all, attributeAt, lineAt, one } from '#extract/dom/elements.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { jsonScript } from '#extract/dom/scripts.ts';
import { at, countOf, line, list } from '#extract/values/raw.ts';
import { bareJob, toSalary, workplaceOf } from '#sites/job-record.ts';
import type { JobSummary } from '#sites/job-record.ts';
import { jobKeyOf, toListedJob } from './fields.ts';
import { JOBS_S_HOME } from './site.ts';

/** A page of a search: the data that it is drawn from, else its cards. */
export function readFoundJobs(body: string, address: string, asked: number) {
  const page = parsePage(body, address);
  const data = at(jsonScript(page, { id: '__NEXT_DATA__' }), 'props', 'pageProps');
  const found = at(data, 'jobs');
  if (!Array.isArray(found)) return readCards(page, asked);
  const jobs = list(found).flatMap((item) => toListedJob(item) ?? []);
  const total = countOf(at(data, 'resultCount'), null)?.value ?? null;
  if (jobs.length === 0) return found.length === 0 && (total ?? 0) === 0 ? empty() : unusable('jobs that can be read');
  return pageOf({ jobs, total }, tokenOf(asked + 1, line(at(data, 'pageCursors', String(asked + 1)))));
}

function tokenOf(page: number, token: string | null): string | null {
  return token === null ? null : `${page}:${token}`;
}

const NOTHING = /\bno jobs (?:were )?found\b|couldn.t find any|did not match any/i;

function readCards(page: ParsedPage, asked: number) {
  const cards = all(page, '[data-testid="searchSerpJob"]');
  const jobs = cards.flatMap((card) => toCard(page, card) ?? []);
  if (jobs.length === 0) {
    const isNothing = cards.length === 0 && NOTHING.test(lineAt(page, 'main') ?? '');
    return isNothing ? empty() : unusable('a list of jobs');
  }
  const total =
    countOf(lineAt(page, '[data-testid="headerSerpJobCount"]')?.replaceAll(/[^\d,]/g, ''), null)?.value ?? null;
  const link = URL.parse(attributeAt(page, '[data-testid="pageNumberBlockNext"]', 'href') ?? '', page.url);
  const next = tokenOf(asked + 1, link?.searchParams.get('cursor') ?? null);
  return partly(pageOf({ jobs, total }, next), 'the cards of the list give neither days nor kinds of employment');
}

function toCard(page: ParsedPage, card: number): JobSummary | null {
  const id = jobKeyOf(attributeOf(page.tree, card, 'data-jobkey'));
  const title = lineAt(page, 'a', one(page, '[data-testid="searchSerpJobTitle"]', card));
  if (id === null || title === null) return null;
  const name = lineAt(page, '[data-testid="companyName"]', card);
  const place = lineAt(page, '[data-testid="searchSerpJobLocation"]', card);
  const pay = lineAt(page, '[data-testid^="searchSerpJobSalary"], [data-testid^="salaryChip"]', card);
  const isEstimate = /estimated/i.test(pay ?? '') || one(page, '[data-testid="searchSerpJobSalaryEst"]', card) !== 0;
  return {
    ...bareJob({ id, job_id: id, url: `${JOBS_S_HOME}/job/${id}`, title }),
    company: name === null ? null : { name, url: null, logo_url: null },
    location_text: place,
    workplace: workplaceOf(place),
    salary: toSalary(null, pay, pay === null ? null : isEstimate),
    posted_text: lineAt(page, '[data-testid="searchSerpJobDateStamp"]', card),
    summary: lineAt(page, '[data-testid="searchSerpJobSnippet"]', card),
    easy_apply: one(page, '[data-testid="searchSerpJobQuickApply"]', card) !== 0,
  };
}
