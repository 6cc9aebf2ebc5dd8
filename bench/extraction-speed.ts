/**
 * Measures the time of each step of reading a page: `npm run bench -- extraction-speed`. The fastest round of each page counts, to
 * reduce the effect of other load on the machine.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { toCleanHtml } from '#extract/renderers/clean-html.ts';
import { chooseMainContent } from '#extract/content/content.ts';
import { decodeBody } from '#extract/html/decode.ts';
import { listImages } from '#extract/renderers/images.ts';
import { listLinks } from '#extract/renderers/links.ts';
import { toMarkdown, toPlainText } from '#extract/renderers/markdown.ts';
import { readMetadata } from '#extract/metadata/metadata.ts';
import { parseHtml } from '#extract/html/parse.ts';
import { readPage } from '#extract/read-page.ts';
import type { ReadRequest } from '#extract/reading.ts';
import { createResolver } from '#extract/view/resolve-reference.ts';
import { createLinkClassifier } from '#extract/urls/link-classifier.ts';
import { buildScope } from '#extract/urls/scope.ts';
import { readSitePage } from '#extract/urls/site-page.ts';
import { sniffKind } from '#extract/html/sniff.ts';
import { readStructuredData } from '#extract/structured/structured-data.ts';
import { listTables } from '#extract/renderers/tables.ts';
import { buildView } from '#extract/view/view.ts';
import { countVisibleWords } from '#extract/metadata/word-count.ts';
import { buildMarkdownRequest } from '#testkit/read-request.ts';
import { writePage } from './world/page.ts';
import { buildArray } from './world/prose.ts';
import { planWorld } from './world/site.ts';

type Page = { readonly name: string; readonly url: string; readonly body: Uint8Array<ArrayBuffer> };

/** Rounds over the pages of the corpus and the synthetic site; fixtures are read more often by this factor. */
const ROUNDS = 8;
const FIXTURE_ROUNDS_FACTOR = 25;
const FIXTURES = new URL('../packages/extract/test/fixtures/', import.meta.url);

function readFixturePages(): readonly Page[] {
  const names = readdirSync(FIXTURES).filter((name) => name.endsWith('.html'));
  return names.map((name) => ({
    name,
    url: `https://example.org/${name}`,
    body: new Uint8Array(readFileSync(new URL(name, FIXTURES))),
  }));
}

/** The hundred pages of the corpus that are used for speed comparisons. */
function readCorpusPages(): readonly Page[] {
  const corpus = process.env['QUERN_CORPUS'];
  if (corpus === undefined) return [];
  const root = join(corpus, 'extraction');
  const rows: unknown = JSON.parse(readFileSync(join(root, 'speed100.json'), 'utf8'));
  return Array.isArray(rows) ? rows.map((row: unknown) => toPage(root, row)) : [];
}

function toPage(root: string, row: unknown): Page {
  const { suite, id, url } = Object.fromEntries(Object.entries(row ?? {}).map(([key, value]) => [key, String(value)]));
  const file = join(root, suite ?? '', 'pages', `${id}.html.br`);
  return { name: `${suite}/${id}`, url: url ?? '', body: new Uint8Array(brotliDecompressSync(readFileSync(file))) };
}

const ORIGIN = 'http://127.0.0.1:18010';
const WORLD_PAGES = 10_000;
const WORLD_STEP = 33;

/** Every 33rd page of the synthetic site of the crawl benchmark. */
function buildWorldPages(): readonly Page[] {
  const site = planWorld({ pages: WORLD_PAGES, seed: 1, origin: ORIGIN });
  const ids = buildArray(Math.floor(WORLD_PAGES / WORLD_STEP), (at) => at * WORLD_STEP);
  return ids
    .filter((id) => !site.isFailing(id))
    .map((id) => ({
      name: String(id),
      url: ORIGIN + site.getPath(id),
      body: new Uint8Array(Buffer.from(writePage(site, id, 'whole'))),
    }));
}

type TimeStep = <T>(step: string, run: () => T) => T;

