import { JobBoardPage } from '#sites/job-record.ts';
import { JOB_ALIASES, jobPageOf } from '#sites/job-search.ts';
import { boardRequestOf, JobsBInput } from './jobs-input.ts';
import { readBoardPage } from './jobs-page.ts';
import { jobsB } from './site.ts';

export const jobsBJobs = jobsB({
  path: '/jobs',
  summary: 'Search jobs by keywords',
  input: JobsBInput,
  record: JobBoardPage,
  aliases: JOB_ALIASES,
  list: 'jobs',
  limit: { default: 20, most: 100 },
  expected: ['jobs.company', 'jobs.location_text', 'jobs.workplace', 'jobs.posted_text'],
  canary: { keywords: 'engineer' },
  request: (input, { cursor }) => boardRequestOf(input, jobPageOf(cursor)),
  parse: ({ body, url }, _, { cursor }) => readBoardPage(body, url, jobPageOf(cursor)),
});
