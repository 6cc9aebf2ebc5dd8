import { unusable } from '#sites/framework/answers.ts';
import { tryParse } from '#extract/values/json.ts';
import { at, text } from '#extract/values/raw.ts';
import { JobBoardPage } from '#sites/job-record.ts';
import { JOB_ALIASES, jobPageOf } from '#sites/job-search.ts';
import { JobsDInput, pageQueryOf, toolArgumentsOf } from './jobs-input.ts';
import { readFound, readJobsPage } from './jobs-list.ts';
import type { JobsDSource } from './jobs-list.ts';
import { jobsD } from './site.ts';

const page: JobsDSource = {
  name: 'page',
  request: (input, { cursor }) => ({ origin: 'web', path: '/jobs', query: pageQueryOf(input, jobPageOf(cursor)) }),
  parse: ({ body, url }, { keywords }, { cursor }) => readJobsPage(body, url, { page: jobPageOf(cursor), keywords }),
};

/** The interface that the board offers to agents: the same list as the answer to a tool. */
const tool: JobsDSource = {
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
        params: { name: 'search_jobs', arguments: toolArgumentsOf(input, jobPageOf(cursor)) },
      },
    },
  }),
  parse({ body }, _, { cursor }) {
    const event = /^data:\s*(\{.*)$/m.exec(body)?.[1];
    const result = at(tryParse(event ?? body), 'result');
    const found = at(result, 'structuredContent') ?? tryParse(text(at(result, 'content', 0, 'text')) ?? '');
    return found === undefined ? unusable('the answer of the tool') : readFound(found, jobPageOf(cursor), null);
  },
};

export const jobsDJobs = jobsD({
  path: '/jobs',
  summary: 'Search jobs of jobs-d by keywords and place',
  input: JobsDInput,
  record: JobBoardPage,
  aliases: JOB_ALIASES,
  list: 'jobs',
  limit: { default: 20, most: 100 },
  sources: [page, tool],
  expected: ['jobs.company', 'jobs.location_text', 'jobs.posted_at', 'jobs.employment_types'],
  canary: { keywords: 'engineer' },
});
