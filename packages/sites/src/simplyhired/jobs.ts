import { z } from 'zod';
import { answerEmpty, buildPage, markPartial, unusable } from '#sites/framework/answers.ts';
import { refuseParameter } from '#sites/framework/site.ts';
import {
  buildEmptyJob,
  parseEmploymentTypes,
  JobSearchAnswer,
  type JobSummary,
  buildSalary,
  parseWorkplace,
  JOB_AGE,
  JOB_ALIASES,
  JOB_KEYWORDS,
  JOB_LOCATION,
  JOB_RADIUS,
} from '#sites/framework/jobs.ts';
import { selectAll, readAttributeAt, readLineAt, selectFirst } from '#extract/dom/elements.ts';
import { type ParsedPage, parsePage } from '#extract/dom/parsed-page.ts';
import { findJsonScript } from '#extract/dom/scripts.ts';
import { getAttribute } from '#extract/html/tree.ts';
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
import { parseJobKey, parseLabels, HOME, simplyHired } from './site.ts';

const SearchInput = z.object({
  ...JOB_KEYWORDS,
  location: JOB_LOCATION,
  radius: JOB_RADIUS,
  posted_within_days: JOB_AGE.describe('Maximum age in days'),
  sort: z.enum(['relevance', 'date']).default('relevance').describe('The order of the jobs'),
});

type SearchInput = z.output<typeof SearchInput>;

export const simplyHiredJobs = simplyHired({
  path: '/jobs',
  summary: 'Search jobs of jobs-s by keywords and place',
  input: SearchInput,
  record: JobSearchAnswer,
  aliases: JOB_ALIASES,
  list: 'jobs',
  limit: { default: 20, max: 100 },
  expected: ['jobs.company', 'jobs.location_text', 'jobs.posted_at', 'jobs.summary'],
  canary: { keywords: 'engineer' },
  request: (input, { cursor }) => ({
    origin: 'web',
    path: '/search',
    query: { ...buildQuery(input), cursor: parsePageToken(cursor).token },
  }),
  parse: ({ body, url: address }, _, { cursor }) => readJobsPage(body, address, parsePageToken(cursor).page),
});

/** A page by its number and the site's token, which does not contain the number. */
type PageToken = { readonly page: number; readonly token: string | null };

/** Parses the cursor, which has the form `<page>:<token>`. */
function parsePageToken(cursor: string | null): PageToken {
  const [, page, token] = /^(\d{1,4}):(.{1,3000})$/s.exec(cursor ?? '') ?? [];
  return page === undefined || token === undefined ? { page: 1, token: null } : { page: Number(page), token };
}

/** Builds the query of a search. Throws `invalid_request`. */
function buildQuery({ keywords, location, radius, posted_within_days: days, sort }: SearchInput) {
  if (radius !== undefined && location === undefined) refuseParameter('radius', 'needs location');
  return { q: keywords, l: location ?? '', mi: radius, fdb: days, sb: sort === 'date' ? 'dd' : null };
}

/** Reads a result page: its embedded data, else its cards. */
function readJobsPage(body: string, address: string, wanted: number) {
  const page = parsePage(body, address);
  const data = getPath(findJsonScript(page, { id: '__NEXT_DATA__' }), 'props', 'pageProps');
  const found = getPath(data, 'jobs');
  if (!Array.isArray(found)) return readCards(page, wanted);
  const jobs = toArray(found).flatMap((item) => parseListedJob(item) ?? []);
  const total = toCount(getPath(data, 'resultCount'), null)?.value ?? null;
  if (jobs.length === 0) return found.length === 0 && (total ?? 0) === 0 ? answerEmpty() : unusable('no readable jobs');
  return buildPage(
    { jobs, total },
    formatPageToken(wanted + 1, toLine(getPath(data, 'pageCursors', String(wanted + 1)))),
  );
}

