import { setTimeout as wait } from 'node:timers/promises';
import { isTerminal, JobRecord } from '#engine/job-record.ts';
import type { Operation } from '#engine/operation.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { CliParts } from './cli.ts';
import { Interrupted } from './exit.ts';

const WAIT_MS = 1000;
/** Where following a job uses up the request rate of the plan, it asks less often. */
const PATIENT_WAIT_MS = 10_000;
const RETRY_AFTER_SECONDS = 5;

type Body = Readonly<Record<string, unknown>>;

/** Submits work as a job and follows it to its result; throws `ServiceError` as the inline call would. */
export async function runAsJob(operation: Operation, raw: unknown, parts: CliParts): Promise<Body> {
  return followJob(await submitJob(operation, raw, parts), parts);
}

/** Queues work; what is wrong with its input is named as by a call of its own, and not as a member of a job. */
export async function submitJob(operation: Operation, raw: unknown, parts: CliParts): Promise<Body> {
  operation.read(raw);
  return (await parts.ask(findOperation(parts, 'jobs.submit'), { kind: operation.id, input: raw })).body;
}

/** Whether an answer is the job that work has become. */
export function isQueued(operation: Operation, body: Body): boolean {
  return operation.kind === 'work' && operation.mayQueue && typeof body['result_url'] === 'string';
}

/** Shows the progress of a job until it ends, and answers its result; throws `Interrupted` when the user leaves it. */
export async function followJob({ id }: Body, parts: CliParts): Promise<Body> {
  const { work, interrupted, terminal } = parts;
  const ask = patientAsking(parts, []);
  await work();
  terminal.note(`quern: ${String(id)} is followed; Ctrl-C leaves it to go on by itself`);
  let said = '';
  try {
    for (;;) {
      const record = JobRecord.parse(await ask('jobs.show', { id, wait_ms: ask.waitMs() }));
      const line = toLine(record);
      if (line !== said) terminal.live(`quern: ${line}`);
      said = line;
      if (isTerminal(record.status)) return await ask('jobs.result', { id });
    }
  } catch (error) {
    if (interrupted().aborted) throw new Interrupted(await howToGoOn(String(id), parts));
    throw error;
  }
}

/**
 * Asks operations by their ids, each again and again while the request rate of the plan is used up, and after each of
 * `pauses` (s) while the service is away.
 */
export function patientAsking(parts: CliParts, pauses: readonly number[]) {
  const { interrupted, terminal } = parts;
  let waitMs = WAIT_MS;

  async function ask(id: string, raw: unknown): Promise<Body> {
    for (let away = 0; ;) {
      try {
        interrupted().throwIfAborted();
        return (await parts.ask(findOperation(parts, id), raw)).body;
      } catch (error) {
        if (interrupted().aborted || !(error instanceof ServiceError)) throw error;
        if (error.code !== 'rate_limited' && error.code !== 'backend_unavailable') throw error;
        if (error.code === 'rate_limited') waitMs = PATIENT_WAIT_MS;
        const pause = error.code === 'rate_limited' ? RETRY_AFTER_SECONDS : pauses[away];
        if (pause === undefined) throw error;
        if (error.code === 'backend_unavailable') {
          if (away === 0) terminal.note(`quern: ${error.message}; trying again for a minute`);
          away += 1;
        }
        // Cut short by an interruption, which the next round finds.
        await wait((error.retryAfterSeconds ?? pause) * 1000, null, { signal: interrupted() }).catch(noMore);
      }
    }
  }

  return Object.assign(ask, { waitMs: () => waitMs });
}

/** What becomes of a job that its command has left. */
async function howToGoOn(id: string, { isServed }: CliParts): Promise<string> {
  if (await isServed()) return `${id} goes on: quern jobs show ${id}`;
  return `${id} waits in the queue until a service runs it: quern serve, then quern jobs show ${id}`;
}

/** Says of jobs that wait when there is nobody who would run them. */
export async function noteUnserved(operation: Operation, body: Body, { isServed, terminal }: CliParts): Promise<void> {
  const shown = operation.id === 'jobs.show' ? [body] : operation.id === 'jobs.list' ? body['data'] : [];
  const jobs: readonly unknown[] = Array.isArray(shown) ? shown : [];
  if (!jobs.some((job) => JobRecord.safeParse(job).data?.status === 'queued') || (await isServed())) return;
  terminal.note('quern: no service runs what is queued: quern serve starts one');
}

function toLine({ id, status, progress, attempt }: JobRecord): string {
  const of = progress.total === undefined ? '' : ` of ${progress.total}`;
  const tries = attempt > 1 ? `, attempt ${attempt}` : '';
  return `${id} ${status}: ${progress.completed}${of} done, ${progress.failed} failed${tries}`;
}

/** The operation of an id that every service has. */
export function findOperation({ operations }: CliParts, id: string): Operation {
  const found = operations.find((operation) => operation.id === id);
  if (found === undefined) throw new Error(`no operation ${id}`);
  return found;
}

function noMore(): void {}
