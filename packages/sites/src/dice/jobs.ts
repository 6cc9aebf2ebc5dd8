import { z } from 'zod';
import { empty, pageOf, unusable } from '#sites/framework/answers.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import { refuseParameter } from '#sites/framework/site.ts';
import {
  buildEmptyJob,
  parseEmploymentTypes,
  JobSearchAnswer,
  type JobSummary,
  buildSalary,
  parseWorkplace,
  isSameSearch,
  JOB_AGE,
  JOB_ALIASES,
  JOB_KEYWORDS,
  JOB_LOCATION,
  JOB_RADIUS,
  parsePageNumber,
} from '#sites/framework/jobs.ts';
import { all, attributeAt, lineAt, lineOf, one } from '#extract/dom/elements.ts';
import { flightOf } from '#extract/dom/flight.ts';
import { jobPostingsIn } from '#extract/dom/job-posting.ts';
import { type ParsedPage, parsePage } from '#extract/dom/parsed-page.ts';
import { attributeOf } from '#extract/html/tree.ts';
import { valueAfter } from '#extract/json/scan.ts';
import { tryParse } from '#extract/values/json.ts';
import { at, boolean, countOf, line, list, mediaUrl, moment, text, url } from '#extract/values/raw.ts';
import { parseJobGuid } from './job.ts';
import { HOME, dice } from './site.ts';

const SearchInput = z.object({
  ...JOB_KEYWORDS,
  location: JOB_LOCATION,
  radius: JOB_RADIUS,
  remote: z.boolean().default(false).describe('Only jobs that can be done from anywhere'),
  employment_type: z
    .enum(['full_time', 'part_time', 'contract', 'third_party'])
    .optional()
    .describe('Only jobs with this type of employment'),
  posted_within_days: JOB_AGE.describe('1, 3 or 7'),
});

type SearchInput = z.output<typeof SearchInput>;
type SearchSource = EndpointSource<typeof SearchInput, typeof JobSearchAnswer>;

const pageSource: SearchSource = {
  name: 'page',
  request: (input, { cursor }) => ({
    origin: 'web',
    path: '/jobs',
    query: buildPageQuery(input, parsePageNumber(cursor)),
  }),
  parse: ({ body, url: address }, { keywords }, { cursor }) =>
    readJobsPage(body, address, { page: parsePageNumber(cursor), keywords }),
};

/** The MCP server of the board, which returns the same list as the result of a tool. */
const toolSource: SearchSource = {
  name: 'mcp',
  request: (input, { cursor }) => ({
    origin: 'mcp',
    path: '/mcp',
    headers: { accept: 'application/json, text/event-stream' },
    post: {
      json: {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'search_jobs', arguments: buildToolArguments(input, parsePageNumber(cursor)) },
      },
    },
  }),
  parse({ body }, _, { cursor }) {
    const event = /^data:\s*(\{.*)$/m.exec(body)?.[1];
    const result = at(tryParse(event ?? body), 'result');
    const found = at(result, 'structuredContent') ?? tryParse(text(at(result, 'content', 0, 'text')) ?? '');
    return found === undefined ? unusable('the answer of the tool') : readResults(found, parsePageNumber(cursor), null);
  },
};

export const diceJobs = dice({
  path: '/jobs',
  summary: 'Search jobs of jobs-d by keywords and place',
  input: SearchInput,
  record: JobSearchAnswer,
  aliases: JOB_ALIASES,
  list: 'jobs',
  limit: { default: 20, most: 100 },
  sources: [pageSource, toolSource],
  expected: ['jobs.company', 'jobs.location_text', 'jobs.posted_at', 'jobs.employment_types'],
  canary: { keywords: 'engineer' },
});

/** The board's names of employment types. */
const EMPLOYMENT_TYPES = {
  full_time: 'FULLTIME',
  part_time: 'PARTTIME',
  contract: 'CONTRACTS',
  third_party: 'THIRD_PARTY',
} as const;

/** The board's names of ages, by days. */
const AGES: ReadonlyMap<number, string> = new Map([
  [1, 'ONE'],
  [3, 'THREE'],
  [7, 'SEVEN'],
]);

