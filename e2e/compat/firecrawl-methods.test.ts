import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { Firecrawl } from '@mendable/firecrawl-js';
import { isJsonObject } from '#extract/values/json-object.ts';
import { ROOT } from '#support/copy.ts';
import { KEY } from '#support/quern.ts';
import { openSearchWorld } from './search-world.ts';

/** The table of methods in the guide. `QUERN_WRITE_TABLE=1` makes this test write it. */
const GUIDE = join(ROOT, 'docs/guide/compat-firecrawl.md');
const TABLE = /(?<=<!-- methods -->\n\n)[^]*?(?=\n\n<!-- so far -->)/;

/** Methods that call no endpoint of their own: private ones, and helpers that others call. */
const HELPERS: ReadonlySet<string> = new Set([
  'isCloudService',
  'v1.isCloudService',
  'v1.getVersion',
  'v1.init',
  'v1.isRetryableError',
  'v1.handleError',
  'v1.prepareHeaders',
  'v1.postRequest',
  'v1.getRequest',
  'v1.deleteRequest',
  'v1.monitorJobStatus',
]);

const UNKNOWN = '00000000-0000-0000-0000-000000000000';
const SCHEMA = { type: 'object', properties: { title: { type: 'string' } } };
const QUESTION = { prompt: 'Which grain is the oldest?' };
const MONITOR = { name: 'Grain', schedule: { text: 'daily at 9:00' } };

type Facts = { readonly client: Firecrawl; readonly mill: string };
type Call = () => Promise<unknown>;

/** Starts what methods ask about. */
async function startJobs({ client, mill }: Facts) {
  const crawl = await client.startCrawl(mill, { limit: 2 });
  const batch = await client.startBatchScrape([`${mill}/grain/1`]);
  const extract = await client.startExtract({ urls: [`${mill}/grain/1`], schema: SCHEMA });
  const targets = [{ type: 'scrape' as const, urls: [`${mill}/grain/1`] }];
  const monitor = await client.createMonitor({ ...MONITOR, targets });
  return {
    crawl: crawl.id,
    batch: batch.id,
    extract: extract.id ?? '',
    monitor: monitor.id,
    check: monitor.currentCheckId ?? '',
    targets,
  };
}

type Jobs = Awaited<ReturnType<typeof startJobs>>;

const end = { pollInterval: 1, timeout: 60 };

