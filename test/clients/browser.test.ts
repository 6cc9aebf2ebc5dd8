import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { startSite as openDemo } from '#demo/site.ts';
import { startHttpServer } from '#testkit/servers.ts';
import { toPublishedTree } from '#tools/publish.ts';
import { BROWSERS, browserTest } from '#support/rendered.ts';
import { ROOT } from '#support/copy.ts';
import { KEY, serveQuern } from '#support/quern.ts';
import { inTemporaryFolder } from '#support/store.ts';

const SOURCES = join(ROOT, 'clients/typescript/src');
const PAGE_MS = 120_000;

const Result = z.object({
  title: z.string(),
  pages: z.array(z.string()),
  stopped: z.string(),
  listed: z.int(),
  failure: z.array(z.unknown()),
});

/** A page that calls the service from its own origin and reports the result to its server. */
function writePage(service: string, site: string): string {
  return `<!doctype html><meta charset="utf-8"><title>A page</title><script type="module">
    import { Quern } from '/client/index.js';
    const quern = new Quern({ baseUrl: '${service}', apiKey: '${KEY}' });
    async function work() {
      const { metadata } = await quern.fetch({ url: '${site}/articles/a-year-at-the-mill' });
      const crawl = quern.crawl({ url: '${site}/', max_pages: 3, delay_ms: 0 });
      const pages = [];
      for await (const page of crawl) pages.push(page.url);
      const { stop_reason } = await crawl;
      let listed = 0;
      for await (const job of quern.listJobs()) listed += 1;
      const failure = await quern.getJob({ id: 'job_0' }).catch(({ status, code, requestId }) => [status, code, requestId]);
      return { title: metadata.title, pages, stopped: stop_reason, listed, failure };
    }
    const answer = await work().catch((error) => ({ error: String(error) }));
    await fetch('/result', { method: 'POST', body: JSON.stringify(answer) });
  </script>`;
}

/** The client modules as served to a browser. */
async function readModules(): Promise<ReadonlyMap<string, string>> {
  const names = (await readdir(SOURCES, { recursive: true })).filter((name) => name.endsWith('.ts'));
  const sources = await Promise.all(
    names.map(async (name) => [name, await readFile(join(SOURCES, name), 'utf8')] as const),
  );
  return new Map([...toPublishedTree('client', new Map(sources)).values()].map(({ file, text: code }) => [file, code]));
}

/** A server of a page and of the client; the page posts its result back. */
async function openPages(modules: ReadonlyMap<string, string>, write: () => string) {
  const result = Promise.withResolvers<string>();
  const site = await startHttpServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://page').pathname;
    const code = modules.get(path.replace('/client/', ''));
    if (path === '/result') {
      void text(request).then(result.resolve, result.reject);
      response.end();
    } else if (code !== undefined) response.setHeader('content-type', 'text/javascript').end(code);
    else if (path === '/') response.setHeader('content-type', 'text/html').end(write());
    else response.writeHead(404).end();
  });
  return { site, origin: site.origin, result: result.promise };
}

/** Opens a page in a real browser; returns what the page reports. */
async function load(folder: string, url: string, result: Promise<string>): Promise<string> {
  const profile = join(folder, 'profile');
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run'];
  const child = spawn(BROWSERS?.full.path ?? '', [...flags, `--user-data-dir=${profile}`, url], { stdio: 'ignore' });
  const exited = once(child, 'exit');
  const late = AbortSignal.timeout(PAGE_MS);
  try {
    const ended = exited.then(([code]) => Promise.reject(new Error(`the browser ended with ${String(code)}`)));
    const isLate = once(late, 'abort').then(() => Promise.reject(new Error('the page told nothing')));
    return await Promise.race([result, ended, isLate]);
  } finally {
    child.kill('SIGKILL');
    await exited.catch(() => undefined);
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

browserTest('the client works as an ES module in a browser, from an origin that the service allows', async () => {
  await inTemporaryFolder(async (folder) => {
    const demo = await openDemo({ port: 0 });
    const modules = await readModules();
    let service = '';
    const allowed = await openPages(modules, () => writePage(service, demo.origin));
    const foreign = await openPages(modules, () => writePage(service, demo.origin));
    await using stack = new AsyncDisposableStack();
    stack.defer(demo.close);
    stack.use(allowed.site);
    stack.use(foreign.site);
    const settings = { QUERN_ALLOW_TARGETS: new URL(demo.origin).host, QUERN_CORS_ORIGINS: allowed.origin };
    const served = stack.use(await serveQuern(folder, settings));
    service = served.origin;
    const told = Result.parse(JSON.parse(await load(folder, allowed.origin, allowed.result)));
    assert.match(told.title, /A year at the mill/i);
    assert.deepEqual([told.pages.length, told.stopped, told.listed], [3, 'max_pages', 1]);
    const [status, code, requestId] = told.failure;
    assert.deepEqual([status, code], [404, 'not_found']);
    assert.match(String(requestId), /^req_/);
    const refused = await load(folder, foreign.origin, foreign.result);
    assert.match(refused, /"error":"Quern\w*Error/);
  });
});
