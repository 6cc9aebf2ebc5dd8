import { JobBoardPage } from '#sites/job-record.ts';
import { JOB_ALIASES } from '#sites/job-search.ts';
import { JobsSInput, searchQueryOf, pageTokenIn } from './jobs-input.ts';
import { readFoundJobs } from './jobs-page.ts';
import { jobsS } from './site.ts';

export const jobsSJobs = jobsS({
  path: '/jobs',
  summary: 'Search jobs of jobs-s by keywords and place',
  input: JobsSInput,
  record: JobBoardPage,
  aliases: JOB_ALIASES,
  list: 'jobs',
  limit: { default: 20, most: 100 },
  expected: ['jobs.company', 'jobs.location_text', 'jobs.posted_at', 'jobs.summary'],
  canary: { keywords: 'engineer' },
  request: (input, { cursor }) => ({
    origin: 'web',
    path: '/search',
    query: { ...searchQueryOf(input), cursor: pageTokenIn(cursor).token },
  }),
  parse: ({ body, url }, _, { cursor }) => readFoundJobs(body, url, pageTokenIn(cursor).page),
});
