import { z } from 'zod';
import { answerEmpty, buildPage, markPartial, unusable } from '#sites/framework/answers.ts';
import { refuseParameter } from '#sites/framework/site.ts';
import {
  buildEmptyJob,
  JobSearchAnswer,
  type JobSummary,
  buildSalary,
  parseWorkplace,
  JOB_AGE,
  JOB_ALIASES,
  JOB_KEYWORDS,
  parsePageNumber,
} from '#sites/framework/jobs.ts';
import {
  listEntities,
  selectAll,
  readAttributeAt,
  readLineAt,
  readSingleLine,
  selectFirst,
} from '#extract/dom/elements.ts';
import { type ParsedPage, parsePage } from '#extract/dom/parsed-page.ts';
import { toLine, toMediaUrl, toText, toCleanUrl } from '#extract/values/raw.ts';
import { findTextByIcon, parseJobNumber, HOME, builtIn } from './site.ts';

const SearchInput = z.object({
  ...JOB_KEYWORDS,
  remote: z.boolean().default(false).describe('Only jobs that can be done from anywhere'),
  posted_within_days: JOB_AGE.describe('1, 3, 7 or 30'),
});

type SearchInput = z.output<typeof SearchInput>;

export const builtInJobs = builtIn({
  path: '/jobs',
  summary: 'Search jobs by keywords',
  input: SearchInput,
  record: JobSearchAnswer,
  aliases: JOB_ALIASES,
  list: 'jobs',
  limit: { default: 20, max: 100 },
  expected: ['jobs.company', 'jobs.location_text', 'jobs.workplace', 'jobs.posted_text'],
  canary: { keywords: 'engineer' },
  request: (input, { cursor }) => buildRequest(input, parsePageNumber(cursor)),
  parse: ({ body, url: address }, _, { cursor }) => readJobsPage(body, address, parsePageNumber(cursor)),
});

const AGES: ReadonlySet<number> = new Set([1, 3, 7, 30]);

/** Builds the request for a search. Throws `invalid_request`. */
function buildRequest({ keywords, remote, posted_within_days: days }: SearchInput, page: number) {
  if (days !== undefined && !AGES.has(days)) refuseParameter('posted_within_days', 'is 1, 3, 7 or 30 on this board');
  return {
    origin: 'web',
    path: remote ? '/jobs/remote' : '/jobs',
    query: { search: keywords, daysSinceUpdated: days, allLocations: true, page: page === 1 ? null : page },
  };
}

const EASY_APPLY = /^easy apply$/i;

/** The number of jobs on a full page. */
const PAGE_SIZE = 20;

const NO_RESULTS_TEXT = /\bno (?:job )?(?:results|jobs)\b|couldn.t find any jobs|\b0 (?:jobs|results)\b/i;

/** Reads a result page: its cards, with the schema.org data of each. */
function readJobsPage(body: string, address: string, wanted: number) {
  const page = parsePage(body, address);
  const described = indexDescribedJobs(page);
  const cards = selectAll(page, '[data-id="job-card"]');
  const shown = cards.flatMap((card) => parseCard(page, card, described) ?? []);
  if (cards.length > 0 && shown.length === 0) return unusable('no readable jobs');
  const jobs = shown.length > 0 ? shown : [...described.values()];
  if (jobs.length === 0)
    return NO_RESULTS_TEXT.test(readLineAt(page, 'main') ?? '') ? answerEmpty() : unusable('no list of jobs');
  const links = selectAll(page, 'a[href*="page="]').length > 0;
  const isMore = links ? selectFirst(page, `a[href*="page=${wanted + 1}"]`) !== 0 : jobs.length >= PAGE_SIZE;
  const list = buildPage({ jobs, total: null }, isMore ? String(wanted + 1) : null);
  return cards.length > 0 ? list : markPartial(list, 'the cards of the jobs: company, place, pay and age');
}

/** Indexes the jobs in the schema.org data of the page by id. */
function indexDescribedJobs(page: ParsedPage): ReadonlyMap<string, JobSummary> {
  return new Map(
    listEntities(page, 'ListItem').flatMap(({ members }) => {
      const address = URL.parse(toLine(members['url']) ?? '', HOME);
      const id = parseJobNumber(address?.pathname ?? '');
      const title = toLine(members['name']);
      if (address === null || id === null || title === null) return [];
      const job = buildEmptyJob({ id, job_id: null, url: `${HOME}${address.pathname}`, title });
      return [[id, { ...job, summary: toText(members['description']) }] as const];
    }),
  );
}

function parseCard(page: ParsedPage, card: number, described: ReadonlyMap<string, JobSummary>): JobSummary | null {
  const address = URL.parse(readAttributeAt(page, 'a[data-id="job-card-title"]', 'href', card) ?? '', HOME);
  const id = parseJobNumber(address?.pathname ?? '');
  const title = readLineAt(page, 'a[data-id="job-card-title"]', card);
  if (address === null || id === null || title === null) return null;
  const name = readLineAt(page, '[data-id="company-title"]', card);
  const place = findTextByIcon(page, 'fa-location-dot', card);
  return {
    ...buildEmptyJob({ id, job_id: null, url: `${HOME}${address.pathname}`, title }),
    company:
      name === null
        ? null
        : {
            name,
            url: toCleanUrl(readAttributeAt(page, 'a[data-id="company-title"]', 'href', card), HOME),
            logo_url: toMediaUrl(readAttributeAt(page, 'img[data-id="company-img"]', 'src', card), HOME),
          },
    location_text: place,
    workplace: parseWorkplace(findTextByIcon(page, 'fa-house-building', card)),
    salary: buildSalary(null, findTextByIcon(page, 'fa-sack-dollar', card)),
    posted_text: findTextByIcon(page, 'fa-clock', card),
    summary: described.get(id)?.summary ?? null,
    easy_apply:
      selectAll(page, 'span, div', card).some((node) => EASY_APPLY.test(readSingleLine(page, node) ?? '')) || null,
  };
}
