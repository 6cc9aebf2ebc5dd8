import { byTag } from '#extract/html/tags.ts';
import { parentOf, tagOf } from '#extract/html/tree.ts';
import type { Block } from './blocks.ts';
import type { Judged, Verdict } from './decide.ts';

/** A single block between two kept ones is kept too, unless it is surely none or mostly links. */
export function fillGaps({ blocks, scores }: Judged, verdicts: Verdict[]): void {
  for (const { at, text, linked } of blocks) {
    if (verdicts[at] !== 'low_score' || verdicts[at - 1] !== 'kept' || verdicts[at + 1] !== 'kept') continue;
    if ((scores[at] ?? 0) > 0.1 && linked < 0.5 * text.characters) verdicts[at] = 'kept';
  }
}

/** Blocks from a heading to the text below it. */
const BELOW = 2;

/**
 * A heading right before kept text is kept, and so are those of higher levels that stand before it. Within the text, one
 * block that is not kept may follow a heading; the headline of the page, which more may follow, is found otherwise.
 */
export function keepHeadings({ tree, blocks }: Judged, verdicts: Verdict[]): void {
  const first = verdicts.indexOf('kept');
  let next = blocks.length + BELOW;
  let level = LOWEST;
  for (let at = blocks.length - 1; at >= 0; at--) {
    const own = LEVELS[tagOf(tree, blocks[at]?.node ?? 0)] ?? LOWEST;
    if (verdicts[at] === 'kept') level = LOWEST;
    else if (verdicts[at] === 'low_score' && own < level && next - at <= (at > first ? BELOW : 1)) {
      verdicts[at] = 'kept';
      level = own;
    } else continue;
    next = at;
  }
}

const LOWEST = 7;
const LEVELS = byTag(LOWEST, [
  ['h1', 1],
  ['h2', 2],
  ['h3', 3],
  ['h4', 4],
  ['h5', 5],
  ['h6', 6],
]);

/** A page of fewer words says too little for fine distinctions. */
const SMALL_PAGE_WORDS = 100;

/**
 * On a small page, what stands between the first and the last kept block is kept as far as it is in the plain region, and
 * so is what joins them if it is at all likely.
 */
export function fillSmallPage({ blocks, plain, scores, headline }: Judged, verdicts: Verdict[]): void {
  const words = blocks.reduce((sum, { text }) => sum + text.words, 0);
  let first = verdicts.indexOf('kept');
  let last = verdicts.lastIndexOf('kept');
  if (words >= SMALL_PAGE_WORDS || first < 0) return;
  const isPlain = (at: number) => verdicts[at] === 'low_score' && plain[blocks[at]?.from ?? 0] === 1;
  const joins = (at: number) => isPlain(at) && (scores[at] ?? 0) > 0.1;
  while (joins(first - 1)) first--;
  while (joins(last + 1)) last++;
  if (headline >= 0) first = Math.min(first, headline);
  for (let at = first; at <= last; at++) if (isPlain(at)) verdicts[at] = 'kept';
}

/** Keeps the headline before the text, whatever stands between them, and answers which block that is; -1 for none. */
export function keepHeadline({ headline }: Judged, verdicts: Verdict[]): number {
  if (headline < 0 || verdicts[headline] === 'kept' || headline > verdicts.indexOf('kept')) return -1;
  verdicts[headline] = 'kept';
  return headline;
}

/** Blocks not kept between two runs of kept ones that set the second apart. */
const GAP = 10;

/** Leaves out small runs of kept blocks far after the largest one, unless they are all but certain. */
export function dropIslands({ blocks }: Judged, scores: Float32Array, verdicts: Verdict[]): void {
  const runs = runsOf(blocks, verdicts);
  const largest = runs.reduce((a, b) => (b.words > a.words ? b : a), { first: 0, last: 0, words: 0 });
  for (const { first, last, words } of runs) {
    if (first <= largest.last || words >= 0.35 * largest.words) continue;
    for (let at = first; at <= last; at++) {
      if (verdicts[at] === 'kept' && (scores[at] ?? 0) < 0.85) verdicts[at] = 'island';
    }
  }
}

type Run = { readonly first: number; last: number; words: number };

function runsOf(blocks: readonly Block[], verdicts: readonly Verdict[]): readonly Run[] {
  const runs: Run[] = [];
  for (const { at, text } of blocks) {
    if (verdicts[at] !== 'kept') continue;
    const run = runs.at(-1);
    if (run === undefined || at - run.last > GAP + 1) runs.push({ first: at, last: at, words: text.words });
    else {
      run.last = at;
      run.words += text.words;
    }
  }
  return runs;
}

const REPEATED_WORDS = 8;

/** The same words in another part of the page are a copy; within one element, or if short, they may be meant. */
export function dropRepeats({ tree, blocks }: Judged, verdicts: Verdict[]): void {
  const seen = new Map<number, number>();
  for (const { at, node, text } of blocks) {
    if (verdicts[at] !== 'kept' || text.words < REPEATED_WORDS) continue;
    const parent = parentOf(tree, node);
    const before = seen.get(text.hash);
    if (before === undefined) seen.set(text.hash, parent);
    else if (before !== parent) verdicts[at] = 'repeated';
  }
}
