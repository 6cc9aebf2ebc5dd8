/**
 * Measures how well whole documentation sets are extracted, compared with the content element that their generator marks:
 * `npm run bench -- docs [--only git,cmake] [--pages 150] [--root FOLDER] [--worst 5] [--peers] [--page git/git-add.html]`.
 * The sets are Debian packages, installed or unpacked (`dpkg -x`) below FOLDER; missing ones are listed.
 * Exits with 1 if a score is below its floor.
 */
import { parseArgs } from 'node:util';
import { classify } from '#access/classify/classifier.ts';
import { listFaults, type PageScore, scorePage, scoreSet, type SetScore } from './docs/scores.ts';
import { type DocsPage, isInstalled, readPages } from './docs/pages.ts';
import { type Reference, readReference } from './docs/reference.ts';
import { type DocsSet, SETS } from './docs/sets.ts';
import { buildLineDiff } from './extraction/page-diff.ts';
import { readWithPeer } from './extraction/peers.ts';
import { toMarkdownText } from './extraction/structure-scores.ts';
import { computeMean, computeWordScore } from './extraction/text-scores.ts';
import { installPeers } from './installed-peers.ts';
import { parseNumberOption, parseOnlyOption } from './command-line.ts';

const options = {
  only: { type: 'string' },
  pages: { type: 'string', default: '150' },
  root: { type: 'string', default: '/' },
  worst: { type: 'string', default: '0' },
  page: { type: 'string' },
  peers: { type: 'boolean', default: false },
} as const;

const { values } = parseArgs({ options });
const names = parseOnlyOption(values.only, Object.keys(SETS));
const maxPages = parseNumberOption(values, 'pages', { least: 1, most: 10_000 }) ?? 1;
const worstCount = parseNumberOption(values, 'worst', { least: 0, most: 1000 }) ?? 0;

/** A page with its reference text. */
type ComparedPage = { readonly page: DocsPage; readonly reference: Reference };

/** Pages with less text, or with mostly links, are not compared. */
const MIN_CHARACTERS = 400;
const MAX_LINKED = 0.6;
/** Maximum share of static pages that are classified as needing a browser. */
const MAX_SCRIPTED = 0.003;

if (values.page === undefined) await printTable();
else printPage(values.page);

async function printTable(): Promise<void> {
  if (values.peers && !installPeers()) throw new Error('npm ci in bench/peers failed');
  const titles =
    'set | made by | pages | F1 | precision | recall | readability F1 | lose over a tenth | terms | code | headings | cells | stray HTML | dated';
  console.log(`| ${titles} |\n|${'---|'.repeat(titles.split('|').length)}`);
  const absent: string[] = [];
  const scripted: string[] = [];
  let pages = 0;
  const faults: string[] = [];
  for (const name of names) {
    const set = SETS[name];
    if (set === undefined || !isInstalled(set, values.root)) absent.push(`${name} (${set?.from})`);
    else {
      const compared = listComparedPages(set);
      pages += compared.length;
      scripted.push(...compared.flatMap(({ page }) => (needsScripts(page) ? `${name}/${page.path}` : [])));
      faults.push(...listFaults(name, await printSet(name, set, compared)));
    }
  }
  console.log(`pages with text that are taken to need a browser: ${scripted.length} of ${pages}`);
  for (const path of scripted.slice(0, worstCount)) console.log(`  ${path}`);
  if (scripted.length > MAX_SCRIPTED * pages)
    faults.push(`more than ${formatPercent(MAX_SCRIPTED)} are taken to need a browser`);
  if (absent.length > 0) console.log(`not installed: ${absent.join(', ')}`);
  for (const fault of faults) console.log(fault);
  if (faults.length > 0) process.exitCode = 1;
}

/** Whether a page is classified as needing a browser. */
function needsScripts({ html, url }: DocsPage): boolean {
  const body = new TextEncoder().encode(html);
  const page = { status: 200, url, headers: {}, contentType: 'text/html', body, wireBytes: body.length, warnings: [] };
  return classify(page, { requested: new URL(url), rendered: false }).outcome === 'js_required';
}

async function printSet(name: string, set: DocsSet, compared: readonly ComparedPage[]): Promise<SetScore> {
  const scores = compared.map(({ page, reference }) => scorePage(page, reference));
  const score = scoreSet(scores);
  const peer = values.peers ? formatShare(await measureReadabilityF1(compared)) : '–';
  console.log(formatRow(name, set, { score, peer }));
  if (worstCount > 0) printWorst(name, scores);
  return score;
}

function printWorst(name: string, scores: readonly PageScore[]): void {
  for (const { path, recall, precision } of scores.toSorted((a, b) => a.f1 - b.f1).slice(0, worstCount)) {
    console.log(`  recall ${formatShare(recall)}, precision ${formatShare(precision)}: ${name}/${path}`);
  }
  for (const { path, published } of scores.filter((page) => page.published !== null).slice(0, worstCount)) {
    console.log(`  published ${published}: ${name}/${path}`);
  }
  for (const { path } of scores.filter(({ strayTags }) => strayTags > 0).slice(0, worstCount)) {
    console.log(`  stray HTML: ${name}/${path}`);
  }
}

function listComparedPages(set: DocsSet): readonly ComparedPage[] {
  return [...readPages(set, values.root, maxPages)].flatMap((page) => {
    const reference = readReference(page.html, set);
    const isText = reference !== null && reference.text.length >= MIN_CHARACTERS && reference.linked <= MAX_LINKED;
    return isText ? [{ page, reference }] : [];
  });
}

async function measureReadabilityF1(compared: readonly ComparedPage[]): Promise<number> {
  const samples = compared.map(({ page }) => ({
    suite: 'docs',
    id: page.path,
    url: page.url,
    type: 'documentation',
    gold: { with: [], without: [] },
    heldOut: false,
    body: () => new TextEncoder().encode(page.html),
  }));
  const { reads } = await readWithPeer('readability', samples);
  return computeMean(compared.map(({ reference }, at) => computeWordScore(reference.text, reads[at]?.text ?? '').f1));
}

type TableRow = { readonly score: SetScore; readonly peer: string };

function formatRow(name: string, { by }: DocsSet, { score, peer }: TableRow): string {
  const { pages, f1, precision, recall, lossy, dated, kept, stray } = score;
  const parts = [kept.terms, kept.code, kept.headings, kept.cells].map((part) =>
    part === null ? '–' : formatShare(part),
  );
  const cells = [
    name,
    by,
    pages,
    formatShare(f1),
    formatShare(precision),
    formatShare(recall),
    peer,
    formatPercent(lossy),
    ...parts,
    stray,
  ];
  return `| ${[...cells, formatPercent(dated)].join(' | ')} |`;
}

function formatShare(figure: number): string {
  return figure.toFixed(3);
}

function formatPercent(part: number): string {
  return `${(100 * part).toFixed(1)} %`;
}

/** Prints the lines of one page that are extra (`+`) or missing (`-`). */
function printPage(only: string): void {
  const [name = '', ...rest] = only.split('/');
  const set = SETS[name];
  const compared =
    set === undefined ? undefined : listComparedPages(set).find(({ page }) => page.path === rest.join('/'));
  if (compared === undefined) throw new Error(`no page ${only} among the first ${maxPages}`);
  console.log(buildLineDiff(compared.reference.text, toMarkdownText(compared.page.markdown)));
}
