import { at, boolean, line, list, mediaUrl, moment, text, url } from '#extract/values/raw.ts';
import { bareJob, employmentOf, orNull, toSalary, workplaceOf } from '#sites/job-record.ts';
import type { JobSummary } from '#sites/job-record.ts';
import { JOBS_S_HOME } from './site.ts';

const KEY = /^[A-Za-z0-9_-]{20,200}$/;

/** The key of a job; null for what is none. */
export function jobKeyOf(raw: unknown): string | null {
  const key = line(raw);
  return key !== null && KEY.test(key) ? key : null;
}

/** The key of a job in the path of its page. */
export function jobKeyIn(path: string): string | null {
  return jobKeyOf(/^\/job\/([^/?#]+)/.exec(path)?.[1] ?? null);
}

/** Texts of a list; null where the site has none. */
export function labelsIn(raw: unknown): readonly string[] | null {
  return orNull(list(raw).flatMap((one) => line(at(one, 'label') ?? one) ?? []));
}

/** A job of a list in the board's own data; null for what has neither key nor title. */
export function toListedJob(raw: unknown): JobSummary | null {
  const id = jobKeyOf(at(raw, 'jobKey'));
  const title = line(at(raw, 'title'));
  if (id === null || title === null) return null;
  const name = line(at(raw, 'company'));
  const place = line(at(raw, 'location'));
  const remote = labelsIn(at(raw, 'remoteAttributes'))?.join(' ') ?? null;
  const pay = line(at(raw, 'salaryInfo'));
  return {
    ...bareJob({ id, job_id: id, url: `${JOBS_S_HOME}/job/${id}`, title }),
    company:
      name === null
        ? null
        : {
            name,
            url: url(at(raw, 'companyPageUrl'), JOBS_S_HOME),
            logo_url: mediaUrl(at(raw, 'companyLogoUrl') ?? at(raw, 'logoUrl'), JOBS_S_HOME),
          },
    location_text: place,
    workplace: workplaceOf(remote) ?? workplaceOf(place),
    employment_types: employmentOf(labelsIn(at(raw, 'jobTypes'))),
    salary: toSalary(null, pay, pay === null ? null : boolean(at(raw, 'isSalaryEstimate'))),
    posted_at: moment(at(raw, 'dateOnIndeed')),
    summary: text(at(raw, 'snippet')),
    easy_apply: boolean(at(raw, 'indeedApply')),
    sponsored: boolean(at(raw, 'sponsored')),
  };
}
