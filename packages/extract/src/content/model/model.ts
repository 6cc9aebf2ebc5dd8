import { FEATURES, FIRST_PAGE_FACT } from '#extract/content/features/features.ts';
import { EVIDENCE_WORDS } from '#extract/content/features/name-evidence.ts';
import { PAGE_FACTS } from '#extract/content/features/page-facts.ts';
import type { NameWeights } from '#extract/content/features/node-surroundings.ts';
import { buildVocabulary } from '#extract/content/features/vocabulary.ts';
import { hashWord, createWordTable, addWord, type WordTable } from '#extract/content/features/hash-tables.ts';
import { TAG_NAMES } from '#extract/html/tag-names.ts';
import { InvariantError } from '#extract/invariant-error.ts';
import { type ForestKernel, createKernel } from './forest-kernel.ts';
import { type ForestEnsemble, type Forest, scoreRow, toForest, toProbability, type StoredForest } from './forest.ts';

/** The kinds of page that the model distinguishes. */
export const PAGE_KINDS = ['article', 'documentation', 'service', 'forum', 'product', 'listing', 'collection'] as const;

export type PageKind = (typeof PAGE_KINDS)[number];

/** The trained weights in `weights.json`, in log-odds of being content. */
export type StoredModel = {
  /** Names of the features in order, to reject weights that were trained on other features. */
  readonly features: readonly string[];
  /** Words of class, id, role and itemprop. */
  readonly names: Readonly<Record<string, number>>;
  readonly tags: Readonly<Record<string, number>>;
  /** Words of the text. */
  readonly words: Readonly<Record<string, number>>;
  readonly kinds: Readonly<Record<string, StoredForest>>;
  /** Forests with the same training on different parts of the pages. */
  readonly content: readonly StoredForest[];
};

/** The trained model, ready for use. */
export type ContentModel = {
  readonly names: NameWeights;
  readonly vocabulary: WordTable;
  readonly kinds: readonly { readonly kind: PageKind; readonly forest: Forest }[];
  readonly content: ForestEnsemble;
  /** The WASM scorer of `content`, created on first use. Null if the module cannot hold the forests. */
  readonly kernel: () => ForestKernel | null;
};

/** Rejects everything. */
const UNTRAINED_FOREST: StoredForest = { base: -9, trees: [] };

/** Converts stored weights to a model. Throws {@link InvariantError} if they were trained on other features. */
export function toModel(written: StoredModel): ContentModel {
  if (written.features.join() !== FEATURES.join())
    throw new InvariantError('weights.json belongs to other features: run npm run train:content');
  const [first = toForest(UNTRAINED_FOREST), ...others] = written.content.map(toForest);
  const content = { first, others };
  let kernel: { readonly opened: ForestKernel | null } | null = null;
  return {
    names: toNameWeights(written.names, written.tags),
    vocabulary: buildVocabulary(new Map(Object.entries(written.words))),
    kinds: PAGE_KINDS.map((kind) => ({ kind, forest: toForest(written.kinds[kind] ?? UNTRAINED_FOREST) })),
    content,
    kernel() {
      kernel ??= { opened: createKernel(content, { own: FIRST_PAGE_FACT, shared: PAGE_FACTS.length }) };
      return kernel.opened;
    },
  };
}

/** The weights of words and tags in names of elements. */
export function toNameWeights(
  names: Readonly<Record<string, number>>,
  tags: Readonly<Record<string, number>>,
): NameWeights {
  const entries = Object.entries(names);
  const evidence = EVIDENCE_WORDS.flatMap(([bit, list]) => list.split(' ').map((word) => [bit, word] as const));
  const words = createWordTable(entries.length + evidence.length);
  for (const [word, weight] of entries) {
    const slot = addWord(words, hashWord(word));
    if (slot >= 0) words.weights[slot] = weight;
  }
  for (const [bit, word] of evidence) {
    const slot = addWord(words, hashWord(word));
    if (slot >= 0) words.bits[slot] = (words.bits[slot] ?? 0) | bit;
  }
  return { words, tags: TAG_NAMES.map((name) => tags[name] ?? 0) };
}

/** The probability of each kind of page. Each is estimated on its own, so they need not add up to one. */
export type KindScores = Readonly<Record<PageKind, number>>;

/** Estimates the kind of a page from the facts about it. */
export function scoreKinds({ kinds }: ContentModel, pageFacts: readonly number[]): KindScores {
  const facts = Float32Array.from(pageFacts);
  const scores = { article: 0, documentation: 0, service: 0, forum: 0, product: 0, listing: 0, collection: 0 };
  for (const { kind, forest } of kinds) scores[kind] = toProbability(scoreRow(forest, facts));
  return scores;
}
