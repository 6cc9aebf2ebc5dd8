import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { parser } from '@prometheus-io/lezer-promql';
import { parse } from 'yaml';
import { z } from 'zod';
import { allOperations } from '#compose/registry.ts';
import { startHttpServer } from '#testkit/servers.ts';
import { ROOT } from '../support/copy.ts';
import { KEY, runQuern, type RunningService, serveQuern, type Settings, workQuern } from '../support/quern.ts';
import { until } from '../support/fleet.ts';
import { withSchema } from '../support/schema.ts';
import { inTemporaryFolder } from '../support/store.ts';

const TOKEN = 'metrics-token-of-the-test';
const SETTINGS = { QUERN_METRICS_TOKEN: TOKEN, QUERN_LOG_LEVEL: 'debug' };
/** Texts that no log line and no metric may contain. */
const SECRET = 'hunter2-in-the-query';
const ADMIN = allOperations.filter(({ audience }) => audience === 'operator');

type Processes = {
  readonly service: RunningService;
  readonly worker: string;
  readonly workerLog: () => string;
  readonly site: string;
  readonly folder: string;
};
let processes: Processes;
const ended = Promise.withResolvers<void>();
let running: Promise<void>;

/** A service without jobs, a worker, and a site that serves, blocks and receives. */
async function run(ready: (processes: Processes) => void): Promise<void> {
  await inTemporaryFolder(async (folder) =>
    withSchema(async (url) => {
      await using site = await startHttpServer((request, response) => {
        const isBlock = request.url?.startsWith('/blocked') === true;
        response.statusCode = isBlock ? 403 : 200;
        response.setHeader('content-type', 'text/html');
        response.end(
          isBlock
            ? '<title>Attention Required! | Cloudflare</title><h1>Sorry, you have been blocked</h1>'
            : `<h1>Rye</h1><p>${'flour '.repeat(60)}<a href="/b">b</a>`,
        );
      });
      const settings = {
        ...SETTINGS,
        QUERN_DATABASE_URL: url,
        QUERN_SECRET_KEY: randomBytes(32).toString('base64'),
        QUERN_ALLOW_TARGETS: `127.0.0.1:${site.port}`,
      };
      for (const name of ['service', 'worker']) await mkdir(join(folder, name));
      await using service = await serveQuern(join(folder, 'service'), { ...settings, QUERN_JOB_SLOTS: '0' });
      await using worker = await workQuern(join(folder, 'worker'), { ...settings, QUERN_CHROMIUM: 'off' });
      const port = () => /health and metrics are on (http:\S+)\n/.exec(worker.err())?.[1] ?? '';
      await until('the worker tells its port', async () => port() !== '');
      ready({ service, worker: port(), workerLog: worker.err, site: site.origin, folder });
      await ended.promise;
    }),
  );
}

before(async () => {
  const begun = Promise.withResolvers<Processes>();
  running = run(begun.resolve);
  processes = await Promise.race([begun.promise, running.then(() => begun.promise)]);
});
after(async () => {
  ended.resolve();
  await running;
});

