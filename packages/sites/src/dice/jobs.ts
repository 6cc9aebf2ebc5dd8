import { z } from 'zod';
import { answerEmpty, buildPage, unusable } from '#sites/framework/answers.ts';
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
import { selectAll, readAttributeAt, readLineAt, readSingleLine, selectFirst } from '#extract/dom/elements.ts';
import { readFlightData } from '#extract/dom/scripts.ts';
import { listJobPostings } from '#extract/dom/job-posting.ts';
import { type ParsedPage, parsePage } from '#extract/dom/parsed-page.ts';
import { getAttribute } from '#extract/html/tree.ts';
import { findValueAfter } from '#extract/json/embedded-json.ts';
import { parseJsonValue } from '#extract/values/json.ts';
import {
  getPath,
  toBoolean,
  toCount,
  toLine,
  toArray,
  toMediaUrl,
  toTimestamp,
  toText,
  toCleanUrl,
} from '#extract/values/raw.ts';
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
    const result = getPath(parseJsonValue(event ?? body), 'result');
    const found =
      getPath(result, 'structuredContent') ?? parseJsonValue(toText(getPath(result, 'content', 0, 'text')) ?? '');
    return found === undefined
      ? unusable('the answer of the tool is missing')
      : readResults(found, parsePageNumber(cursor), null);
  },
};

