/** Runs crawls like an API user: submits a job, waits for it and reads the result. */
import { request } from 'undici';
import { z } from 'zod';
import type { ServiceProcess } from '#demo/service.ts';

export const KEY = `qk_${'mill'.repeat(8)}`;
export const HEADERS = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };

const JOB_WAIT_MS = 30_000;
const CALL_TIMEOUT_MS = 60_000;

const Job = z.object({
  id: z.string(),
  status: z.string(),
  progress: z.object({ completed: z.int() }),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  usage: z.object({ credits: z.int() }).nullable(),
});
export type Job = z.output<typeof Job>;

/** Submits a crawl; returns the job id. */
export async function submitCrawl(service: ServiceProcess, order: object): Promise<string> {
  const answer = await request(`${service.origin}/v1/crawl`, {
    method: 'POST',
    headers: HEADERS,
    body: JSON.stringify(order),
    signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
  });
  if (answer.statusCode !== 202) {
    throw new Error(`the crawl was answered ${answer.statusCode}: ${await answer.body.text()}`);
  }
  return Job.parse(await answer.body.json()).id;
}

/** Waits until a job has ended; throws unless it completed within `mostMs`. */
export async function waitForJob(service: ServiceProcess, id: string, mostMs: number): Promise<Job> {
  const until = performance.now() + mostMs;
  while (performance.now() < until) {
    const job = await fetchJob(service, id, JOB_WAIT_MS);
    if (job.status === 'completed') return job;
    if (job.status !== 'queued' && job.status !== 'running') {
      throw new Error(`the crawl ended as ${job.status}: ${job.error?.code ?? ''} ${job.error?.message ?? ''}`);
    }
  }
  throw new Error('the crawl does not end');
}

export async function fetchJob(service: ServiceProcess, id: string, waitMs: number): Promise<Job> {
  const answer = await request(`${service.origin}/v1/jobs/${id}?wait_ms=${waitMs}`, {
    headers: HEADERS,
    signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
  });
  if (answer.statusCode !== 200) throw new Error(`the job was answered ${answer.statusCode}`);
  return Job.parse(await answer.body.json());
}

/** Fetches the whole result as a stream. */
export async function fetchResult(service: ServiceProcess, id: string, format: 'json' | 'jsonl') {
  const answer = await request(`${service.origin}/v1/jobs/${id}/result?format=${format}`, { headers: HEADERS });
  if (answer.statusCode !== 200) throw new Error(`the result was answered ${answer.statusCode}`);
  return answer.body;
}
