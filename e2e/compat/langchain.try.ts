import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { z } from 'zod';
import { KEY } from '#support/quern.ts';
import { CLIENTS, type CompatWorld, startCompatWorld } from './world.ts';

const Loaded = z.object({
  documents: z.array(
    z.object({ pageContent: z.string(), metadata: z.looseObject({ sourceURL: z.string().optional() }) }),
  ),
});

let world: CompatWorld;
before(async () => {
  world = await startCompatWorld();
});
after(async () => world[Symbol.asyncDispose]());

/** The documents that the loader returns in a mode, with `@mendable/firecrawl-js` 1.29.3. */
async function load(mode: string, path: string) {
  const args = [join(CLIENTS, 'langchain.mjs'), mode, world.site + path, world.firecrawl, KEY];
  const { code, out, err } = await world.runNode(args);
  assert.equal(code, 0, err);
  return Loaded.parse(JSON.parse(out)).documents;
}

test('FireCrawlLoader scrapes a page', async () => {
  const [document, ...more] = await load('scrape', '/rye');
  assert.equal(document?.metadata.sourceURL, `${world.site}/rye`);
  assert.match(document?.pageContent ?? '', /Stone-ground rye/);
  assert.deepEqual(more, []);
});

test('FireCrawlLoader crawls a site', async () => {
  const documents = await load('crawl', '/');
  const paths = documents.map(({ metadata }) => (metadata.sourceURL ?? '').replace(world.site, ''));
  assert.deepEqual(paths.toSorted(), ['/', '/rye', '/spelt']);
});

test('FireCrawlLoader maps a site', async () => {
  const documents = await load('map', '/');
  const paths = documents.map(({ pageContent }) => pageContent.replaceAll('"', '').replace(world.site, ''));
  assert.deepEqual(paths.toSorted(), ['/', '/rye', '/spelt']);
});