/** A call of each method of version 2. */
function listCalls({ client, mill }: Facts, jobs: Jobs): Readonly<Record<string, Call>> {
  const page = `${mill}/grain/1`;
  const { research } = client;
  return {
    scrape: async () => client.scrape(page),
    findTools: async () => client.findTools(),
    interact: async () => client.interact(UNKNOWN, QUESTION),
    stopInteraction: async () => client.stopInteraction(UNKNOWN),
    scrapeExecute: async () => client.scrapeExecute(UNKNOWN, QUESTION),
    stopInteractiveBrowser: async () => client.stopInteractiveBrowser(UNKNOWN),
    deleteScrapeBrowser: async () => client.deleteScrapeBrowser(UNKNOWN),
    parse: async () => client.parse({ data: 'Rye', filename: 'rye.txt' }),
    search: async () => client.search('rye', { limit: 1 }),
    developerSearch: async () => client.developerSearch('rye'),
    feedback: async () => client.feedback({ endpoint: 'scrape', jobId: UNKNOWN, rating: 'good' }),
    searchFeedback: async () => client.searchFeedback(UNKNOWN, { rating: 'good' }),
    'research.searchPapers': async () => research.searchPapers('rye'),
    'research.getPaper': async () => research.getPaper('1'),
    'research.similarPapers': async () => research.similarPapers('1', { intent: 'rye' }),
    'research.searchGithub': async () => research.searchGithub('rye'),
    map: async () => client.map(mill, { limit: 2 }),
    startCrawl: async () => client.startCrawl(mill, { limit: 1 }),
    getCrawlStatus: async () => client.getCrawlStatus(jobs.crawl),
    cancelCrawl: async () => client.cancelCrawl((await client.startCrawl(mill, { limit: 40, delay: 5 })).id),
    crawl: async () => client.crawl(mill, { limit: 1, ...end }),
    getCrawlErrors: async () => client.getCrawlErrors(jobs.crawl),
    getActiveCrawls: async () => client.getActiveCrawls(),
    crawlParamsPreview: async () => client.crawlParamsPreview(mill, 'only grain'),
    createMonitor: async () => client.createMonitor({ ...MONITOR, targets: jobs.targets }),
    listMonitors: async () => client.listMonitors(),
    getMonitor: async () => client.getMonitor(jobs.monitor),
    updateMonitor: async () => client.updateMonitor(jobs.monitor, { name: 'Old grain' }),
    deleteMonitor: async () => {
      const { id } = await client.createMonitor({ ...MONITOR, targets: jobs.targets });
      return client.deleteMonitor(id);
    },
    runMonitor: async () => client.runMonitor(jobs.monitor),
    listMonitorChecks: async () => client.listMonitorChecks(jobs.monitor),
    getMonitorCheck: async () => client.getMonitorCheck(jobs.monitor, jobs.check),
    startBatchScrape: async () => client.startBatchScrape([page]),
    getBatchScrapeStatus: async () => client.getBatchScrapeStatus(jobs.batch),
    getBatchScrapeErrors: async () => client.getBatchScrapeErrors(jobs.batch),
    cancelBatchScrape: async () => client.cancelBatchScrape((await client.startBatchScrape([page])).id),
    batchScrape: async () => client.batchScrape([page], end),
    startExtract: async () => client.startExtract({ urls: [page], schema: SCHEMA }),
    getExtractStatus: async () => client.getExtractStatus(jobs.extract),
    extract: async () => client.extract({ urls: [page], schema: SCHEMA, ...end }),
    startAgent: async () => client.startAgent(QUESTION),
    getAgentStatus: async () => client.getAgentStatus(UNKNOWN),
    listAgents: async () => client.listAgents(),
    agent: async () => client.agent(QUESTION),
    cancelAgent: async () => client.cancelAgent(UNKNOWN),
    getAgentTrace: async () => client.getAgentTrace(UNKNOWN),
    getAgentSnapshot: async () => client.getAgentSnapshot(UNKNOWN, UNKNOWN),
    getAgentThread: async () => client.getAgentThread(UNKNOWN),
    browser: async () => client.browser(),
    browserExecute: async () => client.browserExecute(UNKNOWN, { code: '1' }),
    deleteBrowser: async () => client.deleteBrowser(UNKNOWN),
    listBrowsers: async () => client.listBrowsers(),
    getConcurrency: async () => client.getConcurrency(),
    getCreditUsage: async () => client.getCreditUsage(),
    getTokenUsage: async () => client.getTokenUsage(),
    getCreditUsageHistorical: async () => client.getCreditUsageHistorical(),
    getTokenUsageHistorical: async () => client.getTokenUsageHistorical(),
    getQueueStatus: async () => client.getQueueStatus(),
    async watcher() {
      const watcher = client.watcher(jobs.crawl, { timeout: 60 });
      const done = once(watcher, 'done');
      await watcher.start();
      return done;
    },
    scrapeUrl: async () => client.scrapeUrl(page),
    crawlUrl: async () => client.crawlUrl(mill, { limit: 1, ...end }),
    asyncCrawlUrl: async () => client.asyncCrawlUrl(mill, { limit: 1 }),
    checkCrawlStatus: async () => client.checkCrawlStatus(jobs.crawl),
    checkCrawlErrors: async () => client.checkCrawlErrors(jobs.crawl),
    mapUrl: async () => client.mapUrl(mill, { limit: 2 }),
    batchScrapeUrls: async () => client.batchScrapeUrls([page], end),
    asyncBatchScrapeUrls: async () => client.asyncBatchScrapeUrls([page]),
    checkBatchScrapeStatus: async () => client.checkBatchScrapeStatus(jobs.batch),
    checkBatchScrapeErrors: async () => client.checkBatchScrapeErrors(jobs.batch),
  };
}

/** Waits for the end of what a watcher of version 1 watches. */
async function watchToEnd(watcher: { addEventListener: EventTarget['addEventListener']; close: () => void }) {
  const ended = await new Promise<string>((resolve) => {
    watcher.addEventListener('done', () => resolve('done'));
    watcher.addEventListener('error', () => resolve('error'));
  });
  watcher.close();
  assert.equal(ended, 'done');
  return ended;
}

