/**
 * CPU of a service for calls of Firecrawl's interface, against the calls of Quern that they are translated to. Both get a
 * cached page, or the same pages of a batch, and run in turn. It needs Linux.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { request } from 'undici';
import { z } from 'zod';
import { startService } from '#demo/service.ts';
import { computeMedian, startServerProcess } from './processes.ts';

const KEY = `qk_${'mill'.repeat(8)}`;
const PAGES = 10;
const GOAL_MS = 0.3;
const CALLS = 10;
const WARM_UP_ROUNDS = 20;

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '60' } } });
const rounds = Number(values.rounds);
if (!(rounds >= 1)) throw new Error('--rounds takes a positive number');

const dataDir = mkdtempSync(join(tmpdir(), 'quern-bench-'));
process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));
const origin = await startServerProcess('origin.ts');
const service = await startService({
  dataDir,
  settings: {
    QUERN_ALLOW_TARGETS: new URL(origin.origin).host,
    QUERN_BOOTSTRAP_KEY: KEY,
    QUERN_LOG_LEVEL: 'warn',
    QUERN_CHROMIUM: 'off',
  },
});

/** A request to the service: GET without a body. */
type Call = { readonly path: string; readonly body?: unknown };

async function send({ path, body }: Call): Promise<unknown> {
  const answer = await request(service.origin + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const read: unknown = await answer.body.json();
  if (answer.statusCode >= 300) throw new Error(`${path}: ${answer.statusCode} ${JSON.stringify(read)}`);
  return read;
}

/** CPU time of the main thread of the service, in which calls are translated, ms. Pages are read in other threads. */
function readCpuMs(): number {
  const [nanoseconds] = readFileSync(`/proc/${service.pid}/task/${service.pid}/schedstat`, 'utf8').split(' ');
  return Number(nanoseconds) / 1e6;
}

/** CPU for one call, ms: the median of many rounds, in each of which every call is repeated a few times in turn. */
async function measureCpu(all: readonly Call[]): Promise<readonly number[]> {
  const times = all.map((): number[] => []);
  for (let round = -WARM_UP_ROUNDS; round < rounds; round += 1)
    for (const [index, call] of all.entries()) {
      const before = readCpuMs();
      for (let sent = 0; sent < CALLS; sent += 1) await send(call);
      if (round >= 0) times[index]?.push((readCpuMs() - before) / CALLS);
    }
  return times.map(computeMedian);
}

const MAX_AGE = 3_600_000;
const url = `${origin.origin}/`;
/** What the scrape is translated to: its own outputs, and those of which the metadata is made. */
const fetchInput = {
  url,
  output: ['markdown', 'links', 'attributes', 'structured_data'],
  attributes: ['keywords', 'robots'].map((name) => ({ selector: `meta[name="${name}" i]`, attribute: 'content' })),
  max_age_ms: MAX_AGE,
};
const scrapeBody = { url, formats: ['markdown', 'links'], maxAge: MAX_AGE };

const Started = z.object({ id: z.string(), url: z.string() });
const urls = Array.from({ length: PAGES }, (_, page) => `${url}?page=${page}`);
const batch = Started.parse(await send({ path: '/firecrawl/v2/batch/scrape', body: { urls } }));
const Listed = z.object({ data: z.array(z.object({ id: z.string(), status: z.string() })) });
const findJob = async () => Listed.parse(await send({ path: '/v1/jobs?limit=1' })).data[0];
let job = await findJob();
while (job?.status !== 'completed') {
  await wait(200);
  job = await findJob();
}

const [scrape = 0, fetched = 0, status = 0, shown = 0, result = 0] = await measureCpu([
  { path: '/firecrawl/v2/scrape', body: scrapeBody },
  { path: '/v1/fetch', body: fetchInput },
  { path: new URL(batch.url).pathname },
  { path: `/v1/jobs/${job.id}` },
  { path: `/v1/jobs/${job.id}/result?partial=true&limit=100` },
]);
await service.close();
await origin.close();

const rows = [
  ['`POST /firecrawl/v2/scrape` of a cached page of 45 KB', scrape, ''],
  ['`POST /v1/fetch` of it', fetched, ''],
  ['— translation', scrape - fetched, `≤ ${GOAL_MS} ms`],
  [`\`GET /firecrawl/v2/batch/scrape/{id}\` with ${PAGES} pages`, status, ''],
  ['`GET /v1/jobs/{id}`', shown, ''],
  ['`GET /v1/jobs/{id}/result`', result, ''],
  ['— translation, against both', status - shown - result, `≤ ${GOAL_MS} ms`],
] as const;
process.stdout.write(`\nNode ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, `);
process.stdout.write(
  `${rounds} rounds of ${CALLS} calls, one in flight\n\n| CPU per call | measured | goal |\n|---|---|---|\n`,
);
for (const [name, ms, goal] of rows) process.stdout.write(`| ${name} | ${ms.toFixed(3)} ms | ${goal} |\n`);
