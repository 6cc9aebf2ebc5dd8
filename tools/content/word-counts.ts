import { type PageFeatures, readBlockText } from '#extract/content/features/features.ts';
import { visitNameWords } from '#extract/view/name-words.ts';
import { getTagName, getParent } from '#extract/html/tree.ts';

/** Total weight and content weight of a word. */
type Count = { content: number; all: number };
type Counts = Map<string, Count>;

/** Word counts of a page or site. */
export type WordCounts = { readonly names: Counts; readonly tags: Counts; readonly words: Counts };

/** Log-odds of content by word. */
export type WordWeights = {
  readonly names: Readonly<Record<string, number>>;
  readonly tags: Readonly<Record<string, number>>;
  readonly words: Readonly<Record<string, number>>;
};

/** Maximum number of words of a block that count, as for its features. */
const FIRST_WORDS = 12;
const MAX_BLOCK_LENGTH = 80;

/** Counts the words of names over everything inside an element, and the first words of each block. */
export function countWords(page: PageFeatures, shares: Float32Array): WordCounts {
  const counts = { names: new Map(), tags: new Map(), words: new Map() };
  const content = new Float64Array(page.tree.count);
  const all = new Float64Array(page.tree.count);
  for (const [at, block] of page.blocks.entries()) {
    const share = shares[at] ?? -1;
    if (share < 0) continue;
    const weight = 1 + Math.min(MAX_BLOCK_LENGTH, block.text.words);
    content[block.node] = (content[block.node] ?? 0) + share * weight;
    all[block.node] = (all[block.node] ?? 0) + weight;
    const words =
      readBlockText(page.tree, block)
        .toLowerCase()
        .match(/[\p{L}\p{N}'’]+/gu) ?? [];
    for (const word of words.slice(0, FIRST_WORDS)) {
      if (/^\p{L}{3,}$/u.test(word)) add(counts.words, word, { content: share, all: 1 });
    }
  }
  addNames(page, counts, { content, all });
  return counts;
}

type Sums = { readonly content: Float64Array; readonly all: Float64Array };

function addNames({ tree }: PageFeatures, counts: WordCounts, { content, all }: Sums): void {
  for (let node = tree.count - 1; node > 0; node--) {
    if (all[node] === 0) continue;
    const parent = getParent(tree, node);
    content[parent] = (content[parent] ?? 0) + (content[node] ?? 0);
    all[parent] = (all[parent] ?? 0) + (all[node] ?? 0);
    const count = { content: content[node] ?? 0, all: all[node] ?? 0 };
    add(counts.tags, getTagName(tree, node), count);
    visitNameWords(tree, node, (start, end) => add(counts.names, tree.source.slice(start, end).toLowerCase(), count));
  }
}

function add(counts: Counts, word: string, { content, all }: Count): void {
  const known = counts.get(word);
  if (known === undefined) counts.set(word, { content, all });
  else {
    known.content += content;
    known.all += all;
  }
}

/** Shares of content by word, summed over sites: each site has one vote. */
type Votes = Map<string, { share: number; sites: number }>;

const KINDS = ['names', 'tags', 'words'] as const;

/** Minimum number of sites with a word. */
const MIN_SITES = { names: 2, tags: 5, words: 6 } as const;
/** Words with a smaller absolute weight are left out. */
const MIN = { names: 0.15, tags: 0.05, words: 0.35 } as const;

/** The weight of each word by the votes of the sites of some pages. */
export function weighWords(pages: readonly { readonly site: string; readonly counts: WordCounts }[]): WordWeights {
  const bySite = new Map<string, WordCounts>();
  for (const { site, counts } of pages) {
    const known = bySite.get(site) ?? { names: new Map(), tags: new Map(), words: new Map() };
    bySite.set(site, known);
    for (const kind of KINDS) for (const [word, count] of counts[kind]) add(known[kind], word, count);
  }
  const computeWeights = (kind: (typeof KINDS)[number]) => {
    const votes: Votes = new Map();
    for (const counts of bySite.values()) {
      for (const [word, { content, all }] of counts[kind]) countVotes(votes, word, content / all);
    }
    return toWeights(votes, kind);
  };
  return { names: computeWeights('names'), tags: computeWeights('tags'), words: computeWeights('words') };
}

function countVotes(votes: Votes, word: string, share: number): void {
  const known = votes.get(word);
  if (known === undefined) votes.set(word, { share, sites: 1 });
  else {
    known.share += share;
    known.sites++;
  }
}

function toWeights(votes: Votes, kind: (typeof KINDS)[number]): Readonly<Record<string, number>> {
  const weights: Record<string, number> = {};
  for (const [word, { share, sites }] of votes) {
    if (sites < MIN_SITES[kind]) continue;
    const probability = (share + 1) / (sites + 2);
    const weight = Number(Math.log(probability / (1 - probability)).toFixed(2));
    if (Math.abs(weight) >= MIN[kind]) weights[word] = weight;
  }
  return weights;
}
