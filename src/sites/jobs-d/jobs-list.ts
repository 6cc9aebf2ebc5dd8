import { empty, pageOf, unusable } from '#features/sites/answers.ts';
import type { EndpointSource } from '#features/sites/endpoint.ts';
import { all, attributeAt, lineAt, lineOf, one } from '#extract/dom/elements.ts';
import { flightOf } from '#extract/dom/flight.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { valueAfter } from '#extract/json/scan.ts';
import { attributeOf } from '#extract/html/tree.ts';
import { at, boolean, countOf, line, list, mediaUrl, moment, text, url } from '#extract/values/raw.ts';
import { bareJob, employmentOf, toSalary, workplaceOf } from '#sites/job-record.ts';
import type { JobBoardPage, JobSummary } from '#sites/job-record.ts';
import { jobGuidIn } from './job-input.ts';
import { JobsDInput } from './jobs-input.ts';
import { JOBS_D_HOME } from './site.ts';

export type JobsDSource = EndpointSource<typeof JobsDInput, typeof JobBoardPage>;

type Listed = ReturnType<JobsDSource['parse']>;

/** A page of a search: the data that it streams, else its cards. */
export function readJobsPage(body: string, address: string, asked: number): Listed {
  const page = parsePage(body, address);
  const found = valueAfter(flightOf(page), '"jobList":');
  return found === undefined ? readCards(page, asked) : readFound(found, asked);
}

/** What the board's data says of a search: jobs, and how many pages there are. */
export function readFound(found: unknown, asked: number): Listed {
  const items = at(found, 'data');
  const meta = at(found, 'meta');
  if (!Array.isArray(items)) return unusable('a list of jobs');
  const total = countOf(at(meta, 'totalResults'), null)?.value ?? null;
  const shown = countOf(at(meta, 'currentPage'), null)?.value ?? asked;
  if (shown !== asked) return unusable('the page of the list that was asked for');
  const jobs = list(items).flatMap((item) => toListed(item) ?? []);
  if (jobs.length === 0) return items.length === 0 && total === 0 ? empty() : unusable('jobs that can be read');
  const pages = countOf(at(meta, 'pageCount'), null)?.value ?? 0;
  return pageOf({ jobs, total }, asked < pages ? String(asked + 1) : null);
}

function toListed(item: unknown): JobSummary | null {
  const id = jobGuidIn(line(at(item, 'guid')) ?? line(at(item, 'detailsPageUrl')) ?? '');
  const title = line(at(item, 'title'));
  if (id === null || title === null) return null;
  const kinds = list(at(item, 'workplaceTypes')).flatMap((kind) => line(kind) ?? []);
  return {
    ...bareJob({ id, job_id: id, url: `${JOBS_D_HOME}/job-detail/${id}`, title }),
    company: companyOf(item),
    location_text: line(at(item, 'jobLocation', 'displayName')),
    workplace: at(item, 'isRemote') === true ? 'remote' : workplaceOf(kinds.join(' or ')),
    employment_types: employmentOf(at(item, 'employmentType')),
    salary: toSalary(null, line(at(item, 'salary'))),
    posted_at: moment(at(item, 'postedDate')),
    summary: text(at(item, 'summary')),
    easy_apply: boolean(at(item, 'easyApply')),
  };
}

function companyOf(item: unknown): JobSummary['company'] {
  const name = line(at(item, 'companyName'));
  if (name === null) return null;
  return {
    name,
    url: url(at(item, 'companyPageUrl'), JOBS_D_HOME),
    logo_url: mediaUrl(at(item, 'companyLogoUrl'), JOBS_D_HOME),
  };
}

const NOTHING = /\b(?:no (?:jobs|results)(?: were)? (?:found|match)|couldn.t find any jobs|0 results)\b/i;

/** The cards of the list itself; similar jobs stand beside it. */
function readCards(page: ParsedPage, asked: number): Listed {
  const results = one(page, '[aria-label="Job search results"]');
  const cards = results === 0 ? [] : all(page, '[data-testid="job-card"]', results);
  const jobs = cards.flatMap((card) => toCard(page, card) ?? []);
  if (jobs.length === 0) {
    const isNothing = cards.length === 0 && NOTHING.test(lineAt(page, 'main') ?? '');
    return isNothing ? empty() : unusable('a list of jobs');
  }
  const next = one(page, `a[href*="page=${asked + 1}"]`);
  return pageOf({ jobs, total: null }, next === 0 ? null : String(asked + 1));
}

function toCard(page: ParsedPage, card: number): JobSummary | null {
  const id = jobGuidIn(attributeOf(page.tree, card, 'data-job-guid') ?? '');
  const title = lineAt(page, '[data-testid="job-search-job-detail-link"]', card);
  if (id === null || title === null) return null;
  const name = lineAt(page, '[data-testid="job-card-company-name"]', card);
  const [place = null, age = null] =
    all(page, 'p', card)
      .flatMap((node) => lineOf(page, node) ?? [])
      .find((said) => said.includes('•'))
      ?.split(/\s*•\s*/) ?? [];
  return {
    ...bareJob({ id, job_id: id, url: `${JOBS_D_HOME}/job-detail/${id}`, title }),
    company:
      name === null
        ? null
        : { name, url: null, logo_url: mediaUrl(attributeAt(page, 'img[alt]', 'src', card), JOBS_D_HOME) },
    location_text: place,
    workplace: workplaceOf(place),
    employment_types: employmentOf(lineAt(page, '[id="employmentType-label"]', card)),
    salary: toSalary(null, lineAt(page, '[id="salary-label"]', card)),
    posted_text: age,
  };
}
