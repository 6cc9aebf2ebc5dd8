import { listUsage, showUsage as usage } from '#features/account/operations.ts';
import { type CompatReply, type CompatRequest, replyJson } from './interface.ts';

/** Stands for "no limit", because the clients expect a number. */
const UNLIMITED = 1_000_000_000;

/** Replies with the credits of the month. In v1 the members have underscores. `what` is `Credits` or `Tokens`. */
export async function showUsage(
  request: CompatRequest,
  what: 'Credits' | 'Tokens',
  version: 1 | 2,
): Promise<CompatReply> {
  const { cycle, ...credits } = usage.output.parse((await request.run('usage', {})).body);
  const name = (words: string): string =>
    version === 2 ? words : words.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const data = {
    [name(`remaining${what}`)]: credits.credits_remaining ?? UNLIMITED,
    [name(`plan${what}`)]: credits.credits_granted ?? UNLIMITED,
    [name('billingPeriodStart')]: cycle.start,
    [name('billingPeriodEnd')]: cycle.end,
  };
  return replyJson({ success: true, data });
}

/** Replies with the credits of each day of the last 30. */
export async function showHistory(request: CompatRequest, what: 'Credits' | 'Tokens'): Promise<CompatReply> {
  const { data } = listUsage.output.parse((await request.run('usage.history', { by: 'day', limit: 1000 })).body);
  const periods = data.map(({ date, credits }) => ({ startDate: date, endDate: date, [`total${what}`]: credits }));
  return replyJson({ success: true, periods });
}

/** Replies with the numbers of queued and running jobs. */
export async function showQueue(request: CompatRequest): Promise<CompatReply> {
  const [running, queued] = await Promise.all(['running', 'queued'].map(async (status) => countJobs(request, status)));
  return replyJson({
    success: true,
    jobsInQueue: (running ?? 0) + (queued ?? 0),
    activeJobsInQueue: running,
    waitingJobsInQueue: queued,
    maxConcurrency: request.caller.plan.running_jobs ?? UNLIMITED,
    mostRecentSuccess: null,
  });
}

/** Replies with the number of running jobs and the limit of the plan. */
export async function showConcurrency(request: CompatRequest): Promise<CompatReply> {
  const maxConcurrency = request.caller.plan.running_jobs ?? UNLIMITED;
  return replyJson({ success: true, data: { concurrency: await countJobs(request, 'running'), maxConcurrency } });
}

/** Counts the jobs in a state, at most a thousand. */
async function countJobs(request: CompatRequest, status: string): Promise<number> {
  const { data } = (await request.run('jobs.list', { status, limit: 1000 })).body;
  return Array.isArray(data) ? data.length : 0;
}
