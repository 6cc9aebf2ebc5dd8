import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { z } from 'zod';
import { buildFirecrawlSettings, CLIENTS, type CompatWorld, startCompatWorld } from './world.ts';

const Texts = z.object({ content: z.array(z.object({ text: z.string() })), isError: z.boolean().optional() });
const Crawl = z.looseObject({ status: z.string(), data: z.array(z.looseObject({ markdown: z.string() })).optional() });

const client = new Client({ name: 'quern-test', version: '1.0.0' });
let world: CompatWorld;

before(async () => {
  world = await startCompatWorld();
  const args = [join(CLIENTS, 'node_modules/firecrawl-mcp/dist/index.js')];
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, env: buildFirecrawlSettings(world), stderr: 'ignore' }),
  );
});
after(async () => {
  await client.close();
  await world[Symbol.asyncDispose]();
});

/** Calls a tool and returns the text of its answer. */
async function callTool(name: string, input: Readonly<Record<string, unknown>>): Promise<string> {
  const { content, isError } = Texts.parse(await client.callTool({ name, arguments: { ...input } }));
  const text = content.map((part) => part.text).join('\n');
  assert.notEqual(isError, true, text);
  return text;
}

test('firecrawl-mcp lists its tools', async () => {
  const { tools } = await client.listTools();
  const names = tools.map(({ name }) => name);
  for (const name of ['firecrawl_scrape', 'firecrawl_map', 'firecrawl_crawl', 'firecrawl_check_crawl_status'])
    assert.ok(names.includes(name), name);
});

test('firecrawl_scrape returns the Markdown of a page', async () => {
  const text = await callTool('firecrawl_scrape', { url: `${world.site}/rye`, formats: ['markdown'] });
  assert.match(text, /Stone-ground rye from the valley/);
});

test('firecrawl_map returns the addresses of a site', async () => {
  const text = await callTool('firecrawl_map', { url: world.site });
  for (const path of ['/rye', '/spelt']) assert.ok(text.includes(`${world.site}${path}`), text);
});

test('firecrawl_crawl starts a crawl, and firecrawl_check_crawl_status returns its pages', async () => {
  const started = await callTool('firecrawl_crawl', { url: world.site, limit: 10 });
  const id = /[\da-f]{8}-[\da-f-]{27}/.exec(started)?.[0] ?? '';
  for (let tries = 0; tries < 60; tries++) {
    const { status, data = [] } = Crawl.parse(JSON.parse(await callTool('firecrawl_check_crawl_status', { id })));
    if (status === 'completed') {
      assert.equal(data.length, 3);
      return;
    }
    await wait(500);
  }
  assert.fail('the crawl did not end');
});
