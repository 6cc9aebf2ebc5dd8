import { splitWords } from '#bench/extraction/text-scores.ts';

/** The number of words of a block, and how many of them the labelled text contains. */
export type Share = { kept: number; words: number };

type Side = { readonly words: readonly string[]; readonly used: Uint8Array };
/** A range of words of the page, from `a0` to `a1`, and a range of words of the labels, from `b0` to `b1`. */
type Range = { readonly a0: number; readonly a1: number; readonly b0: number; readonly b1: number };

/** Size limits of the table for longest common subsequences. */
const SMALL_RANGE = 40_000;
const LARGE_RANGE = 4_000_000;
/** Minimum words of a run that is searched for at another position. */
const MOVED = 5;

/**
 * Finds the words of each block that the labelled text contains. Anchors are runs of three words, then two, then one, that occur
 * once on both sides. The longest increasing chain of anchors counts, and the ranges between them are compared recursively.
 * Remaining runs of the labels are then searched for anywhere.
 */
export function alignBlocks(blocks: readonly string[], gold: string): readonly Share[] {
  const owner: number[] = [];
  const pageWords = blocks.flatMap((block, at) => {
    const words = splitWords(block.toLowerCase());
    for (let count = 0; count < words.length; count++) owner.push(at);
    return words;
  });
  const goldWords = splitWords(gold.toLowerCase());
  const page = { words: pageWords, used: new Uint8Array(pageWords.length) };
  const wanted = { words: goldWords, used: new Uint8Array(goldWords.length) };
  alignAll(page, wanted);
  alignMoved(page, wanted);
  const shares = blocks.map(() => ({ kept: 0, words: 0 }));
  for (const [at, block] of owner.entries()) {
    const share = shares[block];
    if (share === undefined) continue;
    share.words++;
    share.kept += page.used[at] ?? 0;
  }
  return shares;
}

function alignAll(a: Side, b: Side): void {
  const waiting: Range[] = [{ a0: 0, a1: a.words.length, b0: 0, b1: b.words.length }];
  for (let range = waiting.pop(); range !== undefined; range = waiting.pop()) {
    const rest = trimRange(a, b, range);
    const cells = (rest.a1 - rest.a0) * (rest.b1 - rest.b0);
    if (cells === 0) continue;
    if (cells <= SMALL_RANGE) {
      alignExactly(a, b, rest);
      continue;
    }
    const anchors = findAnchors(a, b, rest);
    if (anchors.length > 0) waiting.push(...listGaps(anchors, rest));
    else if (cells <= LARGE_RANGE) alignExactly(a, b, rest);
  }
}

/** Removes equal words at both ends of a range. */
function trimRange(a: Side, b: Side, { a0, a1, b0, b1 }: Range): Range {
  const range = { a0, a1, b0, b1 };
  while (range.a0 < range.a1 && range.b0 < range.b1 && a.words[range.a0] === b.words[range.b0])
    pairBlocks(a, b, range.a0++, range.b0++);
  while (range.a1 > range.a0 && range.b1 > range.b0 && a.words[range.a1 - 1] === b.words[range.b1 - 1])
    pairBlocks(a, b, --range.a1, --range.b1);
  return range;
}

function pairBlocks(a: Side, b: Side, ...[at, other]: readonly [number, number]): void {
  a.used[at] = 1;
  b.used[other] = 1;
}

type Anchor = readonly [number, number];

function findAnchors(a: Side, b: Side, { a0, a1, b0, b1 }: Range): readonly Anchor[] {
  for (const length of [3, 2, 1]) {
    const inPage = findUniqueRuns(a.words, a0, a1, length);
    const inGold = findUniqueRuns(b.words, b0, b1, length);
    const pairs: Anchor[] = [];
    for (const [run, at] of inPage) {
      const other = inGold.get(run) ?? -1;
      if (at >= 0 && other >= 0) pairs.push([at, other]);
    }
    if (pairs.length > 0) return findLongestChain(pairs.toSorted((x, y) => x[0] - y[0]));
  }
  return [];
}

/** The position of each run of words that occurs once; -1 for those that occur more often. */
function findUniqueRuns(words: readonly string[], ...[from, to, length]: readonly [number, number, number]) {
  const runs = new Map<string, number>();
  for (let at = from; at + length <= to; at++) {
    const run = words.slice(at, at + length).join(' ');
    runs.set(run, runs.has(run) ? -1 : at);
  }
  return runs;
}

/** The longest chain of pairs with increasing positions (patience sorting). */
function findLongestChain(pairs: readonly Anchor[]): readonly Anchor[] {
  const tails: number[] = [];
  const before: number[] = [];
  for (const [at, [, place]] of pairs.entries()) {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[tails[middle] ?? 0]?.[1] ?? 0) < place) low = middle + 1;
      else high = middle;
    }
    before[at] = low === 0 ? -1 : (tails[low - 1] ?? -1);
    tails[low] = at;
  }
  const chain: Anchor[] = [];
  for (let at = tails.at(-1) ?? -1; at >= 0; at = before[at] ?? -1) {
    const found = pairs[at];
    if (found !== undefined) chain.push(found);
  }
  return chain.toReversed();
}

/** The ranges between anchors. An anchor is the start of the range after it, and trimming pairs it. */
function listGaps(anchors: readonly Anchor[], { a0, a1, b0, b1 }: Range): readonly Range[] {
  const ranges: Range[] = [];
  let from: Anchor = [a0, b0];
  for (const anchor of [...anchors, [a1, b1] as const]) {
    ranges.push({ a0: from[0], a1: anchor[0], b0: from[1], b1: anchor[1] });
    from = anchor;
  }
  return ranges;
}

function alignExactly(a: Side, b: Side, { a0, a1, b0, b1 }: Range): void {
  const width = b1 - b0 + 1;
  const best = new Uint16Array((a1 - a0 + 1) * width);
  for (let i = a1 - a0 - 1; i >= 0; i--) {
    for (let j = b1 - b0 - 1; j >= 0; j--) {
      const at = i * width + j;
      best[at] =
        a.words[a0 + i] === b.words[b0 + j]
          ? (best[at + width + 1] ?? 0) + 1
          : Math.max(best[at + width] ?? 0, best[at + 1] ?? 0);
    }
  }
  let i = 0;
  let j = 0;
  while (i < a1 - a0 && j < b1 - b0) {
    if (a.words[a0 + i] === b.words[b0 + j]) pairBlocks(a, b, a0 + i++, b0 + j++);
    else if ((best[(i + 1) * width + j] ?? 0) >= (best[i * width + j + 1] ?? 0)) i++;
    else j++;
  }
}

/** Searches unmatched runs of the labels elsewhere on the page. */
function alignMoved(page: Side, gold: Side): void {
  const left = new Set<string>();
  for (let at = 0; at + MOVED <= gold.words.length; at++) {
    if (gold.used.subarray(at, at + MOVED).every((used) => used === 0))
      left.add(gold.words.slice(at, at + MOVED).join(' '));
  }
  if (left.size === 0) return;
  for (let at = 0; at + MOVED <= page.words.length; at++) {
    if (page.used[at] === 1 || !left.has(page.words.slice(at, at + MOVED).join(' '))) continue;
    page.used.fill(1, at, at + MOVED);
  }
}
