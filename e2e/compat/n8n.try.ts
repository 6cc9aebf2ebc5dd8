import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { KEY } from '#support/quern.ts';
import { CLIENTS, type CompatWorld, startCompatWorld } from './world.ts';

const Answered = z.object({ status: z.number(), answer: z.looseObject({ success: z.boolean() }) });
const Scraped = z.object({ data: z.object({ markdown: z.string(), metadata: z.looseObject({ title: z.string() }) }) });
const Mapped = z.object({ links: z.array(z.object({ url: z.string() })) });
const Crawl = z.object({ status: z.string(), data: z.array(z.looseObject({ markdown: z.string() })) });

let world: CompatWorld;
before(async () => {
  world = await startCompatWorld();
});
after(async () => world[Symbol.asyncDispose]());

/** Sends what a node with these parameters sends, with the credentials of the guide. */
async function runNode(parameters: Readonly<Record<string, unknown>>, apiKey = KEY) {
  const credentials = { baseUrl: `${world.firecrawl}/v2`, apiKey };
  const args = [join(CLIENTS, 'n8n.mjs'), JSON.stringify(parameters), JSON.stringify(credentials)];
  const { code, out, err } = await world.runNode(args);
  assert.equal(code, 0, err);
  return Answered.parse(JSON.parse(out));
}

test('the credentials test of n8n accepts a key and refuses a wrong one', async () => {
  const operation = { resource: 'Account', operation: 'teamCreditUsage' };
  assert.equal((await runNode(operation)).status, 200);
  assert.equal((await runNode(operation, 'qk_wrong')).status, 401);
});

test('the scrape node returns a page', async () => {
  const { answer } = await runNode({ resource: 'Scraping', operation: 'scrape', url: `${world.site}/rye` });
  const { data } = Scraped.parse(answer);
  assert.equal(data.metadata.title, 'Rye flour');
  assert.match(data.markdown, /Stone-ground rye/);
});

test('the map node returns the addresses of a site', async () => {
  const { answer } = await runNode({ resource: 'MapSearch', operation: 'map', url: world.site });
  assert.deepEqual(
    Mapped.parse(answer)
      .links.map(({ url }) => new URL(url).pathname)
      .toSorted(),
    ['/', '/rye', '/spelt'],
  );
});

test('the crawl node starts a crawl, and the status node returns its pages', async () => {
  const { status, answer } = await runNode({ resource: 'Crawling', operation: 'crawl', url: world.site, limit: 10 });
  assert.equal(status, 200, JSON.stringify(answer));
  for (let tries = 0; tries < 30; tries++) {
    const shown = await runNode({ resource: 'Crawling', operation: 'getCrawlStatus', crawlId: answer['id'] });
    const crawl = Crawl.parse(shown.answer);
    if (crawl.status === 'completed') {
      assert.equal(crawl.data.length, 3);
      return;
    }
    await wait(500);
  }
  assert.fail('the crawl did not end');
});
