import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { z } from 'zod';
import { buildFirecrawlSettings, CLIENTS, type CompatWorld, startCompatWorld } from './world.ts';

const CLI = join(CLIENTS, 'node_modules/firecrawl-cli/dist/index.js');
const Crawled = z.object({
  status: z.string(),
  total: z.number(),
  data: z.array(z.object({ markdown: z.string(), metadata: z.object({ sourceURL: z.string() }) })),
});

let world: CompatWorld;
before(async () => {
  world = await startCompatWorld();
});
after(async () => world[Symbol.asyncDispose]());

/** Runs the command line with the two variables of the guide, and without its own traffic. */
async function runCli(...args: readonly string[]): Promise<string> {
  const { code, out, err } = await world.runNode([CLI, ...args], {
    ...buildFirecrawlSettings(world),
    FIRECRAWL_NO_TELEMETRY: '1',
    FIRECRAWL_NO_UPDATE_CHECK: '1',
    FIRECRAWL_NO_ENDPOINT_FEEDBACK: '1',
  });
  assert.equal(code, 0, err + out);
  return out;
}

test('firecrawl scrape prints the Markdown of a page', async () => {
  assert.match(await runCli('scrape', `${world.site}/rye`), /# Rye flour\n+Stone-ground rye/);
});

test('firecrawl map prints the addresses of a site', async () => {
  const lines = (await runCli('map', world.site)).trim().split('\n');
  assert.deepEqual(lines.map((line) => new URL(line).pathname).toSorted(), ['/', '/rye', '/spelt']);
});

test('firecrawl crawl --wait prints the pages of a site', async () => {
  const out = await runCli('crawl', world.site, '--wait', '--limit', '10', '--poll-interval', '1');
  const { status, total, data } = Crawled.parse(JSON.parse(out));
  assert.deepEqual([status, total], ['completed', 3]);
  assert.deepEqual(data.map(({ metadata }) => new URL(metadata.sourceURL).pathname).toSorted(), [
    '/',
    '/rye',
    '/spelt',
  ]);
});
