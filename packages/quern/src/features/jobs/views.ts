import { z } from 'zod';
import type { CommandView } from '#engine/call/command-view.ts';
import { CHANGES, READS_OWN, type Tool, type ToolView } from '#engine/call/tool-view.ts';
import { JobRecord } from '#engine/jobs/job-record.ts';
import { isJsonObject, type JsonObject } from '#extract/values/json-object.ts';
import { toAgentPage } from '#features/schema/agent-page.ts';

/** The default number of rows for agents. */
const DEFAULT_LIST_ROWS = 20;
const DEFAULT_RESULT_ROWS = 100;

const JOB_TOOL: Tool = {
  name: 'job',
  title: 'Work with jobs',
  task: 'background work and its results',
  about:
    'Use this for background work: to check a crawl, map or session that is still running, to read its result, to cancel it, or to submit any operation as a job.',
  hints: CHANGES,
  hasActions: true,
};

const FACTS = { id: 'string', status: 'string' } as const;

export const SUBMIT_TOOL: ToolView = {
  tool: JOB_TOOL,
  members: { kind: 'Operation, such as fetch', input: 'The input of that operation', webhook: null },
  serves: 'submit',
  toShown: toAgentJob,
  facts: FACTS,
};

export const JOBS_TOOL: ToolView = {
  tool: JOB_TOOL,
  members: { status: null, cursor: null },
  toInput: (given) => ({ limit: DEFAULT_LIST_ROWS, ...given }),
  toShown: ({ data, next_cursor: next }) => ({
    jobs: Array.isArray(data) && data.length > 0 ? data.filter(isJsonObject).map(toJobLine) : 'none',
    next_cursor: next,
  }),
};

export const SHOW_JOB_TOOL: ToolView = {
  tool: JOB_TOOL,
  members: { id: null, wait_ms: 'Wait up to this many ms for it to end, at most 30000' },
  serves: 'show',
  toShown: toAgentJob,
  facts: FACTS,
};

export const RESULT_TOOL: ToolView = {
  tool: JOB_TOOL,
  members: { id: null, partial: 'Return the result so far of a running job', cursor: null },
  serves: 'result',
  toInput: (given) => ('format' in given ? given : { limit: DEFAULT_RESULT_ROWS, outline: true, ...given }),
  toShown: toAgentResult,
  facts: { ...FACTS, complete: 'boolean', stop_reason: 'string' },
};

export const CANCEL_JOB_TOOL: ToolView = { tool: JOB_TOOL, members: { id: null }, toShown: toAgentJob, facts: FACTS };

export const JOB_DELIVERIES_TOOL: ToolView = {
  tool: JOB_TOOL,
  members: { id: null, cursor: null },
  toInput: (given) => ({ limit: DEFAULT_LIST_ROWS, ...given }),
};

export const READ_PAGE_TOOL: ToolView = {
  tool: {
    name: 'read_page',
    title: 'Read a page of a crawl',
    task: 'the text of a crawled page',
    about: 'Use this after crawl to read the text of one of its pages. It is free.',
    hints: READS_OWN,
  },
  members: {
    id: 'The job id returned by crawl',
    place: 'Place of the page in the list, such as 1.0',
    url: 'Or its URL',
  },
  toShown: toAgentPage,
  facts: { url: 'string', title: 'string' },
};

/** Reduces a job to what agents need. */
function toAgentJob(body: JsonObject): JsonObject {
  const {
    request_id: _request,
    result_url: _where,
    result: _result,
    attempt: _attempt,
    cancel_requested: cancelled,
    expires_at: _until,
    ...rest
  } = body;
  return { ...rest, ...(cancelled === true ? { cancel_requested: true } : {}) };
}

function toJobLine({ id, kind, status, progress, created_at: at, input }: JsonObject): string {
  const done = isJsonObject(progress) ? String(progress['completed']) : '0';
  const url = isJsonObject(input) && typeof input['url'] === 'string' ? ` ${input['url']}` : '';
  return `${String(id)} ${String(kind)} ${String(status)}, ${done} done, ${String(at)}${url}`;
}

/** Formats the elements of a result as lines. A result without a list may be a page. */
function toAgentResult(body: JsonObject): JsonObject {
  const { request_id: _request, usage: _usage, next_cursor: next, ...rest } = body;
  const isOutlined = Object.values(rest).some((value) => Array.isArray(value) && value.some(isOutline));
  if (!isOutlined) return { ...toAgentPage(rest), ...(next === undefined ? {} : { next_cursor: next }) };
  const members = Object.entries(rest).map(([name, value]): [string, unknown] =>
    Array.isArray(value) && value.some(isOutline)
      ? [name, value.filter(isJsonObject).map(toOutlineLine)]
      : [name, value],
  );
  return { ...Object.fromEntries(members), next_cursor: next };
}

function isOutline(value: unknown): boolean {
  return isJsonObject(value) && typeof value['place'] === 'string';
}

/** Fields that a line shows without a label or not at all. */
const UNLABELLED_FIELDS: ReadonlySet<string> = new Set([
  'place',
  'type',
  'status',
  'title',
  'url',
  'chars',
  'error',
  'index',
  'duration_ms',
  'final_url',
  'status_code',
  'fetched_at',
  'depth',
  'parent_url',
  'content_type',
  'tier',
  'credits',
  'source',
]);

/** Formats a page of a crawl, a URL of a map, a step of a session, or a record of a site as a line. */
function toOutlineLine(element: JsonObject): string {
  const { place, chars, title, url, type, status, error } = element;
  const sizes = isJsonObject(chars) ? Object.values(chars).filter((one) => typeof one === 'number') : [];
  const size = sizes.length === 0 ? null : `${sizes.reduce((sum, one) => sum + one, 0)} chars`;
  const others = Object.entries(element)
    .filter(([name, value]) => !UNLABELLED_FIELDS.has(name) && value !== '')
    .map(([name, value]) => `${name}: ${String(value)}`);
  const failure = isJsonObject(error) ? String(error['message']) : null;
  return [place, type, status, title, url, size, failure, ...others]
    .filter((word) => typeof word === 'string' && word !== '')
    .join(' | ');
}

const List = z.object({ data: z.array(JobRecord) });
const Waiting = z.looseObject({ status: z.literal('queued') });

/** Units of time in ms, largest first. */
const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
] as const;

/** `quern jobs list`: a table. */
export const JOBS_VIEW: CommandView = {
  table: { noun: 'jobs', toRows: (body, now) => List.parse(body).data.map((job) => toRow(job, now)) },
  showsQueued: ({ data }) => Array.isArray(data) && data.some((job) => Waiting.safeParse(job).success),
};

/** `quern jobs show`. */
export const JOB_VIEW: CommandView = { showsQueued: (body) => Waiting.safeParse(body).success };

function toRow({ id, kind, status, progress, created_at: at }: JobRecord, now: number) {
  const of = progress.total === undefined ? '' : ` of ${progress.total}`;
  const failed = progress.failed === 0 ? '' : `, ${progress.failed} failed`;
  return { id, kind, status, progress: `${progress.completed}${of}${failed}`, age: toAge(now - Date.parse(at)) };
}

/** Formats a duration in its largest unit. A negative one, caused by different clocks, is `0s`. */
function toAge(ms: number): string {
  const [name, size] = UNITS.find(([, unit]) => ms >= unit) ?? ['s', 1000];
  return `${Math.max(0, Math.floor(ms / size))}${name}`;
}