/** The number of jobs per page. */
const PAGE_SIZE = 20;

/** Builds the query of the result page. Throws `invalid_request`. */
function buildPageQuery(input: SearchInput, page: number) {
  const { keywords, location, radius, remote, employment_type: kind } = checkPlace(input);
  return {
    q: keywords,
    location,
    countryCode: location === undefined ? null : 'US',
    radius,
    radiusUnit: radius === undefined ? null : 'mi',
    page,
    pageSize: PAGE_SIZE,
    'filters.postedDate': formatAge(input) ?? null,
    'filters.employmentType': kind === undefined ? null : EMPLOYMENT_TYPES[kind],
    'filters.workplaceTypes': remote ? 'Remote' : null,
    language: 'en',
  };
}

/** Builds the arguments of the MCP tool. Throws `invalid_request`. */
function buildToolArguments(input: SearchInput, page: number) {
  const { keywords, location, radius, remote, employment_type: kind } = checkPlace(input);
  return {
    keyword: keywords,
    location,
    radius,
    radius_unit: radius === undefined ? undefined : 'mi',
    page_number: page,
    jobs_per_page: PAGE_SIZE,
    posted_date: formatAge(input),
    employment_types: kind === undefined ? undefined : [EMPLOYMENT_TYPES[kind]],
    workplace_types: remote ? ['Remote'] : undefined,
  };
}

function checkPlace(input: SearchInput): SearchInput {
  return input.radius !== undefined && input.location === undefined
    ? refuseParameter('radius', 'needs location')
    : input;
}

function formatAge({ posted_within_days: days }: SearchInput): string | undefined {
  if (days === undefined) return undefined;
  return AGES.get(days) ?? refuseParameter('posted_within_days', 'is 1, 3 or 7 on this board');
}

type JobsAnswer = ReturnType<SearchSource['parse']>;

const COMPANY_PATH = `${HOME}/company-profile/`;

type JobsQuery = { readonly page: number; readonly keywords: string };

/** Reads a result page: its streamed data, else its cards. The page of a job, which lists similar jobs, is refused. */
function readJobsPage(body: string, address: string, query: JobsQuery): JobsAnswer {
  const page = parsePage(body, address);
  if (jobPostingsIn(page).length > 0) return unusable('a list of jobs: the page is that of one job');
  const words = attributeAt(page, 'input[name="q"]', 'value');
  if (words !== null && !isSameSearch(words, query.keywords))
    return unusable(`the results of another search: ${words.slice(0, 100)}`);
  const found = valueAfter(flightOf(page), '"jobList":');
  // The data of a page marks only sponsored jobs.
  return found === undefined ? readCards(page, query.page) : readResults(found, query.page, false);
}

/** Reads the jobs and the number of pages from the data of a search. */
function readResults(found: unknown, wanted: number, unmarked: false | null): JobsAnswer {
  const items = at(found, 'data');
  const meta = at(found, 'meta');
  if (!Array.isArray(items)) return unusable('a list of jobs');
  const total = countOf(at(meta, 'totalResults'), null)?.value ?? null;
  const shown = countOf(at(meta, 'currentPage'), null)?.value ?? wanted;
  if (shown !== wanted) return unusable('the requested page of the list');
  const jobs = list(items).flatMap((item) => parseResult(item, unmarked) ?? []);
  if (jobs.length === 0) return items.length === 0 && total === 0 ? empty() : unusable('jobs that can be read');
  const pages = countOf(at(meta, 'pageCount'), null)?.value ?? 0;
  return pageOf({ jobs, total }, wanted < pages ? String(wanted + 1) : null);
}

function parseResult(item: unknown, unmarked: false | null): JobSummary | null {
  const id = parseJobGuid(line(at(item, 'guid')) ?? line(at(item, 'detailsPageUrl')) ?? '');
  const title = line(at(item, 'title'));
  if (id === null || title === null) return null;
  const kinds = list(at(item, 'workplaceTypes')).flatMap((kind) => line(kind) ?? []);
  return {
    ...buildEmptyJob({ id, job_id: id, url: `${HOME}/job-detail/${id}`, title }),
    company: parseCompany(item),
    location_text: line(at(item, 'jobLocation', 'displayName')),
    locations: parsePlace(at(item, 'jobLocation')),
    workplace: at(item, 'isRemote') === true ? 'remote' : parseWorkplace(kinds.join(' or ')),
    employment_types: parseEmploymentTypes(at(item, 'employmentType')),
    salary: buildSalary(null, line(at(item, 'salary'))),
    posted_at: moment(at(item, 'postedDate')),
    summary: text(at(item, 'summary')),
    easy_apply: boolean(at(item, 'easyApply')),
    sponsored: boolean(at(item, 'isFeatured')) ?? unmarked,
  };
}

