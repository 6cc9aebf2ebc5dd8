import { CONTENT_SUITES, readSuite, type Sample } from '#bench/extraction/corpus.ts';
import { getGoldText } from '#bench/extraction/suites.ts';
import { collapseSpace } from '#bench/extraction/text-scores.ts';
import { computeFeatures } from '#extract/content/content.ts';
import { FEATURES, readBlockText } from '#extract/content/features/features.ts';
import { toModel } from '#extract/content/model/model.ts';
import { decodeBody } from '#extract/html/decode.ts';
import { parseHtml } from '#extract/html/parse.ts';
import { sniffKind } from '#extract/html/sniff.ts';
import type { Tree } from '#extract/html/tree.ts';
import { alignBlocks } from './align.ts';
import { removeNames } from './nameless.ts';
import { countWords, type WordCounts } from './word-counts.ts';

/** The labels of one page per block. */
export type LabelledPage = {
  readonly sample: Sample;
  readonly site: string;
  /** The part of the corpus that the page is tested with; pages of one site stay together. */
  readonly fold: number;
  /** Share of content words of each block; -1 if unlabelled. */
  readonly shares: Float32Array;
  /** Training weight of each block. */
  readonly weights: Float32Array;
  readonly counts: WordCounts;
};

export const FOLDS = 5;

/** Empty weights, because the data of a page that training needs do not depend on them. */
export const UNTRAINED = toModel({
  features: FEATURES,
  names: {},
  tags: {},
  words: {},
  kinds: {},
  content: [],
});

/** All pages of the corpus except held-out ones. */
export function readLabelledPages(folder: string): readonly LabelledPage[] {
  const samples = CONTENT_SUITES.flatMap((suite) => readSuite(folder, suite)).filter(({ heldOut }) => !heldOut);
  return samples.map(toLabelled).filter((page) => page !== null);
}

export function parsePageTree(sample: Sample): Tree {
  return parseHtml(getText(sample));
}

/** Returns the page without names. `landmarks` is whether elements such as `nav` and `main` remain. */
export function parseNamelessTree(sample: Sample, landmarks: boolean): Tree {
  return parseHtml(removeNames(getText(sample), { landmarks }));
}

function getText(sample: Sample): string {
  const body = sample.body();
  return decodeBody(body, 'text/html', sniffKind(body, 'text/html').kind).text;
}

function toLabelled(sample: Sample): LabelledPage | null {
  const page = computeFeatures(parsePageTree(sample), sample.url, UNTRAINED);
  if (page === null) return null;
  const texts = page.blocks.map((block) => readBlockText(page.tree, block));
  const shares =
    sample.suite === 'trafi-segments' ? computeSegmentShares(sample, texts) : computeTextShares(sample, texts);
  const words = page.blocks.map(({ text }) => text.words);
  const site = getSite(sample);
  const weights = sample.suite === 'trafi-segments' ? computeSegmentWeights(shares) : computeTextWeights(shares, words);
  return { sample, site, fold: getFold(site), shares, weights, counts: countWords(page, shares) };
}

function computeTextShares(sample: Sample, texts: readonly string[]): Float32Array {
  const shares = alignBlocks(texts, getGoldText(sample.gold));
  return Float32Array.from(shares, ({ kept, words }) => (words === 0 ? -1 : kept / words));
}

/** Finds the blocks that contain, or are part of, a labelled segment; the other blocks are unlabelled. */
function computeSegmentShares({ gold }: Sample, texts: readonly string[]): Float32Array {
  const wanted = gold.with.map(collapseSpace);
  const unwanted = gold.without.map(collapseSpace);
  return Float32Array.from(texts.map(collapseSpace), (text) => {
    const isWanted = wanted.some((piece) => text.includes(piece) || (text.length > 12 && piece.includes(text)));
    const isUnwanted = unwanted.some((piece) => text.includes(piece) || (text.length > 3 && piece.includes(text)));
    return isWanted === isUnwanted ? -1 : isWanted ? 1 : 0;
  });
}

/** A labelled segment has the weight of a short paragraph, so a page with segments counts less than a completely labelled one. */
const SEGMENT_WEIGHT = 0.6;

function computeSegmentWeights(shares: Float32Array): Float32Array {
  return shares.map((share) => (share < 0 ? 0 : SEGMENT_WEIGHT));
}

/** The weights of blocks: long blocks have a larger weight, but less than proportional to their words. The same holds for long pages. */
function computeTextWeights(shares: Float32Array, words: readonly number[]): Float32Array {
  const total = Math.max(
    1,
    words.reduce((sum, count) => sum + count, 0),
  );
  return shares.map((share, at) => (share < 0 ? 0 : (words[at] ?? 0) ** 0.75 / total ** 0.6));
}

/** The registrable domain, by the common two-part endings; the page itself if the host is a placeholder. */
function getSite({ url, suite, id }: Sample): string {
  const host = URL.parse(url)?.hostname.replace(/^www\./, '') ?? '';
  const parts = host.split('.');
  if (host === 'fakehost' || parts.length < 2) return `${suite}/${id}`;
  return parts.slice(/\.(?:co|com|org|gov|ac|net|edu)\.\w\w$/.test(host) ? -3 : -2).join('.');
}

function getFold(site: string): number {
  let hash = 7;
  for (const character of site) hash = (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) >>> 0;
  return ((hash ^ (hash >>> 13)) >>> 0) % FOLDS;
}