/** A call of each method of version 1. */
function listOldCalls({ client: { v1 }, mill }: Facts, jobs: Jobs): Readonly<Record<string, Call>> {
  const page = `${mill}/grain/1`;
  return {
    'v1.scrapeUrl': async () => v1.scrapeUrl(page, {}),
    'v1.search': async () => v1.search('rye', { limit: 1 }),
    'v1.crawlUrl': async () => v1.crawlUrl(mill, { limit: 1 }, 1),
    'v1.asyncCrawlUrl': async () => v1.asyncCrawlUrl(mill, { limit: 1 }),
    'v1.checkCrawlStatus': async () => v1.checkCrawlStatus(jobs.crawl),
    'v1.checkCrawlErrors': async () => v1.checkCrawlErrors(jobs.crawl),
    'v1.cancelCrawl': async () => v1.cancelCrawl(jobs.crawl),
    'v1.crawlUrlAndWatch': async () => watchToEnd(await v1.crawlUrlAndWatch(mill, { limit: 1 })),
    'v1.mapUrl': async () => v1.mapUrl(mill, { limit: 2 }),
    'v1.batchScrapeUrls': async () => v1.batchScrapeUrls([page], {}, 1),
    'v1.asyncBatchScrapeUrls': async () => v1.asyncBatchScrapeUrls([page], {}),
    'v1.batchScrapeUrlsAndWatch': async () => watchToEnd(await v1.batchScrapeUrlsAndWatch([page], {})),
    'v1.checkBatchScrapeStatus': async () => v1.checkBatchScrapeStatus(jobs.batch),
    'v1.checkBatchScrapeErrors': async () => v1.checkBatchScrapeErrors(jobs.batch),
    'v1.extract': async () => v1.extract([page], { schema: SCHEMA }),
    'v1.asyncExtract': async () => v1.asyncExtract([page], { schema: SCHEMA }),
    'v1.getExtractStatus': async () => v1.getExtractStatus(jobs.extract),
    'v1.deepResearch': async () => v1.deepResearch('rye', {}),
    'v1.asyncDeepResearch': async () => v1.asyncDeepResearch('rye', {}),
    'v1.checkDeepResearchStatus': async () => v1.checkDeepResearchStatus(UNKNOWN),
    'v1.generateLLMsText': async () => v1.generateLLMsText(mill, {}),
    'v1.asyncGenerateLLMsText': async () => v1.asyncGenerateLLMsText(mill, {}),
    'v1.checkGenerateLLMsTextStatus': async () => v1.checkGenerateLLMsTextStatus(UNKNOWN),
    'v1.getQueueStatus': async () => v1.getQueueStatus(),
    'v1.getCreditUsage': async () => v1.getCreditUsage(),
    'v1.getTokenUsage': async () => v1.getTokenUsage(),
    'v1.getCreditUsageHistorical': async () => v1.getCreditUsageHistorical(),
    'v1.getTokenUsageHistorical': async () => v1.getTokenUsageHistorical(),
  };
}

/** Lists the methods of a client of Firecrawl, also those that it inherits. */
function listMethods(client: object, prefix = ''): readonly string[] {
  const names = new Set<string>();
  for (let proto = Object.getPrototypeOf(client); proto !== Object.prototype; proto = Object.getPrototypeOf(proto))
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(proto)))
      if (typeof value === 'function' && name !== 'constructor') names.add(prefix + name);
  return [...names];
}

/** Runs a call: `works`, or the sentence of its answer 501. Throws for anything else. */
async function judge(name: string, call: Call): Promise<string> {
  try {
    const answer = await call();
    assert.ok(answer !== undefined && answer !== null && answer !== false, name);
    if (isJsonObject(answer)) assert.notEqual(answer['success'], false, `${name}: ${JSON.stringify(answer)}`);
    return 'works';
  } catch (error) {
    if (!(error instanceof Error) || error instanceof assert.AssertionError) throw error;
    const sentence = /Quern does not serve .+?(?=\s*$)/.exec(error.message)?.[0];
    if (sentence !== undefined) return `501: ${sentence}`;
    // The client of version 1 does not show the sentence of a status.
    assert.match(error.message, /Status code: 501/, name);
    return '501';
  }
}

function formatTable(outcomes: ReadonlyMap<string, string>): string {
  const rows = Map.groupBy(outcomes, ([, outcome]) => outcome);
  const lines = [...rows].map(
    ([outcome, methods]) => `| ${methods.map(([name]) => `\`${name}\``).join(', ')} | ${outcome} |`,
  );
  return ['| methods | |', '|---|---|', ...lines].join('\n');
}

test(
  'every method of the client works or is refused with a sentence, as the guide says',
  { timeout: 240_000 },
  async () => {
    const world = await openSearchWorld();
    try {
      const client = new Firecrawl({ apiKey: KEY, apiUrl: `${world.service.origin}/firecrawl` });
      const facts = { client, mill: world.mill };
      const jobs = await startJobs(facts);
      await client.crawl(world.mill, { limit: 1, ...end });
      const calls = { ...listCalls(facts, jobs), ...listOldCalls(facts, jobs) };
      const methods = [
        ...listMethods(client),
        ...listMethods(client.research, 'research.'),
        ...listMethods(client.v1, 'v1.'),
      ].filter((name) => !HELPERS.has(name) && !name.startsWith('v1.__'));
      assert.deepEqual(Object.keys(calls).toSorted(), methods.toSorted(), 'each method is called');
      const outcomes = new Map<string, string>();
      for (const [name, call] of Object.entries(calls)) outcomes.set(name, await judge(name, call));
      const guide = await readFile(GUIDE, 'utf8');
      const table = formatTable(outcomes);
      if (process.env['QUERN_WRITE_TABLE'] === '1')
        await writeFile(
          GUIDE,
          guide.replace(TABLE, () => table),
        );
      else assert.equal(TABLE.exec(guide)?.[0], table, 'QUERN_WRITE_TABLE=1 rewrites the table');
    } finally {
      await world.close();
    }
  },
);
