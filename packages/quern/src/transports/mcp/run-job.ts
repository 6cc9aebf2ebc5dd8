import { isTerminal, JobRecord } from '#engine/jobs/job-record.ts';
import type { Operation } from '#engine/call/operation.ts';
import { isErrorCode, ServiceError } from '#kernel/errors.ts';
import { throwWithoutInputPath } from '#transports/parameters.ts';
import type { ToolArguments, AgentCall, ToolFinding } from './tool.ts';

/** Wait of one poll of a job, and number of polls; in total shorter than clients wait for a tool. */
const POLL_WAIT_MS = 10_000;
const MAX_POLLS = 4;

/** The operations that run jobs, and a lookup of work by its id. */
export type JobOperations = {
  readonly submit: Operation;
  readonly show: Operation;
  readonly result: Operation;
  readonly findWork: (kind: unknown) => Operation | null;
};

/** Finds the operations that run jobs, by their declared roles; null if one is missing. */
export function findJobOperations(operations: readonly Operation[]): JobOperations | null {
  const find = (part: string): Operation | undefined => operations.find(({ agent }) => agent?.serves === part);
  const [submit, show, result] = [find('submit'), find('show'), find('result')];
  if (submit === undefined || show === undefined || result === undefined) return null;
  const findWork = (kind: unknown): Operation | null =>
    operations.find(({ id, kind: operationKind }) => id === kind && operationKind === 'work') ?? null;
  return { submit, show, result, findWork };
}

/** Runs work as a job and returns its result, or, if the job takes longer, its status and partial result. */
export async function runWorkAsJob(
  operation: Operation,
  input: ToolArguments,
  { jobs, call }: { readonly jobs: JobOperations; readonly call: AgentCall },
): Promise<ToolFinding> {
  const { body } = await call.ask(jobs.submit, { kind: operation.id, input }).catch(throwWithoutInputPath);
  return waitForJob(String(body['id']), { jobs, call });
}

/** Waits for a job, and returns its result, or its status and partial result. */
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
        note: `The job is still running: call ${formatCall(jobs.show)}, this id and wait_ms to wait for it, ${tool} to read its result`,
      };
  return {
    // The list of a running job may still grow, so its end is not final.
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

/** Formats an operation as the call of its tool: `job with action: show`. */
export function formatCall({ id, agent }: Operation): string {
  const tool = agent?.tool ?? null;
  if (tool === null) return id;
  return tool.hasActions === true ? `${tool.name} with action: ${getAction(id)}` : tool.name;
}

/** Returns the action of an operation, the last word of its id. */
export function getAction(id: string): string {
  return id.replace(/^.*\./, '');
}
