import { join } from 'node:path';
import { mkdirSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { type Agent, connectHttpAgent, connectStdioAgent } from '#testkit/agent.ts';
import { startHttpServer } from '#testkit/servers.ts';
import { startService } from '#demo/service.ts';
import type { HourSetup, Walkthrough } from './walk.ts';

/** Token limits of the tool list, of one response, and in total. */
const MAX_LIST_TOKENS = 5000;
const MAX_RESPONSE_TOKENS = 8000;
const MAX_TOTAL_TOKENS = 30_000;
const TIMEOUT_MS = 20_000;
const RETRY_INTERVAL_MS = 200;

/** Token counts of an agent. */
export type TokenCounts = {
  readonly way: string;
  readonly listed: number;
  readonly largest: number;
  readonly all: number;
};

/** Runs typical agent tasks with the official MCP client over both transports. */
export async function runAgent(walk: Walkthrough, world: HourSetup): Promise<readonly TokenCounts[]> {
  const { folder, allow, sitesFile, key } = world;
  await using manual = await startHttpServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8').end(renderManual());
  });
  const settings = {
    QUERN_ALLOW_TARGETS: `${allow},${new URL(manual.origin).host}`,
    QUERN_SITES_FILE: sitesFile,
    QUERN_CHROMIUM: 'off',
  };
  const told: TokenCounts[] = [];
  const [data, own] = [join(folder, 'agent'), join(folder, 'agent-stdio')];
  for (const one of [data, own]) mkdirSync(one, { recursive: true, mode: 0o700 });
  await walk.person(
    'agent (stdio)',
    'the official MCP client starts quern mcp, which has a service of its own',
    async () => {
      const agent = await connectAgent(walk, 'quern mcp', async () => connectStdioAgent(own, settings, 'hour'));
      told.push(await runTasks(walk, agent, { world, manual: manual.origin, way: 'stdio' }));
    },
  );
  const service = await startService({ dataDir: data, settings: { ...settings, QUERN_BOOTSTRAP_KEY: key } });
  await walk
    .person('agent (HTTP)', 'the same client asks a service that runs, over streamable HTTP', async () => {
      const agent = await connectAgent(walk, `${service.origin}/mcp`, async () =>
        connectHttpAgent(service.origin, key, 'hour'),
      );
      told.push(await runTasks(walk, agent, { world, manual: manual.origin, way: 'HTTP' }));
    })
    .finally(async () => service.close());
  return told;
}

async function connectAgent(walk: Walkthrough, command: string, open: () => Promise<Agent>): Promise<Agent> {
  const agents: Agent[] = [];
  await walk.step('connect and list the tools', command, async () => {
    const agent = await open();
    agents.push(agent);
    const { tools, listed } = agent;
    if (listed > MAX_LIST_TOKENS) throw new Error(`the list of tools has ${listed} tokens`);
    return `${tools.length} tools in ${listed} tokens: ${tools.map(({ name }) => name).join(', ')}`;
  });
  const [agent] = agents;
  if (agent === undefined) throw new Error('no agent is connected');
  return agent;
}

type AgentSetup = { readonly world: HourSetup; readonly manual: string; readonly way: string };

async function runTasks(
  walk: Walkthrough,
  agent: Agent,
  { world: { site }, manual, way }: AgentSetup,
): Promise<TokenCounts> {
  /** Calls a tool and prints its response, which must match `shows`. */
  async function call(title: string, tool: string, given: Readonly<Record<string, unknown>>, shows: RegExp) {
    return walk.step(title, `${tool} ${JSON.stringify(given)}`, async () => {
      const text = await agent.read(tool, given);
      if (!shows.test(text)) throw new Error(`does not show ${shows}:\n${text}`);
      return text;
    });
  }
  try {
    const first = await call('read a long page', 'fetch', { url: manual }, /offset: \d+/);
    const offset = Number(/offset: (\d+)\.\]/.exec(first)?.[1]);
    await call('read on to its end', 'fetch', { url: manual, offset }, /## Chapter 99/);
    const crawl = { url: site, max_pages: 6, exclude: '/articles/a-year-at-the-mill' };
    const listed = await call('crawl a site', 'crawl', crawl, /stop_reason: max_pages/);
    const [, place] = /^(\d+\.\d+) \| /m.exec(listed) ?? [];
    await call('read a page of it', 'read_page', { id: /job_\w+/.exec(listed)?.[0], place }, /url: http/);
    const rye = `${site.replace('http://', '')}/shop/whole-rye-flour`;
    const extract = '{"name": "string", "price": "money"}';
    await call('get fields of a page', 'fetch', { url: rye, extract }, /"amount":4\.9/);
    const watch = { action: 'create', url: `${site}/shop/spelt-flour`, extract: { price: 'money' }, cron: '@daily' };
    const made = await call('watch a page', 'monitor', watch, /mon_\w+/);
    const id = /mon_\w+/.exec(made)?.[0];
    await walk.step('see its first run', `monitor ${JSON.stringify({ action: 'runs', id })}`, async () =>
      waitForText(async () => agent.read('monitor', { action: 'runs', id, limit: 1 }), /"values":\{"price":\d/),
    );
    await call('take the watch away', 'monitor', { action: 'delete', id }, /Done/);
    await call('find an endpoint of a site', 'find_site_endpoints', { search: 'user profile' }, /codehost\.user/);
    const record = { endpoint: 'codehost.user', parameters: { username: 'ilse-miller' } };
    await call('get a record of it', 'call_site_endpoint', record, /Ilse Harrow/);
    const told = { way, listed: agent.listed, largest: agent.largest(), all: agent.tokens() };
    await walk.step('stay within the tokens of an agent', `${told.all} of ${MAX_TOTAL_TOKENS} tokens`, async () => {
      if (told.largest > MAX_RESPONSE_TOKENS) throw new Error(`an answer has ${told.largest} tokens`);
      if (told.all > MAX_TOTAL_TOKENS) throw new Error(`all have ${told.all} tokens`);
      return `list ${told.listed}, largest answer ${told.largest}, all ${told.all}`;
    });
    return told;
  } finally {
    await agent.close();
  }
}

async function waitForText(look: () => Promise<string>, shows: RegExp): Promise<string> {
  for (const began = performance.now(); ;) {
    const text = await look();
    if (shows.test(text)) return text;
    if (performance.now() - began > TIMEOUT_MS) throw new Error(`does not show ${shows}:\n${text}`);
    await setTimeout(RETRY_INTERVAL_MS);
  }
}

/** A page of about 40,000 characters. */
function renderManual(): string {
  const chapters = Array.from({ length: 100 }, (_, at) => `<h2>Chapter ${at}</h2><p>${renderSteps(at)}</p>`);
  return `<!doctype html><html lang="en"><title>The manual</title><main><h1>The manual</h1>${chapters.join('')}</main></html>`;
}

function renderSteps(chapter: number): string {
  const steps = Array.from({ length: 5 }, (_, at) => `Step ${at} of chapter ${chapter} turns the stone once more.`);
  return steps.join(' ');
}