/** Times each step of reading a page separately, then the whole. */
function readInSteps({ url, body }: Page, timed: TimeStep): void {
  const { text, charset } = timed('decode', () => decodeBody(body, 'text/html', sniffKind(body, 'text/html').kind));
  const tree = timed('parse', () => parseHtml(text));
  const { kept } = timed('content', () => chooseMainContent(tree, url));
  const view = timed('view', () => buildView(tree, kept, createResolver(tree, url)));
  timed('markdown', () => toMarkdown(view));
  const structured = timed('structured', () => readStructuredData(tree, url));
  const wordCount = timed('words', () => countVisibleWords(view));
  timed('metadata', () => readMetadata(tree, { url, charset, structured, wordCount }));
  timed('text', () => toPlainText(view));
  timed('html', () => toCleanHtml(view));
  timed('links', () => listLinks(view, url));
  timed('images', () => listImages(tree, view.resolve));
  timed('tables', () => listTables(view));
  timed('whole', () => readPage(toRequest({ url, body })));
}

function toRequest({ url, body }: Pick<Page, 'url' | 'body'>): ReadRequest {
  return { ...buildMarkdownRequest(body, url), outputs: ['markdown', 'links', 'metadata'] };
}

/** Reads pages like a crawl does, including link filtering and content hashing. */
function buildCrawlReader(): (page: Page, timed: TimeStep) => void {
  const scope = buildScope('host', `${ORIGIN}/`, `${ORIGIN}/`);
  if (scope === null) throw new Error('the world has no scope');
  const bounds = {
    include: [],
    exclude: [],
    hashRoutes: false,
    ignoresQuery: false,
    maxDepth: null,
    sparesActions: false,
  };
  const rules = { salt: '', scope, ...bounds, now: 0 };
  const judge = createLinkClassifier(rules);
  const how = { wantsTitles: false, keeps: true, obeysTags: false, hasLogin: false };
  const asked = { xRobotsTag: '', depth: 1, rules, ...how, missing: null };
  return ({ url, body }, timed) => {
    timed('whole', () => readSitePage({ ...toRequest({ url, body }), ...asked }, { judgeBy: () => judge }));
  };
}

/** Times of a step: the minimum per page in ms, and the total CPU time of all threads. */
type StepTimes = { readonly least: Float64Array; cpuMs: number };

type ReportOrder = { readonly rounds: number; readonly read: (page: Page, timed: TimeStep) => void };

function report(title: string, pages: readonly Page[], { rounds, read }: ReportOrder): void {
  if (pages.length === 0) return;
  const taken = new Map<string, StepTimes>();
  for (let round = 0; round < rounds; round++) {
    for (const [at, page] of pages.entries()) {
      read(page, (step, run) => {
        const one = taken.get(step) ?? {
          least: new Float64Array(pages.length).fill(Number.POSITIVE_INFINITY),
          cpuMs: 0,
        };
        taken.set(step, one);
        const cpu = readCpuMs();
        const start = performance.now();
        const result = run();
        one.least[at] = Math.min(one.least[at] ?? 0, performance.now() - start);
        one.cpuMs += readCpuMs() - cpu;
        return result;
      });
    }
  }
  const bytes = pages.reduce((sum, { body }) => sum + body.length, 0);
  console.log(`${title}: ${pages.length} pages, ${Math.round(bytes / pages.length / 1024)} KiB each; ms a page`);
  for (const [step, { least, cpuMs: cpu }] of taken) {
    const sum = least.reduce((total, ms) => total + ms, 0);
    const median = least.toSorted()[least.length >> 1] ?? 0;
    const figures = `mean ${(sum / least.length).toFixed(3)}  median ${median.toFixed(3)}`;
    const rates = `${(bytes / sum / 1000).toFixed(0)} MB/s, of CPU ${((bytes * rounds) / cpu / 1000).toFixed(0)} MB/s`;
    console.log(`  ${step.padEnd(12)}${figures}  ${rates}`);
  }
}

/** CPU time of all threads of this process; its resolution is a few ms, so only sums are meaningful. */
function readCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

for (const page of readFixturePages()) {
  report(page.name, [page], { rounds: ROUNDS * FIXTURE_ROUNDS_FACTOR, read: readInSteps });
}
report('corpus', readCorpusPages(), { rounds: ROUNDS, read: readInSteps });
report('world, as a crawl reads it', buildWorldPages(), { rounds: ROUNDS, read: buildCrawlReader() });