type Ask = {
  readonly method?: string;
  readonly body?: unknown;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

async function ask(path: string, { method = 'GET', body, key = KEY, headers = {} }: Ask = {}) {
  const answer = await fetch(processes.service.origin + path, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return {
    status: answer.status,
    headers: answer.headers,
    text,
    json: text.startsWith('{') ? Body.parse(JSON.parse(text)) : {},
  };
}

const Body = z.record(z.string(), z.unknown());

async function scrape(origin: string, headers: Readonly<Record<string, string>> = {}) {
  const answer = await fetch(`${origin}/metrics`, { headers });
  return { status: answer.status, text: await answer.text() };
}

/** Creates a tenant with a key. */
async function makeTenant(): Promise<{ readonly id: string; readonly key: string }> {
  const { json } = await ask('/v1/admin/tenants', { method: 'POST', body: { name: 'newsroom', plan: 'pro' } });
  const id = String(json['id']);
  const made = await ask(`/v1/admin/tenants/${id}/keys`, { method: 'POST', body: { name: 'import' } });
  return { id, key: String(made.json['key']) };
}

test('the first key is an operator key, and a tenant key is 403 on every route of the operator', async () => {
  const { key, id } = await makeTenant();
  assert.equal((await ask('/v1/usage', { key })).status, 200);
  for (const { route } of ADMIN) {
    const [method = '', path = ''] = (route ?? '').split(' ');
    const bodies = method === 'GET' || method === 'DELETE' ? [undefined] : [{}, { plan: 'unlimited' }];
    for (const body of bodies) {
      const { status, json } = await ask(path.replace('{id}', id), { method, body, key });
      assert.equal(status, 403, route ?? '');
      assert.match(
        JSON.stringify(json['error']),
        /"code":"operator_key_required","message":"admin\.[^"]* needs an operator key/,
      );
    }
  }
  assert.equal((await ask(`/v1/admin/tenants/${id}`)).status, 200);
  assert.equal((await ask('/v1/admin/tenants/ten_none')).status, 404);
  assert.equal((await ask('/v1/admin/tenants', { key: 'qk_none' })).status, 401);
});

test('moving a tenant to another plan takes effect with its next call', async () => {
  const { key, id } = await makeTenant();
  assert.equal((await ask('/v1/usage', { key })).json['plan'], 'pro');
  assert.equal((await ask(`/v1/admin/tenants/${id}`, { method: 'PATCH', body: { plan: 'scale' } })).status, 200);
  assert.equal((await ask('/v1/usage', { key })).json['plan'], 'scale');
});

test('operations of the operator are in OpenAPI, and in no tool list and no capabilities', async () => {
  const openApi = await ask('/openapi.json');
  for (const word of ['"/v1/admin/tenants/{id}/top_ups"', 'operator_key_required'])
    assert.ok(openApi.text.includes(word), word);
  const headers = { accept: 'application/json, text/event-stream' };
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const tools = await ask('/mcp', { method: 'POST', body, headers });
  assert.equal(tools.status, 200);
  assert.ok(!tools.text.includes('admin'));
  const capabilities = await ask('/v1/capabilities');
  assert.ok(!capabilities.text.includes('admin'));
});

test('usage is available as CSV from the API and the command line', async () => {
  const { status, headers, text } = await ask('/v1/admin/usage?format=csv&from=2026-01-01&to=2036-01-01');
  assert.deepEqual([status, headers.get('content-type')], [200, 'text/csv']);
  assert.equal(headers.get('content-disposition'), 'attachment; filename="usage-2026-01-01-2036-01-01.csv"');
  assert.match(text, /^date,tenant_id,tenant,operation,calls,credits\r\n/);
  const settings = { QUERN_URL: processes.service.origin, QUERN_API_KEY: KEY };
  const csv = await runQuern(processes.folder, ['admin', 'usage', '--format', 'csv'], settings);
  assert.deepEqual([csv.code, csv.out.split('\r\n')[0]], [0, 'date,tenant_id,tenant,operation,calls,credits']);
  const tenants = await runQuern(processes.folder, ['admin', 'tenants', 'list'], settings);
  assert.match(tenants.out, /^id +name +plan +created_at/);
  const { key } = await makeTenant();
  const refused = await runQuern(processes.folder, ['admin', 'tenants', 'list'], { ...settings, QUERN_API_KEY: key });
  assert.deepEqual([refused.code, refused.out], [3, '']);
  assert.match(refused.err, /operator_key_required/);
});

test('upkeep can be triggered, and reports its runs', async () => {
  const { status, json } = await ask('/v1/admin/upkeep', { method: 'POST', body: {} });
  assert.equal(status, 202);
  assert.match(String(json['state']), /started|running/);
  let rounds = '';
  await until('the last round has ended', async () => {
    rounds = (await ask('/v1/admin/upkeep')).text;
    return rounds.includes('"keys"');
  });
  for (const name of ['artifacts', 'disk', 'requests', 'jobs', 'crawls', 'monitors', 'deliveries', 'keys'])
    assert.match(rounds, new RegExp(`"name":"${name}","started_at":"[^"]*","duration_ms":\\d+,"outcome":"done"`));
});

test('jobs, visits, blocks and pages are in the metrics of the worker and in its log, without secrets', async () => {
  const { site, worker, workerLog } = processes;
  const { key, id: tenant } = await makeTenant();
  const order = async (kind: string, input: unknown) => {
    const made = await ask('/v1/jobs', { method: 'POST', key, body: { kind, input } });
    return (await ask(`/v1/jobs/${String(made.json['id'])}?wait_ms=25000`, { key })).json;
  };
  const done = await order('fetch', {
    url: `${site}/?token=${SECRET}`,
    headers: { authorization: `Bearer ${SECRET}` },
  });
  assert.equal(done['status'], 'completed');
  assert.equal(
    (await order('crawl', { url: `${site}/?token=${SECRET}`, max_pages: 3, delay_ms: 0 }))['status'],
    'completed',
  );
  const blocked = await order('fetch', { url: `${site}/blocked?token=${SECRET}`, proxy: 'basic' });
  assert.equal(blocked['status'], 'failed');
  const { text } = await scrape(worker);
  assert.match(text, /^quern_jobs_total\{kind="fetch",outcome="completed"\} [1-9]/m);
  assert.match(text, /^quern_jobs_total\{kind="fetch",outcome="failed"\} 1/m);
  assert.match(text, /^quern_jobs_total\{kind="crawl",outcome="completed"\} 1/m);
  assert.match(text, /^quern_visits_total\{tier="http",outcome="ok"\} [1-9]/m);
  assert.match(text, /^quern_visits_total\{tier="http",outcome="blocked"\} [1-9]/m);
  assert.match(text, /^quern_crawl_pages_total\{operation="crawl",fate="stored"\} [1-9]/m);
  assert.match(text, /^quern_credits_charged_total\{operation="fetch"\} 2$/m);
  assert.match(text, /^quern_database_up 1$/m);
  assert.match(text, /^quern_database_connections\{state="idle"\} \d/m);
  assert.match(text, /^quern_processes 2$/m);
  // The log is written a second after its lines at the latest.
  const host = new URL(site).host;
  const isWritten = () => /"event":"job"[^\n]*"code":"target_blocked"/.test(workerLog());
  await until('the log is written', async () => isWritten());
  const lines = workerLog()
    .split('\n')
    .flatMap((line) => (line.startsWith('{') ? [Body.parse(JSON.parse(line))] : []));
  const jobs = lines.filter(({ event, tenant: of }) => event === 'job' && of === tenant);
  assert.deepEqual(
    jobs.map(({ id, operation, outcome, code, host: of }) => [id, operation, outcome, code, of]),
    [
      [done['id'], 'fetch', 'completed', null, host],
      [jobs[1]?.['id'], 'crawl', 'completed', null, host],
      [blocked['id'], 'fetch', 'failed', 'target_blocked', host],
    ],
  );
  const block = lines.find(({ event }) => event === 'block');
  assert.deepEqual(
    [block?.['host'], block?.['outcome'], block?.['status'], block?.['tenant']],
    [host, 'blocked', 403, tenant],
  );
  assert.ok(lines.some(({ event, level }) => event === 'attempt' && level === 20));
  for (const output of [text, workerLog(), processes.service.err(), (await scrape(processes.service.origin)).text])
    for (const secret of [SECRET, key, KEY, TOKEN]) assert.ok(!output.includes(secret));
});

test('the queue lists waiting and running jobs', async () => {
  const { json } = await ask('/v1/admin/queue');
  assert.deepEqual([json['queued'], json['oldest']], [0, null]);
});

test('a worker serves health and metrics locally, and to others with the token', async () => {
  const { worker } = processes;
  assert.match(worker, /^http:\/\/127\.0\.0\.1:\d+$/);
  const health = async (path: string) => {
    const answer = await fetch(worker + path);
    return [answer.status, Body.parse(await answer.json())['status']];
  };
  assert.deepEqual(await health('/healthz'), [200, 'ok']);
  assert.deepEqual(await health('/readyz'), [200, 'ready']);
  assert.equal((await fetch(`${worker}/v1/usage`)).status, 404);
  assert.equal((await fetch(`${worker}/metrics`, { method: 'POST', body: 'x'.repeat(100) })).status, 405);
  const forwarded = { 'x-forwarded-for': '203.0.113.7' };
  assert.equal((await scrape(worker)).status, 200);
  assert.equal((await scrape(worker, forwarded)).status, 404);
  assert.equal((await scrape(worker, { ...forwarded, authorization: 'Bearer metrics-tokem' })).status, 404);
  assert.equal((await scrape(worker, { ...forwarded, authorization: `Bearer ${TOKEN}` })).status, 200);
});

test('a tenant keeps its plan of the plans file; without the file, the start reports that it is treated as free', async () => {
  await inTemporaryFolder(async (folder) => {
    const file = join(folder, 'plans.json');
    await writeFile(file, JSON.stringify({ newsroom: { like: 'pro', requests_per_minute: 77 } }));
    // Keys are only created in an existing store.
    await runQuern(folder, ['usage']);
    const made = await runQuern(folder, ['keys', 'create', '--plan', 'newsroom'], { QUERN_PLANS_FILE: file });
    assert.equal(made.code, 0, made.err);
    const key = made.out.trim();
    const limits = async (settings: Settings) => {
      await using service = await serveQuern(folder, settings);
      const { headers, body } = await service.call('/v1/usage', undefined, key);
      return { out: service.out(), limit: headers.get('ratelimit-policy'), plan: body['plan'] };
    };
    const known = await limits({ QUERN_PLANS_FILE: file });
    assert.deepEqual([known.plan, known.limit?.includes('77')], ['newsroom', true]);
    assert.doesNotMatch(known.out, /note/);
    const lost = await limits({});
    assert.deepEqual([lost.plan, lost.limit?.includes('20')], ['newsroom', true]);
    assert.match(lost.out, /note {7}plan newsroom is not in QUERN_PLANS_FILE: its tenants are treated as on free\n/);
  });
});

const Panels = z.object({
  panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })).default([]) })),
});
const Rules = z.object({
  groups: z.array(
    z.strictObject({
      name: z.string(),
      rules: z.array(
        z.strictObject({
          alert: z.string().regex(/^[A-Z]\w+$/),
          expr: z.string(),
          for: z.string().regex(/^\d+[smh]$/),
          labels: z.strictObject({ severity: z.enum(['warning', 'critical']) }),
          annotations: z.strictObject({ summary: z.string(), description: z.string() }),
        }),
      ),
    }),
  ),
});

