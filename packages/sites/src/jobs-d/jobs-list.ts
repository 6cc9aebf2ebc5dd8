import { empty, pageOf, unusable } from '#sites/framework/answers.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import { all, attributeAt, lineAt, lineOf, one } from '#extract/dom/elements.ts';
import { jobPostingsIn } from '#extract/dom/job-posting.ts';
import { flightOf } from '#extract/dom/flight.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { valueAfter } from '#extract/json/scan.ts';
import { attributeOf } from '#extract/html/tree.ts';
import { at, boolean, countOf, line, list, mediaUrl, moment, text, url } from '#extract/values/raw.ts';
import { bareJob, employmentOf, toSalary, workplaceOf } from '#sites/job-record.ts';
import type { JobBoardPage, JobSummary } from '#sites/job-record.ts';
import { isSameSearch } from '#sites/job-search.ts';
import { jobGuidIn } from './job-input.ts';
import { JobsDInput } from './jobs-input.ts';
import { JOBS_D_HOME } from './site.ts';

export type JobsDSource = EndpointSource<typeof JobsDInput, typeof JobBoardPage>;

type Listed = ReturnType<JobsDSource['parse']>;

const COMPANIES = `${JOBS_D_HOME}/company-profile/`;

type WantedJobs = { readonly page: number; readonly keywords: string };

/** A page of a search: the data that it streams, else its cards. The page of a job has a list, too: of similar jobs. */
export function readJobsPage(body: string, address: string, asked: WantedJobs): Listed {
  const page = parsePage(body, address);
  if (jobPostingsIn(page).length > 0) return unusable('a list of jobs: the page is that of one job');
  const words = attributeAt(page, 'input[name="q"]', 'value');
  if (words !== null && !isSameSearch(words, asked.keywords))
    return unusable(`the results of another search: ${words.slice(0, 100)}`);
  const found = valueAfter(flightOf(page), '"jobList":');
  // The data of a page marks only the jobs that are paid for.
  return found === undefined ? readCards(page, asked.page) : readFound(found, asked.page, false);
}

/** What the board's data says of a search: jobs, and how many pages there are. */
export function readFound(found: unknown, asked: number, unmarked: false | null): Listed {
  const items = at(found, 'data');
  const meta = at(found, 'meta');
  if (!Array.isArray(items)) return unusable('a list of jobs');
  const total = countOf(at(meta, 'totalResults'), null)?.value ?? null;
  const shown = countOf(at(meta, 'currentPage'), null)?.value ?? asked;
  if (shown !== asked) return unusable('the page of the list that was asked for');
  const jobs = list(items).flatMap((item) => toListed(item, unmarked) ?? []);
  if (jobs.length === 0) return items.length === 0 && total === 0 ? empty() : unusable('jobs that can be read');
  const pages = countOf(at(meta, 'pageCount'), null)?.value ?? 0;
  return pageOf({ jobs, total }, asked < pages ? String(asked + 1) : null);
}

function toListed(item: unknown, unmarked: false | null): JobSummary | null {
  const id = jobGuidIn(line(at(item, 'guid')) ?? line(at(item, 'detailsPageUrl')) ?? '');
  const title = line(at(item, 'title'));
  if (id === null || title === null) return null;
  const kinds = list(at(item, 'workplaceTypes')).flatMap((kind) => line(kind) ?? []);
  return {
    ...bareJob({ id, job_id: id, url: `${JOBS_D_HOME}/job-detail/${id}`, title }),
    company: companyOf(item),
    location_text: line(at(item, 'jobLocation', 'displayName')),
    locations: readPlace(at(item, 'jobLocation')),
    workplace: at(item, 'isRemote') === true ? 'remote' : workplaceOf(kinds.join(' or ')),
    employment_types: employmentOf(at(item, 'employmentType')),
    salary: toSalary(null, line(at(item, 'salary'))),
    posted_at: moment(at(item, 'postedDate')),
    summary: text(at(item, 'summary')),
    easy_apply: boolean(at(item, 'easyApply')),
    sponsored: boolean(at(item, 'isFeatured')) ?? unmarked,
  };
}

function readPlace(raw: unknown): JobSummary['locations'] {
  const [city, region, country] = [
    line(at(raw, 'city')),
    line(at(raw, 'region')) ?? line(at(raw, 'state')),
    line(at(raw, 'country')),
  ];
  if (city === null && region === null && country === null) return null;
  return [{ city, region, country, postal_code: line(at(raw, 'postalCode')), latitude: null, longitude: null }];
}

function companyOf(item: unknown): JobSummary['company'] {
  const name = line(at(item, 'companyName'));
  if (name === null) return null;
  const profile = jobGuidIn(line(at(item, 'companyProfileId')) ?? '');
  return {
    name,
    url: url(at(item, 'companyPageUrl'), JOBS_D_HOME) ?? (profile === null ? null : `${COMPANIES}${profile}`),
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
  const company = one(page, 'a[href*="/company-profile/"] p', card);
  const name = lineAt(page, '[data-testid="job-card-company-name"]', card) ?? lineOf(page, company);
  const lines = all(page, 'p:not([id])', card).flatMap((node) => lineOf(page, node) ?? []);
  const shown = lines.findIndex((said) => said.includes('•'));
  const isApart = lines[shown] === '•';
  const [place = null, age = null] = isApart
    ? [lines[shown - 1], lines[shown + 1]]
    : (lines[shown]?.split(/\s*•\s*/) ?? []);
  return {
    ...bareJob({ id, job_id: id, url: `${JOBS_D_HOME}/job-detail/${id}`, title }),
    company:
      name === null
        ? null
        : {
            name,
            url: url(attributeAt(page, 'a[href*="/company-profile/"]', 'href', card), JOBS_D_HOME),
            logo_url: mediaUrl(attributeAt(page, 'img[alt]', 'src', card), JOBS_D_HOME),
          },
    location_text: place,
    workplace: workplaceOf(place),
    employment_types: employmentOf(lineAt(page, '[id="employmentType-label"]', card)),
    salary: toSalary(null, lineAt(page, '[id="salary-label"]', card)),
    posted_text: age,
    summary: lines[shown + (isApart ? 2 : 1)] ?? null,
    easy_apply: one(page, '[id="easyApply-label"]', card) !== 0,
    sponsored: one(page, '[id="isFeatured-label"]', card) !== 0,
  };
}
