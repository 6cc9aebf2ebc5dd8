import { isTerminal, JobRecord } from '#engine/job-record.ts';
import type { Operation } from '#engine/operation.ts';
import type { CliParts } from './cli.ts';

const WAIT_MS = 1000;

type Body = Readonly<Record<string, unknown>>;

/** Submits work as a job and follows it to its result; throws `ServiceError` as the inline call would. */
export async function runAsJob(operation: Operation, raw: unknown, parts: CliParts): Promise<Body> {
  const { body } = await parts.ask(findOperation(parts, 'jobs.submit'), { kind: operation.id, input: raw });
  return followJob(body, parts);
}

/** Whether an answer is the job that work has become. */
export function isQueued(operation: Operation, body: Body): boolean {
  return operation.kind === 'work' && operation.mayQueue && typeof body['result_url'] === 'string';
}

/** Writes the progress of a job to standard error until it ends, and answers its result. */
export async function followJob({ id }: Body, parts: CliParts): Promise<Body> {
  const { ask, work, interrupted, terminal } = parts;
  const show = findOperation(parts, 'jobs.show');
  await work();
  terminal.note(`quern: ${String(id)} goes on without this command: quern jobs show ${String(id)}`);
  let said = '';
  for (;;) {
    interrupted().throwIfAborted();
    const record = JobRecord.parse((await ask(show, { id, wait_ms: WAIT_MS })).body);
    const line = toLine(record);
    if (line !== said) terminal.note(`quern: ${line}`);
    said = line;
    if (isTerminal(record.status)) return (await ask(findOperation(parts, 'jobs.result'), { id })).body;
  }
}

function toLine({ status, progress, attempt }: JobRecord): string {
  const of = progress.total === undefined ? '' : ` of ${progress.total}`;
  const tries = attempt > 1 ? `, attempt ${attempt}` : '';
  return `${status}: ${progress.completed}${of} done, ${progress.failed} failed${tries}`;
}

function findOperation({ operations }: CliParts, id: string): Operation {
  const found = operations.find((operation) => operation.id === id);
  if (found === undefined) throw new Error(`no operation ${id}`);
  return found;
}
