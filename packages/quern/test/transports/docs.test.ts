import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { get, type IncomingMessage } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { decodeHTML } from 'entities';
import { z } from 'zod';
import { declareWork } from '#engine/call/operation.ts';
import { endpoints } from '#compose/endpoints.ts';
import { call, getErrorCode, KEY, OPERATIONS, startService } from './service.ts';

const run = promisify(execFile);

/** Runs a program with the test key in its environment; returns its output. */
async function runSample(program: string, ...args: readonly string[]): Promise<string> {
  const env = { PATH: process.env['PATH'], QUERN_API_KEY: KEY };
  return (await run(program, [...args], { env, timeout: 120_000 })).stdout;
}

/** The code block of a docs page under this label, as a reader would copy it. */
function readCode(page: string, label: string): string {
  const code = new RegExp(`<pre[^>]*aria-label="${label}"[^>]*><code>([^<]*)</code>`).exec(page)?.[1];
  return decodeHTML(code ?? '');
}

const tricky = declareWork({
  id: 'tricky',
  route: 'POST /v1/tricky/{name}',
  summary: 'Says <b>"hello"</b> & more',
  plan: 'starter',
  price: { base: 15, cacheHit: 15, perTier: false },
  errors: ['unusable_response'],
  input: z.strictObject({
    name: z.string().min(2).max(1000).describe('a name with <tags>'),
    text: z.string(),
    deep: z.boolean().nullable(),
    list: z.array(z.strictObject({ at: z.int().min(0) })).max(5),
    none: z.null(),
  }),
  output: z.object({ greeting: z.string() }),
  example: {
    name: "O'Neil & söhne/1",
    text: `it's "$HOME" \\ 'naïve'\n<b>`,
    deep: true,
    list: [{ at: 1 }],
    none: null,
  },
});

const DOCUMENTED = [...OPERATIONS, tricky];

test('the index lists every operation and every page answers without JavaScript or foreign assets', async () => {
  await using service = await startService({ operations: DOCUMENTED });
  const index = await call(`${service.url}/docs`, { key: null });
  assert.equal(index.status, 200);
  for (const { id } of DOCUMENTED) {
    assert.match(index.text, new RegExp(`href="/docs/${id}"`));
    const page = await call(`${service.url}/docs/${id}`, { key: null });
    assert.equal(page.status, 200);
    assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'.*frame-ancestors 'none'/);
    assert.equal(page.headers.get('x-content-type-options'), 'nosniff');
    assert.doesNotMatch(page.text, /<script|\son\w+=|style="|(src|href)="https?:/i);
  }
  const style = await call(`${service.url}/docs/style.css`, { key: null });
  assert.match(style.headers.get('content-type') ?? '', /^text\/css/);
  assert.equal(getErrorCode(await call(`${service.url}/docs/unknown`, { key: null })), 'not_found');
});

test('site endpoints are grouped by site, and a search lists the best match first', async () => {
  const ninety = [...OPERATIONS, ...endpoints.map(({ operation }) => operation)].filter(
    ({ id }, at, all) => all.findIndex((one) => one.id === id) === at,
  );
  await using service = await startService({
    operations: ninety.filter((one) => one.kind === 'control' || one.route !== null),
  });
  const index = await call(`${service.url}/docs`, { key: null });
  assert.match(
    index.text,
    /<section id="socialnet">\s*<h3>socialnet<\/h3>\s*<p>social network: [^]*href="\/docs\/socialnet\.reels"[^]*<section id="video">/,
  );
  const found = await call(`${service.url}/docs?search=${encodeURIComponent('transcript of a youtube <video>')}`, {
    key: null,
  });
  assert.equal(/href="\/docs\/([\w.-]+)"/.exec(found.text.split('<table>')[1] ?? '')?.[1], 'video.subtitles');
  assert.match(found.text, /value="transcript of a youtube &lt;video&gt;"/);
  assert.match((await call(`${service.url}/docs?search=xylophone`, { key: null })).text, /No operation was found/);
  assert.equal((await call(`${service.url}/docs?search=a&search=b`, { key: null })).status, 200);
});

