import { empty, pageOf, partly, unusable } from '#sites/framework/answers.ts';
import { things } from '#extract/dom/described.ts';
import { all, attributeAt, lineAt, lineOf, one } from '#extract/dom/elements.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { line, mediaUrl, text, url } from '#extract/values/raw.ts';
import { bareJob, toSalary, workplaceOf } from '#sites/job-record.ts';
import type { JobSummary } from '#sites/job-record.ts';
import { besideIcon, jobNumberIn } from './fields.ts';
import { JOBS_B_HOME } from './site.ts';

const EASY = /^easy apply$/i;
/** Jobs on a full page. */
const SIZE = 20;
const NOTHING = /\bno (?:job )?(?:results|jobs)\b|couldn.t find any jobs|\b0 (?:jobs|results)\b/i;

/** A page of a search: its cards, with what it describes of each for search engines. */
export function readBoardPage(body: string, address: string, asked: number) {
  const page = parsePage(body, address);
  const described = describedIn(page);
  const cards = all(page, '[data-id="job-card"]');
  const shown = cards.flatMap((card) => toCard(page, card, described) ?? []);
  if (cards.length > 0 && shown.length === 0) return unusable('jobs that can be read');
  const jobs = shown.length > 0 ? shown : [...described.values()];
  if (jobs.length === 0) return NOTHING.test(lineAt(page, 'main') ?? '') ? empty() : unusable('a list of jobs');
  const links = all(page, 'a[href*="page="]').length > 0;
  const isMore = links ? one(page, `a[href*="page=${asked + 1}"]`) !== 0 : jobs.length >= SIZE;
  const list = pageOf({ jobs, total: null }, isMore ? String(asked + 1) : null);
  return cards.length > 0 ? list : partly(list, 'the cards of the jobs: company, place, pay and age');
}

/** The jobs that the page describes, by their numbers. */
function describedIn(page: ParsedPage): ReadonlyMap<string, JobSummary> {
  return new Map(
    things(page, 'ListItem').flatMap(({ members }) => {
      const address = URL.parse(line(members['url']) ?? '', JOBS_B_HOME);
      const id = jobNumberIn(address?.pathname ?? '');
      const title = line(members['name']);
      if (address === null || id === null || title === null) return [];
      const job = bareJob({ id, job_id: null, url: `${JOBS_B_HOME}${address.pathname}`, title });
      return [[id, { ...job, summary: text(members['description']) }] as const];
    }),
  );
}

function toCard(page: ParsedPage, card: number, described: ReadonlyMap<string, JobSummary>): JobSummary | null {
  const address = URL.parse(attributeAt(page, 'a[data-id="job-card-title"]', 'href', card) ?? '', JOBS_B_HOME);
  const id = jobNumberIn(address?.pathname ?? '');
  const title = lineAt(page, 'a[data-id="job-card-title"]', card);
  if (address === null || id === null || title === null) return null;
  const name = lineAt(page, '[data-id="company-title"]', card);
  const place = besideIcon(page, 'fa-location-dot', card);
  return {
    ...bareJob({ id, job_id: null, url: `${JOBS_B_HOME}${address.pathname}`, title }),
    company:
      name === null
        ? null
        : {
            name,
            url: url(attributeAt(page, 'a[data-id="company-title"]', 'href', card), JOBS_B_HOME),
            logo_url: mediaUrl(attributeAt(page, 'img[data-id="company-img"]', 'src', card), JOBS_B_HOME),
          },
    location_text: place,
    workplace: workplaceOf(besideIcon(page, 'fa-house-building', card)),
    salary: toSalary(null, besideIcon(page, 'fa-sack-dollar', card)),
    posted_text: besideIcon(page, 'fa-clock', card),
    summary: described.get(id)?.summary ?? null,
    easy_apply: all(page, 'span, div', card).some((node) => EASY.test(lineOf(page, node) ?? '')) || null,
  };
}
