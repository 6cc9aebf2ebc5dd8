import { say } from '../crawl/printing.ts';
import type { Comparison } from './comparison.ts';
import type { Kept } from './scores.ts';

const COLUMNS =
  'site | pages | recall | precision | fences | headings | items | rows | links | titles | dated | missing | twice | others | noindex | rendered | seconds | credits';

const MIN_RECALL = 0.99;
const MIN_PRECISION = 0.98;
/** Of the pages of a site. */
const MAX_OTHERS = 0.05;

export function printHead(): void {
  say(`| ${COLUMNS} |\n|${'---|'.repeat(COLUMNS.split('|').length)}`);
}

export function printRow(name: string, { crawled, read, missing, twice, others, figures }: Comparison): void {
  const { recall, precision, fences, kept, titles, dated, rendered } = figures;
  const cells = [
    name,
    read.length,
    recall.toFixed(3),
    precision.toFixed(3),
    ...[fences, kept.headings, kept.items, kept.rows, kept.links].map(shareOf),
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
  say(`| ${cells.join(' | ')} |`);
}

/** Prints where a site differs most from its sources. */
export function printWorst(name: string, { crawled, read, missing, twice, others }: Comparison, most: number): void {
  if (most === 0) return;
  const { complete, stop_reason: reason, skipped, errors } = crawled;
  say(`  ${name}: complete ${complete}, ${reason}, skipped ${JSON.stringify(skipped)}, ${errors.length} errors`);
  for (const { url, code } of errors.slice(0, most)) say(`  error ${code}: ${url}`);
  for (const { page, score } of read.toSorted((a, b) => a.score.f1 - b.score.f1).slice(0, most)) {
    say(`  recall ${score.recall.toFixed(3)}, precision ${score.precision.toFixed(3)}: ${page.final_url}`);
  }
  for (const { page, score } of read.filter(({ score: { lostFences } }) => lostFences.length > 0).slice(0, most)) {
    const [lost] = score.lostFences;
    say(`  lost ${score.lostFences.length} of ${score.fences.all} fences: ${page.final_url} ${JSON.stringify(lost)}`);
  }
  for (const { page } of read.filter(({ score }) => !score.hasTitle).slice(0, most)) {
    say(`  title ${JSON.stringify(page.metadata.title)}: ${page.final_url}`);
  }
  for (const { page, score } of read.filter(({ score: { published } }) => published !== null).slice(0, most)) {
    say(`  published ${score.published}: ${page.final_url}`);
  }
  for (const slug of missing.slice(0, most)) say(`  missing: ${slug}`);
  for (const url of twice.slice(0, most)) say(`  twice: ${url}`);
  for (const url of others.slice(0, most)) say(`  other: ${url}`);
}

/** What of a site is below its floor. */
export function failingOf(name: string, { read, missing, twice, others, figures }: Comparison): readonly string[] {
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

function shareOf({ found, all }: Kept): string {
  return all === 0 ? '–' : (found / all).toFixed(3);
}