export const diceJobs = dice({
  path: '/jobs',
  summary: 'Search jobs of jobs-d by keywords and place',
  input: SearchInput,
  record: JobSearchAnswer,
  aliases: JOB_ALIASES,
  list: 'jobs',
  limit: { default: 20, max: 100 },
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
  if (listJobPostings(page).length > 0) return unusable('no list of jobs: the page is that of one job');
  const words = readAttributeAt(page, 'input[name="q"]', 'value');
  if (words !== null && !isSameSearch(words, query.keywords))
    return unusable(`results of another search: ${words.slice(0, 100)}`);
  const jobList = findValueAfter(readFlightData(page), '"jobList":');
  // The data of a page marks only sponsored jobs.
  return jobList === undefined ? readCards(page, query.page) : readResults(jobList, query.page, false);
}

/** Reads the jobs and the number of pages from the data of a search. */
function readResults(jobList: unknown, wanted: number, unmarked: false | null): JobsAnswer {
  const items = getPath(jobList, 'data');
  const meta = getPath(jobList, 'meta');
  if (!Array.isArray(items)) return unusable('no list of jobs');
  const total = toCount(getPath(meta, 'totalResults'), null)?.value ?? null;
  const shown = toCount(getPath(meta, 'currentPage'), null)?.value ?? wanted;
  if (shown !== wanted) return unusable('the requested page of the list is missing');
  const jobs = toArray(items).flatMap((item) => parseResult(item, unmarked) ?? []);
  if (jobs.length === 0) return items.length === 0 && total === 0 ? answerEmpty() : unusable('no readable jobs');
  const pages = toCount(getPath(meta, 'pageCount'), null)?.value ?? 0;
  return buildPage({ jobs, total }, wanted < pages ? String(wanted + 1) : null);
}

function parseResult(item: unknown, unmarked: false | null): JobSummary | null {
  const id = parseJobGuid(toLine(getPath(item, 'guid')) ?? toLine(getPath(item, 'detailsPageUrl')) ?? '');
  const title = toLine(getPath(item, 'title'));
  if (id === null || title === null) return null;
  const kinds = toArray(getPath(item, 'workplaceTypes')).flatMap((kind) => toLine(kind) ?? []);
  return {
    ...buildEmptyJob({ id, job_id: id, url: `${HOME}/job-detail/${id}`, title }),
    company: parseCompany(item),
    location_text: toLine(getPath(item, 'jobLocation', 'displayName')),
    locations: parsePlace(getPath(item, 'jobLocation')),
    workplace: getPath(item, 'isRemote') === true ? 'remote' : parseWorkplace(kinds.join(' or ')),
    employment_types: parseEmploymentTypes(getPath(item, 'employmentType')),
    salary: buildSalary(null, toLine(getPath(item, 'salary'))),
    posted_at: toTimestamp(getPath(item, 'postedDate')),
    summary: toText(getPath(item, 'summary')),
    easy_apply: toBoolean(getPath(item, 'easyApply')),
    sponsored: toBoolean(getPath(item, 'isFeatured')) ?? unmarked,
  };
}

function parsePlace(raw: unknown): JobSummary['locations'] {
  const [city, region, country] = [
    toLine(getPath(raw, 'city')),
    toLine(getPath(raw, 'region')) ?? toLine(getPath(raw, 'state')),
    toLine(getPath(raw, 'country')),
  ];
  if (city === null && region === null && country === null) return null;
  return [{ city, region, country, postal_code: toLine(getPath(raw, 'postalCode')), latitude: null, longitude: null }];
}

function parseCompany(item: unknown): JobSummary['company'] {
  const name = toLine(getPath(item, 'companyName'));
  if (name === null) return null;
  const profile = parseJobGuid(toLine(getPath(item, 'companyProfileId')) ?? '');
  return {
    name,
    url: toCleanUrl(getPath(item, 'companyPageUrl'), HOME) ?? (profile === null ? null : `${COMPANY_PATH}${profile}`),
    logo_url: toMediaUrl(getPath(item, 'companyLogoUrl'), HOME),
  };
}

const NO_RESULTS_TEXT = /\b(?:no (?:jobs|results)(?: were)? (?:found|match)|couldn.t find any jobs|0 results)\b/i;

/** Reads the cards of the list, without those of similar jobs. */
function readCards(page: ParsedPage, wanted: number): JobsAnswer {
  const results = selectFirst(page, '[aria-label="Job search results"]');
  const cards = results === 0 ? [] : selectAll(page, '[data-testid="job-card"]', results);
  const jobs = cards.flatMap((card) => parseCard(page, card) ?? []);
  if (jobs.length === 0) {
    const isNothing = cards.length === 0 && NO_RESULTS_TEXT.test(readLineAt(page, 'main') ?? '');
    return isNothing ? answerEmpty() : unusable('no list of jobs');
  }
  const next = selectFirst(page, `a[href*="page=${wanted + 1}"]`);
  return buildPage({ jobs, total: null }, next === 0 ? null : String(wanted + 1));
}

function parseCard(page: ParsedPage, card: number): JobSummary | null {
  const id = parseJobGuid(getAttribute(page.tree, card, 'data-job-guid') ?? '');
  const title = readLineAt(page, '[data-testid="job-search-job-detail-link"]', card);
  if (id === null || title === null) return null;
  const company = selectFirst(page, 'a[href*="/company-profile/"] p', card);
  const name = readLineAt(page, '[data-testid="job-card-company-name"]', card) ?? readSingleLine(page, company);
  const lines = selectAll(page, 'p:not([id])', card).flatMap((node) => readSingleLine(page, node) ?? []);
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
            url: toCleanUrl(readAttributeAt(page, 'a[href*="/company-profile/"]', 'href', card), HOME),
            logo_url: toMediaUrl(readAttributeAt(page, 'img[alt]', 'src', card), HOME),
          },
    location_text: place,
    workplace: parseWorkplace(place),
    employment_types: parseEmploymentTypes(readLineAt(page, '[id="employmentType-label"]', card)),
    salary: buildSalary(null, readLineAt(page, '[id="salary-label"]', card)),
    posted_text: age,
    summary: lines[shown + (isApart ? 2 : 1)] ?? null,
    easy_apply: selectFirst(page, '[id="easyApply-label"]', card) !== 0,
    sponsored: selectFirst(page, '[id="isFeatured-label"]', card) !== 0,
  };
}