async function readDeployed(name: string): Promise<string> {
  return readFile(join(ROOT, 'deploy', name), 'utf8');
}

/** The metrics in a query; throws if it cannot be parsed. */
function listMetrics(query: string): readonly string[] {
  // Variables that Grafana replaces.
  const text = query.replaceAll('$__rate_interval', '5m').replaceAll('$job', '.*');
  const names: string[] = [];
  parser.parse(text).iterate({
    enter({ type, name, from, to }) {
      if (type.isError) throw new Error(`no PromQL at ${from}: ${text}`);
      if (name === 'Identifier') names.push(text.slice(from, to));
    },
  });
  return names;
}

test('every query of the dashboard and the alert rules is valid PromQL over existing metrics', async () => {
  const scrapes = [await scrape(processes.service.origin), await scrape(processes.worker)];
  const types = scrapes.flatMap(({ text }) => [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)]);
  const known = new Set(['up']);
  for (const [, name = '', type] of types)
    for (const end of type === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']) known.add(name + end);
  const { panels } = Panels.parse(JSON.parse(await readDeployed('grafana-dashboard.json')));
  const { groups } = Rules.parse(parse(await readDeployed('alerts.yaml')));
  const queries = [...panels.flatMap(({ targets }) => targets), ...groups.flatMap(({ rules }) => rules)].map(
    ({ expr }) => expr,
  );
  assert.ok(queries.length > 50);
  const unknown = queries.flatMap(listMetrics).filter((name) => !known.has(name));
  assert.deepEqual(unknown, []);
  assert.throws(() => listMetrics('sum(rate(quern_jobs_total[5m]'), /no PromQL/);
});
