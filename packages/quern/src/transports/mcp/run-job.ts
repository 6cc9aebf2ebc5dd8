import { isTerminal, JobRecord } from '#engine/jobs/job-record.ts';
import type { Operation } from '#engine/call/operation.ts';
import { isErrorCode, ServiceError } from '#kernel/errors.ts';
import type { ToolArguments, AgentCall, ToolFinding } from './tool.ts';

/** Longest single look at a job, and the rounds of looks: shorter in all than clients wait for a tool. */
const POLL_WAIT_MS = 10_000;
const MAX_POLLS = 4;

/** The operations by which jobs are run, and the work that a job may be, by its id. */
export type JobOperations = {
  readonly submit: Operation;
  readonly show: Operation;
  readonly result: Operation;
  readonly findWork: (kind: unknown) => Operation | null;
};

/** The operations that declare themselves the parts of running jobs; null where one is missing. */
export function findJobOperations(operations: readonly Operation[]): JobOperations | null {
  const find = (part: string): Operation | undefined => operations.find(({ agent }) => agent?.serves === part);
  const [submit, show, result] = [find('submit'), find('show'), find('result')];
  if (submit === undefined || show === undefined || result === undefined) return null;
  const findWork = (kind: unknown): Operation | null =>
    operations.find(({ id, kind: sort }) => id === kind && sort === 'work') ?? null;
  return { submit, show, result, findWork };
}

/** Runs work as a job, and finds its result; of a job that takes longer its record and what it has so far. */
export async function runWorkAsJob(
  operation: Operation,
  input: ToolArguments,
  { jobs, call }: { readonly jobs: JobOperations; readonly call: AgentCall },
): Promise<ToolFinding> {
  // Errors of the input name the member as the direct call would.
  operation.read(input);
  const { body } = await call.ask(jobs.submit, { kind: operation.id, input }).catch(stripInputPrefix);
  return waitForJob(String(body['id']), { jobs, call });
}

/** Names the member of an input as the agent sent it, without its place in the job. */
function stripInputPrefix(error: unknown): never {
  if (!(error instanceof ServiceError) || !error.message.startsWith('input.')) throw error;
  throw new ServiceError(error.code, error.message.slice('input.'.length), { cause: error });
}

/** Waits for a job, and finds its result, or what it has so far. */
export async function waitForJob(
  id: string,
  { jobs, call }: { readonly jobs: JobOperations; readonly call: AgentCall },
): Promise<ToolFinding> {
  let record = await pollJob(id, 0, { jobs, call });
  for (let looks = 0; looks < MAX_POLLS && !isTerminal(record.status); looks += 1) {
    record = await pollJob(id, POLL_WAIT_MS, { jobs, call });
    await call.reportProgress(record.progress.completed, record.progress.total ?? null);
  }
  const { status, error, usage, progress } = record;
  if (status === 'failed') {
    const code = error?.code ?? 'internal_error';
    throw new ServiceError(isErrorCode(code) ? code : 'internal_error', error?.message ?? 'the job failed');
  }
  const isEnded = isTerminal(status);
  const { agent } = jobs.result;
  const raw = { id, ...(status === 'completed' ? {} : { partial: true }) };
  const { body } = await call.ask(jobs.result, agent?.toInput?.(raw) ?? raw);
  const tool = formatCall(jobs.result);
  const facts = isEnded
    ? { id, status }
    : {
        id,
        status,
        progress,
        note: `It goes on: ${formatCall(jobs.show)}, this id and wait_ms waits; ${tool} reads it`,
      };
  return {
    // The list of a job that goes on has an end only for now.
    body: { ...body, usage: usage ?? body['usage'], ...(isEnded ? {} : { next_cursor: null }) },
    view: { ...agent, toShown: (shown) => ({ ...facts, ...(agent?.toShown?.(shown) ?? shown) }) },
    continuation: { call: `${tool}, id: ${id}` },
  };
}

async function pollJob(
  id: string,
  waitMs: number,
  { jobs, call }: { readonly jobs: JobOperations; readonly call: AgentCall },
): Promise<JobRecord> {
  const { body } = await call.ask(jobs.show, { id, wait_ms: waitMs });
  return JobRecord.parse(body);
}

/** An operation as the call of its tool: `job with action: show`. */
export function formatCall({ id, agent }: Operation): string {
  const tool = agent?.tool ?? null;
  if (tool === null) return id;
  return tool.hasActions === true ? `${tool.name} with action: ${getAction(id)}` : tool.name;
}

/** The last word of an id names the action of a tool. */
export function getAction(id: string): string {
  return id.replace(/^.*\./, '');
}
