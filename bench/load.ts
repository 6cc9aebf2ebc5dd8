import { Agent, request } from 'undici';
import { z } from 'zod';

const WARM_UP = 200;
const RESPONSE_TIMEOUT_MS = 60_000;

const Task = z.object({
  target: z.object({
    url: z.string(),
    method: z.enum(['GET', 'POST']),
    headers: z.record(z.string(), z.string()),
    body: z.string().nullable(),
  }),
  connections: z.int(),
  seconds: z.number(),
});

const { target, connections, seconds } = Task.parse(JSON.parse(process.argv[2] ?? ''));
const { url, ...asked } = target;
const dispatcher = new Agent({ connections, bodyTimeout: RESPONSE_TIMEOUT_MS, headersTimeout: RESPONSE_TIMEOUT_MS });
const durations: number[] = [];
let failures = 0;

await runInParallel(connections, Math.ceil(WARM_UP / connections));
durations.length = 0;
failures = 0;
const started = performance.now();
await runInParallel(connections, Number.POSITIVE_INFINITY, started + seconds * 1000);
const elapsed = (performance.now() - started) / 1000;
await dispatcher.close();

const sorted = Float64Array.from(durations).toSorted();
const getQuantile = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
const outcome = { rate: sorted.length / elapsed, p50Ms: getQuantile(0.5), p99Ms: getQuantile(0.99), failures };
process.stdout.write(`${JSON.stringify(outcome)}\n`);

/** Keeps `width` calls in flight until each connection has made `calls` calls or the time is up. */
async function runInParallel(width: number, calls: number, until = Number.POSITIVE_INFINITY): Promise<void> {
  const lines = Array.from({ length: width }, async () => {
    for (let made = 0; made < calls && performance.now() < until; made++) await sendRequest();
  });
  await Promise.all(lines);
}

async function sendRequest(): Promise<void> {
  const begun = performance.now();
  const answer = await request(url, { ...asked, dispatcher });
  await answer.body.arrayBuffer();
  durations.push(performance.now() - begun);
  if (answer.statusCode !== 200) failures++;
}
