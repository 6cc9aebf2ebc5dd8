import { z } from 'zod';
import type { SiteView } from '#sites/framework/request.ts';
import { refuseReference } from '#sites/framework/site.ts';
import { refusePlace } from '#sites/place-kinds.ts';
import { JobAnswer } from '#sites/job-record.ts';
import { jobKeyIn, jobKeyOf } from './fields.ts';
import { readJobPage } from './job-page.ts';
import { JOBS_S_PLACES, jobsS } from './site.ts';

const JobSInput = z.object({
  job_id: z.string().min(1).max(500).optional().describe('As the search gives it'),
  url: z.url().max(2000).optional().describe('The page of the job'),
});

function keyOf({ job_id: given, url }: z.output<typeof JobSInput>, site: SiteView): string {
  const isAddress = given === undefined || given.includes('://');
  if (!isAddress) return jobKeyOf(given) ?? refuseReference('job_id', 'is no job of this board');
  const place = site.locate(given ?? url ?? '');
  const parameter = given === undefined ? 'url' : 'job_id';
  return jobKeyIn(place?.path ?? '') ?? refusePlace({ parameter, place, kinds: JOBS_S_PLACES, wanted: 'a job' });
}

export const jobsSJob = jobsS({
  path: '/job',
  summary: 'One job of jobs-s by its job_id or url',
  input: JobSInput,
  anyOf: ['job_id', 'url'],
  aliases: { job_id: ['id'] },
  record: JobAnswer,
  expected: ['job.description_text', 'job.company', 'job.location_text', 'job.posted_at', 'job.employment_types'],
  canary: { job_id: 'aVw3Uq0tT9m2Kx7Zr4Yp1Bc6Dn8Ef5Gh' },
  request: (input, site) => ({ origin: 'web', path: `/job/${keyOf(input, site)}` }),
  parse: (source, input, site) => readJobPage(source, keyOf(input, site)),
});