test('without a console, / redirects to the docs', async () => {
  await using service = await startService();
  const answer = await fetch(service.url, { redirect: 'manual' });
  assert.deepEqual([answer.status, answer.headers.get('location')], [302, '/docs']);
});

test('an operation page shows route, plan, price, parameters with limits, and errors, all escaped', async () => {
  await using service = await startService({ operations: DOCUMENTED });
  const { text } = await call(`${service.url}/docs/tricky`, { key: null });
  assert.match(text, /Says &lt;b&gt;&quot;hello&quot;&lt;\/b&gt; &amp; more/);
  assert.match(text, /POST \/v1\/tricky\/\{name\}/);
  assert.match(text, /Starter or higher/);
  assert.match(text, /at least 2 characters, at most 1,000 characters/);
  assert.match(text, /boolean or null/);
  assert.match(text, /a name with &lt;tags&gt;/);
  assert.match(text, /<code>list\[\]\.at<\/code>/);
  assert.match(text, /unusable_response/);
  assert.doesNotMatch(text, /<b>/);
  const page = await call(`${service.url}/docs/fetch`, { key: null });
  assert.match(page.text, /2, 1 from the cache, \+8 by proxy, \+65 by proxy_browser/);
  assert.match(page.text, /<code>\[&quot;markdown&quot;\]<\/code>/);
});

/** A page of the docs, requested with the given Host header. */
async function getAs(host: string, port: number, path: string) {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, headers: { host } }, resolve).on('error', reject);
  });
  return { markup: await readText(response), caching: response.headers['cache-control'] };
}

test('pages that contain the request host are not cacheable, and contain only valid hosts', async () => {
  await using service = await startService();
  for (const path of ['/docs', '/docs/fetch', '/docs?search=page']) {
    assert.equal((await getAs('x', service.port, path)).caching, 'no-store', path);
  }
  for (const host of ['a:b:c', ']', '[::1', '..', 'a..b', ':7700', 'a:99999', '[zz]', "x';id;'"]) {
    const { markup } = await getAs(host, service.port, '/docs/fetch');
    assert.match(markup, /http:\/\/localhost\/v1\/fetch/, host);
  }
  for (const host of ['quern.example', 'quern:7700', '[::1]:7700', '127.0.0.1:1', 'my_host.local.']) {
    const { markup } = await getAs(host, service.port, '/docs/fetch');
    assert.ok(markup.includes(`http://${host}/v1/fetch`), host);
  }
});

test('a forged Host does not get into the samples', async () => {
  await using service = await startService({ trustProxy: ['127.0.0.1'] });
  const headers = { 'x-forwarded-host': `x';rm -rf ~;'`, 'x-forwarded-for': '192.0.2.1' };
  const { text } = await call(`${service.url}/docs/fetch`, { key: null, headers });
  assert.doesNotMatch(text, /rm -rf/);
});

for (const { id, example } of DOCUMENTED) {
  test(`the samples of ${id} run as they stand and send its example`, async () => {
    await using service = await startService({ operations: DOCUMENTED });
    const { text } = await call(`${service.url}/docs/${id}`, { key: null });
    const javascript = readCode(text, 'Example request in JavaScript');
    assert.match(await runSample(process.execPath, '--input-type=module', '-e', javascript), /^200 /);
    if (await isInstalled('curl')) {
      const answer: unknown = JSON.parse(await runSample('sh', '-c', readCode(text, 'Example request with curl')));
      assert.deepEqual(z.looseObject({ input: z.unknown() }).parse(answer).input, example);
    }
    if (await isInstalled('python3')) {
      assert.match(await runSample('python3', '-c', readCode(text, 'Example request in Python')), /^200 /);
    }
  });
}

/** Whether the shell finds a program. */
async function isInstalled(program: string): Promise<boolean> {
  return (await runSample('sh', '-c', `command -v ${program} || true`)) !== '';
}
