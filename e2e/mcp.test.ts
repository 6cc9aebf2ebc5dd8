import assert from 'node:assert/strict';
import { after, before, suite, test, type TestContext } from 'node:test';
import { startMockSites, type MockSites } from '#demo/sites/mock-sites.ts';
import { type Agent, connectHttpAgent, connectStdioAgent } from '#testkit/agent.ts';
import { KEY } from '#support/quern.ts';
import { inTemporaryFolder } from '#support/store.ts';
import { openWorld, type World } from '#support/world.ts';
import { startHttpServer } from '#testkit/servers.ts';

const MAX_TOKENS = 30_000;
const MAX_OF_ONE = 8000;

let sites: MockSites;
let world: World;
let allow = '';
let manual: Awaited<ReturnType<typeof startHttpServer>>;
before(async () => {
  sites = await startMockSites();
  manual = await startHttpServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8').end(writeManual());
  });
  allow = [sites.allow, new URL(manual.origin).host].join(',');
  world = await openWorld({ QUERN_SITES_FILE: sites.file, QUERN_ALLOW_TARGETS: allow });
});
after(async () => {
  await world.close();
  await manual[Symbol.asyncDispose]();
  await sites.close();
});

/** A page of some 40,000 characters. */
function writeManual(): string {
  const chapters = Array.from({ length: 80 }, (_, at) => {
    const lines = Array.from(
      { length: 5 },
      (_line, line) => `Step ${line} of chapter ${at} turns the stone once more, and the flour falls.`,
    );
    return `<h2>Chapter ${at}</h2><p>${lines.join(' ')}</p>`;
  });
  return `<!doctype html><html lang="en"><title>The manual of the mill</title><main><h1>The manual of the mill</h1>${chapters.join('')}</main></html>`;
}

/** Reads a page with truncated responses to its end. */
async function readLong({ read }: Agent): Promise<void> {
  const parts = [await read('fetch', { url: manual.origin })];
  for (let at = toNext(parts[0]); at !== null; at = toNext(parts.at(-1)))
    parts.push(await read('fetch', { url: manual.origin, offset: at }));
  assert.equal(parts.length, 2);
  for (let chapter = 0; chapter < 80; chapter += 1) {
    const having = parts.filter((part) => part.includes(`## Chapter ${chapter}\n`));
    assert.equal(having.length, 1, `chapter ${chapter}`);
  }
}

/** The offset at which a truncated response continues, null for a complete one. */
function toNext(text = ''): number | null {
  const next = /offset: (\d+)\.\]/.exec(text)?.[1];
  return next === undefined ? null : Number(next);
}

/** Crawls a site, and reads two of its pages by index and by URL. */
async function crawlAndRead({ read }: Agent): Promise<void> {
  const listed = await read('crawl', { url: world.site, max_pages: 6, exclude: '/articles/a-year-at-the-mill' });
  assert.match(listed, /stop_reason: max_pages/);
  const id = /job_\w+/.exec(listed)?.[0];
  const lines = [...listed.matchAll(/^(\d+\.\d+) \| (.+) \| (\S+) \| (\d+) chars$/gm)];
  assert.equal(lines.length, 6, listed);
  assert.match(await read('read_page', { id, place: lines[1]?.[1] }), new RegExp(`url: ${lines[1]?.[3]}`));
  assert.match(await read('read_page', { id, url: lines[2]?.[3] }), new RegExp(`url: ${lines[2]?.[3]}`));
}

/** Gets named fields of a product as models call it: with JSON as text, and no list. */
async function extractFields({ read }: Agent): Promise<void> {
  const found = await read('fetch', {
    url: `${world.site.replace('http://', '')}/shop/whole-rye-flour`,
    extract: '{"name": "string", "price": "money"}',
  });
  assert.match(found, /json: \{"name":"Whole rye flour[^}]*"price":\{"amount":4\.9,"currency":"EUR"\}/);
}

/** Creates a monitor of a page, reads it, and deletes it. */
async function watchPage({ read, call }: Agent): Promise<void> {
  const url = `${world.site}/shop/millstone-at-auction`;
  const created = await call('monitor', { action: 'create', url, extract: { price: 'money' }, cron: '@daily' });
  const text = JSON.stringify(created.content);
  const id = /mon_\w+/.exec(text)?.[0];
  assert.ok(id !== undefined, text);
  let runs = '';
  for (let tries = 0; tries < 100 && !runs.includes('"status":"completed"'); tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    runs = await read('monitor', { action: 'runs', id, limit: 1 });
  }
  assert.match(runs, /"values":\{"price":\d/);
  assert.match(await read('monitor', { action: 'trigger', id }), /run_id: /);
  assert.match(await read('monitor', { action: 'delete', id }), /Done/);
}

/** Finds the endpoint of a site, and gets a record from it. */
async function callEndpoint({ read }: Agent): Promise<void> {
  assert.match(await read('find_site_endpoints', { search: 'user profile' }), /codehost\.user/);
  const record = await read('call_site_endpoint', {
    endpoint: 'codehost.user',
    parameters: { username: 'ilse-miller' },
  });
  assert.match(record, /"login":"ilse-miller","name":"Ilse Harrow"/);
}

const TASKS = [readLong, crawlAndRead, extractFields, watchPage, callEndpoint];

async function doTasks(agent: Agent, context: TestContext): Promise<void> {
  for (const task of TASKS) await task(agent);
  context.diagnostic(`${agent.tokens()} tokens in all, ${agent.largest()} in the largest answer`);
  assert.ok(agent.tokens() <= MAX_TOKENS, `${agent.tokens()} tokens`);
  assert.ok(agent.largest() <= MAX_OF_ONE, `${agent.largest()} tokens in one answer`);
}

suite('an agent with the official client', () => {
  test('does five tasks over streamable HTTP within 30,000 tokens', async (context) => {
    await using agent = await connectHttpAgent(world.service.origin, KEY);
    await doTasks(agent, context);
  });

  test('does the same over stdio, through a running service', async (context) => {
    await inTemporaryFolder(async (folder) => {
      const settings = { QUERN_URL: world.service.origin, QUERN_API_KEY: KEY };
      await using agent = await connectStdioAgent(folder, settings);
      await doTasks(agent, context);
      const steps: number[] = [];
      const onprogress = ({ progress }: { readonly progress: number }): void => void steps.push(progress);
      const map = { name: 'map', arguments: { url: world.site, max_urls: 5 } };
      assert.equal((await agent.client.callTool(map, undefined, { onprogress })).isError, false);
      assert.ok(steps.length > 0);
    });
  });

  test('does the same over stdio, with an embedded service', async (context) => {
    await inTemporaryFolder(async (folder) => {
      const targets = [new URL(world.site).host, allow].join(',');
      await using agent = await connectStdioAgent(folder, {
        QUERN_SITES_FILE: sites.file,
        QUERN_ALLOW_TARGETS: targets,
      });
      await doTasks(agent, context);
    });
  });
});
