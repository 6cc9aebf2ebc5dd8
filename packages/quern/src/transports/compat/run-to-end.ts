import { isJsonObject, type JsonObject } from '#extract/values/json-object.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { CompatRequest } from './interface.ts';

/** The result of an operation, and what it cost. */
export type EndedCall = { readonly body: JsonObject; readonly creditsUsed: number; readonly tier: string | null };

/** How long one look at a job waits for its end, ms. */
const WAIT_MS = 30_000;

/**
 * Runs an operation and waits for its result, also if it becomes a job because it may take long: clients of other
 * services expect one answer. The job is cancelled when the time is up or the client disconnects.
 */
export async function runToEnd(request: CompatRequest, id: string, input: JsonObject): Promise<EndedCall> {
  const answer = await request.run(id, input);
  if (answer.status !== 202) return toEndedCall(answer.body);
  const job = readJobId(answer.body);
  try {
    for (let left = toMaxWaitMs(input); left > 0; left -= WAIT_MS) {
      const { body } = await request.run('jobs.show', { id: job, wait_ms: Math.min(WAIT_MS, left) });
      if (body['status'] === 'completed') return toEndedCall(await readResult(request, job));
      if (body['status'] === 'failed' || body['status'] === 'cancelled') await request.run('jobs.result', { id: job });
    }
    throw new ServiceError('timeout', 'the time of the call is up; give it more with timeout');
  } catch (error) {
    await request.run('jobs.cancel', { id: job }).catch(() => null);
    throw error;
  }
}

/** The most that a client waits without a time limit of its own: most of them stop after five minutes. */
const MAX_WAIT_MS = 300_000;

function toMaxWaitMs({ timeout_ms: limit }: JsonObject): number {
  // A job also waits for a worker.
  return typeof limit === 'number' ? limit + WAIT_MS : MAX_WAIT_MS;
}

/** The most parts of a result that one answer has; each has at most 1,000 elements and 4 MiB. */
const MAX_RESULT_PARTS = 8;

/** Reads the result of a job, and joins the parts of its list. */
async function readResult(request: CompatRequest, job: string): Promise<JsonObject> {
  const { body } = await request.run('jobs.result', { id: job, limit: 1000 });
  const name = ['pages', 'results', 'urls'].find((one) => Array.isArray(body[one])) ?? 'urls';
  const list: unknown[] = [];
  let part: JsonObject = body;
  for (let read = 1; ; read += 1) {
    const { [name]: elements, next_cursor: cursor } = part;
    if (Array.isArray(elements)) list.push(...elements);
    if (typeof cursor !== 'string' || read === MAX_RESULT_PARTS) return { ...body, [name]: list };
    part = (await request.run('jobs.result', { id: job, limit: 1000, cursor })).body;
  }
}

function readJobId(body: JsonObject): string {
  const { id, job_id: job = id } = body;
  if (typeof job !== 'string') throw new ServiceError('internal_error', 'a queued call has no job');
  return job;
}

function toEndedCall(body: JsonObject): EndedCall {
  const { usage } = body;
  const facts = isJsonObject(usage) ? usage : {};
  return {
    body,
    creditsUsed: typeof facts['credits'] === 'number' ? facts['credits'] : 0,
    tier: typeof facts['tier'] === 'string' ? facts['tier'] : null,
  };
}
