import { isTerminal, JobRecord } from '#engine/jobs/job-record.ts';
import type { Operation } from '#engine/call/operation.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import { throwWithoutInputPath } from '#transports/parameters.ts';
import type { CommandContext } from './context.ts';
import { InterruptedError } from './exit.ts';

const WAIT_MS = 1000;
/** Poll interval after the request rate of the plan was exceeded. */
const RATE_LIMITED_WAIT_MS = 10_000;
const RETRY_AFTER_SECONDS = 5;

/** Submits work as a job and waits for its result. Throws `ServiceError` as a synchronous call would. */
export async function runAsJob(operation: Operation, raw: unknown, parts: CommandContext): Promise<JsonObject> {
  return followJob(await queueJob(operation, raw, parts), parts);
}

/** Queues work as a job. */
export async function queueJob(operation: Operation, raw: unknown, parts: CommandContext): Promise<JsonObject> {
  const { body } = await parts.ask(parts.jobs.submit, { kind: operation.id, input: raw }).catch(throwWithoutInputPath);
  return body;
}

/** Whether a response is a queued job instead of a result. */
export function isQueuedJob(operation: Operation, body: JsonObject): boolean {
  return operation.kind === 'work' && operation.canQueue === true && typeof body['result_url'] === 'string';
}

/** Shows the progress of a job until it ends, and returns its result. Throws `InterruptedError` on Ctrl-C. */
export async function followJob({ id }: JsonObject, parts: CommandContext): Promise<JsonObject> {
  const { work, interrupted, terminal, jobs } = parts;
  const asker = new RetryingCaller(parts, []);
  await work();
  terminal.note(`quern: following ${String(id)}; Ctrl-C leaves it running`);
  let lastLine = '';
  try {
    for (;;) {
      const record = JobRecord.parse(await asker.ask(jobs.show, { id, wait_ms: asker.waitMs }));
      const line = formatProgress(record);
      if (line !== lastLine) terminal.live(`quern: ${line}`);
      lastLine = line;
      if (isTerminal(record.status)) return await asker.ask(jobs.result, { id });
    }
  } catch (error) {
    if (interrupted().aborted) throw new InterruptedError(await describeJobState(String(id), parts));
    throw error;
  }
}

/**
 * Calls operations, and retries while the request rate of the plan is exceeded, and after each of `pauses` (s) while the
 * service is unavailable.
 */
export class RetryingCaller {
  /** How long one poll of a job may wait for a change, ms. */
  waitMs = WAIT_MS;
  readonly #parts: CommandContext;
  readonly #pauses: readonly number[];

  constructor(parts: CommandContext, pauses: readonly number[]) {
    this.#parts = parts;
    this.#pauses = pauses;
  }

  async ask(operation: Operation, raw: unknown): Promise<JsonObject> {
    const { ask, interrupted, clock } = this.#parts;
    for (let unavailableCount = 0; ;) {
      try {
        interrupted().throwIfAborted();
        return (await ask(operation, raw)).body;
      } catch (error) {
        if (interrupted().aborted || !(error instanceof ServiceError)) throw error;
        const pause = this.#pauseAfter(error, unavailableCount);
        if (pause === null) throw error;
        if (error.code === 'backend_unavailable') unavailableCount += 1;
        // An interruption ends the pause; the next round throws.
        await clock.sleep((error.retryAfterSeconds ?? pause) * 1000, interrupted()).catch(doNothing);
      }
    }
  }

  /** Returns the seconds until the next attempt; null for a permanent failure. */
  #pauseAfter({ code, message }: ServiceError, unavailableCount: number): number | null {
    if (code === 'rate_limited') {
      this.waitMs = RATE_LIMITED_WAIT_MS;
      return RETRY_AFTER_SECONDS;
    }
    const pause = code === 'backend_unavailable' ? this.#pauses[unavailableCount] : undefined;
    if (pause === undefined) return null;
    if (unavailableCount === 0) this.#parts.terminal.note(`quern: ${message}; trying again for a minute`);
    return pause;
  }
}

/** Describes what happens to the job of an interrupted command, and how to find it again. */
async function describeJobState(id: string, { isServed, serveLine }: CommandContext): Promise<string> {
  if (await isServed()) return `${id} continues: quern jobs show ${id}`;
  return `${id} waits in the queue until a service runs it: ${serveLine}, then quern jobs show ${id}`;
}

/** Warns about queued jobs in a response if no service runs them. */
export async function warnIfUnserved(
  { view }: Operation,
  body: JsonObject,
  { isServed, serveLine, terminal }: CommandContext,
): Promise<void> {
  if (view?.showsQueued?.(body) !== true || (await isServed())) return;
  terminal.note(`quern: no service runs queued jobs: ${serveLine} starts one`);
}

function formatProgress({ id, status, progress, attempt }: JobRecord): string {
  const of = progress.total === undefined ? '' : ` of ${progress.total}`;
  const tries = attempt > 1 ? `, attempt ${attempt}` : '';
  return `${id} ${status}: ${progress.completed}${of} done, ${progress.failed} failed${tries}`;
}

function doNothing(): void {}