function parsePlace(raw: unknown): JobSummary['locations'] {
  const [city, region, country] = [
    line(at(raw, 'city')),
    line(at(raw, 'region')) ?? line(at(raw, 'state')),
    line(at(raw, 'country')),
  ];
  if (city === null && region === null && country === null) return null;
  return [{ city, region, country, postal_code: line(at(raw, 'postalCode')), latitude: null, longitude: null }];
}

function parseCompany(item: unknown): JobSummary['company'] {
  const name = line(at(item, 'companyName'));
  if (name === null) return null;
  const profile = parseJobGuid(line(at(item, 'companyProfileId')) ?? '');
  return {
    name,
    url: url(at(item, 'companyPageUrl'), HOME) ?? (profile === null ? null : `${COMPANY_PATH}${profile}`),
    logo_url: mediaUrl(at(item, 'companyLogoUrl'), HOME),
  };
}

const NO_RESULTS_TEXT = /\b(?:no (?:jobs|results)(?: were)? (?:found|match)|couldn.t find any jobs|0 results)\b/i;

/** Reads the cards of the list, without those of similar jobs. */
function readCards(page: ParsedPage, wanted: number): JobsAnswer {
  const results = one(page, '[aria-label="Job search results"]');
  const cards = results === 0 ? [] : all(page, '[data-testid="job-card"]', results);
  const jobs = cards.flatMap((card) => parseCard(page, card) ?? []);
  if (jobs.length === 0) {
    const isNothing = cards.length === 0 && NO_RESULTS_TEXT.test(lineAt(page, 'main') ?? '');
    return isNothing ? empty() : unusable('a list of jobs');
  }
  const next = one(page, `a[href*="page=${wanted + 1}"]`);
  return pageOf({ jobs, total: null }, next === 0 ? null : String(wanted + 1));
}

function parseCard(page: ParsedPage, card: number): JobSummary | null {
  const id = parseJobGuid(attributeOf(page.tree, card, 'data-job-guid') ?? '');
  const title = lineAt(page, '[data-testid="job-search-job-detail-link"]', card);
  if (id === null || title === null) return null;
  const company = one(page, 'a[href*="/company-profile/"] p', card);
  const name = lineAt(page, '[data-testid="job-card-company-name"]', card) ?? lineOf(page, company);
  const lines = all(page, 'p:not([id])', card).flatMap((node) => lineOf(page, node) ?? []);
  const shown = lines.findIndex((shownLine) => shownLine.includes('•'));
  const isApart = lines[shown] === '•';
  const [place = null, age = null] = isApart
    ? [lines[shown - 1], lines[shown + 1]]
    : (lines[shown]?.split(/\s*•\s*/) ?? []);
  return {
    ...buildEmptyJob({ id, job_id: id, url: `${HOME}/job-detail/${id}`, title }),
    company:
      name === null
        ? null
        : {
            name,
            url: url(attributeAt(page, 'a[href*="/company-profile/"]', 'href', card), HOME),
            logo_url: mediaUrl(attributeAt(page, 'img[alt]', 'src', card), HOME),
          },
    location_text: place,
    workplace: parseWorkplace(place),
    employment_types: parseEmploymentTypes(lineAt(page, '[id="employmentType-label"]', card)),
    salary: buildSalary(null, lineAt(page, '[id="salary-label"]', card)),
    posted_text: age,
    summary: lines[shown + (isApart ? 2 : 1)] ?? null,
    easy_apply: one(page, '[id="easyApply-label"]', card) !== 0,
    sponsored: one(page, '[id="isFeatured-label"]', card) !== 0,
  };
}
