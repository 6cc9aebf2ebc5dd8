/**
 * Measures how sites of real generators and wikis are crawled and extracted, compared with their Markdown sources:
 * `npm run bench -- real [--only vitepress,dokuwiki] [--sources 200] [--cache FOLDER] [--worst 5]`.
 * Generators are installed and sites built below FOLDER once; the first run takes half an hour. Exits with 1 below a floor.
 */
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parseNumberOption, parseOnlyOption, printLine } from './command-line.ts';
import { compareSite, type Comparison, buildGeneratedSite, type OpenSite } from './real/comparison.ts';
import { buildDocusaurus, buildVitepress, buildStarlight, buildNextClient } from './real/generators.ts';
import type { KeptCount } from './real/scores.ts';
import { listSources } from './real/sources.ts';
import { openDokuwiki } from './real/wikis/dokuwiki.ts';
import { openMediawiki } from './real/wikis/mediawiki.ts';

const COLUMNS =
  'site | pages | recall | precision | fences | headings | items | rows | links | titles | dated | missing | twice | others | noindex | rendered | seconds | credits';

const MIN_RECALL = 0.99;

const MIN_PRECISION = 0.98;

/** Of the pages of a site. */
const MAX_OTHERS = 0.05;

const SITES: Readonly<Record<string, OpenSite>> = {
  vitepress: buildGeneratedSite('vitepress', buildVitepress),
  docusaurus: buildGeneratedSite('docusaurus', buildDocusaurus),
  starlight: buildGeneratedSite('starlight', buildStarlight),
  next: buildGeneratedSite('next', buildNextClient),
  mediawiki: openMediawiki,
  dokuwiki: openDokuwiki,
};

const options = {
  only: { type: 'string' },
  sources: { type: 'string', default: '200' },
  cache: { type: 'string', default: join(tmpdir(), 'quern-real') },
  worst: { type: 'string', default: '0' },
} as const;

const { values } = parseArgs({ options });
const names = parseOnlyOption(values.only, Object.keys(SITES));
const sources = listSources(parseNumberOption(values, 'sources', { least: 1, most: 1000 }) ?? 1);
const worstCount = parseNumberOption(values, 'worst', { least: 0, most: 1000 }) ?? 0;
const absent: string[] = [];
const failing: string[] = [];

mkdirSync(values.cache, { recursive: true });
printTableHead();
for (const name of names) {
  const site = SITES[name];
  const compared = site === undefined ? null : await compareSite(site, sources, values.cache);
  if (compared === null) {
    absent.push(name);
    continue;
  }
  printSiteRow(name, compared);
  printWorst(name, compared, worstCount);
  failing.push(...listFailures(name, compared));
}
if (absent.length > 0) console.log(`\nnot installed: ${absent.join(', ')}`);
for (const line of failing) console.log(`below the floor: ${line}`);
process.exitCode = failing.length > 0 ? 1 : 0;

function printTableHead(): void {
  printLine(`| ${COLUMNS} |\n|${'---|'.repeat(COLUMNS.split('|').length)}`);
}

function printSiteRow(name: string, { crawled, read, missing, twice, others, figures }: Comparison): void {
  const { recall, precision, fences, kept, titles, dated, rendered } = figures;
  const cells = [
    name,
    read.length,
    recall.toFixed(3),
    precision.toFixed(3),
    ...[fences, kept.headings, kept.items, kept.rows, kept.links].map(formatShare),
    titles,
    dated,
    missing.length,
    twice.length,
    others.length,
    crawled.skipped['noindex'] ?? 0,
    rendered,
    crawled.seconds.toFixed(0),
    crawled.credits,
  ];
  printLine(`| ${cells.join(' | ')} |`);
}

/** Prints where a site differs most from its sources. */
function printWorst(name: string, { crawled, read, missing, twice, others }: Comparison, most: number): void {
  if (most === 0) return;
  const { complete, stop_reason: reason, skipped, errors } = crawled;
  printLine(`  ${name}: complete ${complete}, ${reason}, skipped ${JSON.stringify(skipped)}, ${errors.length} errors`);
  for (const { url, code } of errors.slice(0, most)) printLine(`  error ${code}: ${url}`);
  for (const { page, score } of read.toSorted((a, b) => a.score.f1 - b.score.f1).slice(0, most)) {
    printLine(`  recall ${score.recall.toFixed(3)}, precision ${score.precision.toFixed(3)}: ${page.final_url}`);
  }
  for (const { page, score } of read.filter(({ score: { lostFences } }) => lostFences.length > 0).slice(0, most)) {
    const [lost] = score.lostFences;
    printLine(
      `  lost ${score.lostFences.length} of ${score.fences.all} fences: ${page.final_url} ${JSON.stringify(lost)}`,
    );
  }
  for (const { page } of read.filter(({ score }) => !score.hasTitle).slice(0, most)) {
    printLine(`  title ${JSON.stringify(page.metadata.title)}: ${page.final_url}`);
  }
  for (const { page, score } of read.filter(({ score: { published } }) => published !== null).slice(0, most)) {
    printLine(`  published ${score.published}: ${page.final_url}`);
  }
  for (const slug of missing.slice(0, most)) printLine(`  missing: ${slug}`);
  for (const url of twice.slice(0, most)) printLine(`  twice: ${url}`);
  for (const url of others.slice(0, most)) printLine(`  other: ${url}`);
}

/** What of a site is below its floor. */
function listFailures(name: string, { read, missing, twice, others, figures }: Comparison): readonly string[] {
  const { recall, precision, fences, dated } = figures;
  return [
    ...(recall < MIN_RECALL ? [`${name}: recall ${recall.toFixed(4)}`] : []),
    ...(precision < MIN_PRECISION ? [`${name}: precision ${precision.toFixed(4)}`] : []),
    ...(fences.found < fences.all ? [`${name}: ${fences.all - fences.found} fences that are not whole`] : []),
    ...(dated > 0 ? [`${name}: ${dated} dates made up`] : []),
    ...(missing.length > 0 ? [`${name}: ${missing.length} pages missing`] : []),
    ...(twice.length > 0 ? [`${name}: ${twice.length} pages twice`] : []),
    ...(others.length > MAX_OTHERS * read.length ? [`${name}: ${others.length} pages that are none of its own`] : []),
  ];
}

function formatShare({ found, all }: KeptCount): string {
  return all === 0 ? '–' : (found / all).toFixed(3);
}