/** Parses a job of the board's data. Null if it has no key or no title. */
function parseListedJob(raw: unknown): JobSummary | null {
  const id = parseJobKey(getPath(raw, 'jobKey'));
  const title = toLine(getPath(raw, 'title'));
  if (id === null || title === null) return null;
  const name = toLine(getPath(raw, 'company'));
  const place = toLine(getPath(raw, 'location'));
  const remote = parseLabels(getPath(raw, 'remoteAttributes'))?.join(' ') ?? null;
  const pay = toLine(getPath(raw, 'salaryInfo'));
  return {
    ...buildEmptyJob({ id, job_id: id, url: `${HOME}/job/${id}`, title }),
    company:
      name === null
        ? null
        : {
            name,
            url: toCleanUrl(getPath(raw, 'companyPageUrl'), HOME),
            logo_url: toMediaUrl(getPath(raw, 'companyLogoUrl') ?? getPath(raw, 'logoUrl'), HOME),
          },
    location_text: place,
    workplace: parseWorkplace(remote) ?? parseWorkplace(place),
    employment_types: parseEmploymentTypes(parseLabels(getPath(raw, 'jobTypes'))),
    salary: buildSalary(null, pay, pay === null ? null : toBoolean(getPath(raw, 'isSalaryEstimate'))),
    posted_at: toTimestamp(getPath(raw, 'dateOnIndeed')),
    summary: toText(getPath(raw, 'snippet')),
    easy_apply: toBoolean(getPath(raw, 'indeedApply')),
    sponsored: toBoolean(getPath(raw, 'sponsored')),
  };
}

function formatPageToken(page: number, token: string | null): string | null {
  return token === null ? null : `${page}:${token}`;
}

const NO_RESULTS_TEXT = /\bno jobs (?:were )?found\b|couldn.t find any|did not match any/i;

function readCards(page: ParsedPage, wanted: number) {
  const cards = selectAll(page, '[data-testid="searchSerpJob"]');
  const jobs = cards.flatMap((card) => parseCard(page, card) ?? []);
  if (jobs.length === 0) {
    const isNothing = cards.length === 0 && NO_RESULTS_TEXT.test(readLineAt(page, 'main') ?? '');
    return isNothing ? answerEmpty() : unusable('no list of jobs');
  }
  const total =
    toCount(readLineAt(page, '[data-testid="headerSerpJobCount"]')?.replaceAll(/[^\d,]/g, ''), null)?.value ?? null;
  const link = URL.parse(readAttributeAt(page, '[data-testid="pageNumberBlockNext"]', 'href') ?? '', page.url);
  const next = formatPageToken(wanted + 1, link?.searchParams.get('cursor') ?? null);
  return markPartial(
    buildPage({ jobs, total }, next),
    'the cards of the list have neither dates nor types of employment',
  );
}

function parseCard(page: ParsedPage, card: number): JobSummary | null {
  const id = parseJobKey(getAttribute(page.tree, card, 'data-jobkey'));
  const title = readLineAt(page, 'a', selectFirst(page, '[data-testid="searchSerpJobTitle"]', card));
  if (id === null || title === null) return null;
  const name = readLineAt(page, '[data-testid="companyName"]', card);
  const place = readLineAt(page, '[data-testid="searchSerpJobLocation"]', card);
  const pay = readLineAt(page, '[data-testid^="searchSerpJobSalary"], [data-testid^="salaryChip"]', card);
  const isEstimate =
    /estimated/i.test(pay ?? '') || selectFirst(page, '[data-testid="searchSerpJobSalaryEst"]', card) !== 0;
  return {
    ...buildEmptyJob({ id, job_id: id, url: `${HOME}/job/${id}`, title }),
    company: name === null ? null : { name, url: null, logo_url: null },
    location_text: place,
    workplace: parseWorkplace(place),
    salary: buildSalary(null, pay, pay === null ? null : isEstimate),
    posted_text: readLineAt(page, '[data-testid="searchSerpJobDateStamp"]', card),
    summary: readLineAt(page, '[data-testid="searchSerpJobSnippet"]', card),
    easy_apply: selectFirst(page, '[data-testid="searchSerpJobQuickApply"]', card) !== 0,
  };
}
