import { InvariantError } from '#extract/invariant-error.ts';
import { TAG_NAMES } from '#extract/html/tag-names.ts';
import { TELLING_NAMES } from '#extract/content/features/name-evidence.ts';
import { FEATURES, FIRST_PAGE_FACT } from '#extract/content/features/features.ts';
import { type Kernel, openKernel } from './forest-kernel.ts';
import { type Ensemble, type Forest, toForest, type WrittenForest } from './forest.ts';
import { PAGE_FACTS } from '#extract/content/features/page-facts.ts';
import type { NameWeights } from '#extract/content/features/surroundings.ts';
import { toVocabulary } from '#extract/content/features/vocabulary.ts';
import { hashOf, newWordTable, takeWord, type WordTable } from '#extract/content/features/word-table.ts';

/** The kinds of page that are told apart. */
export const PAGE_KINDS = ['article', 'documentation', 'service', 'forum', 'product', 'listing', 'collection'] as const;

export type PageKind = (typeof PAGE_KINDS)[number];

/** The trained weights of `weights.json`, in log-odds of being content. */
export type WrittenModel = {
  /** The features in their order, so that weights of other features are refused. */
  readonly features: readonly string[];
  /** Words of class, id, role and itemprop. */
  readonly names: Readonly<Record<string, number>>;
  readonly tags: Readonly<Record<string, number>>;
  /** Words of the text itself. */
  readonly words: Readonly<Record<string, number>>;
  readonly kinds: Readonly<Record<string, WrittenForest>>;
  /** Forests that were trained alike, from other parts of the pages. */
  readonly content: readonly WrittenForest[];
};

export type ContentModel = {
  readonly names: NameWeights;
  readonly vocabulary: WordTable;
  readonly kinds: readonly { readonly kind: PageKind; readonly forest: Forest }[];
  readonly content: Ensemble;
  /** The WASM scorer of `content`, made on first use; null where its memory has no room for the forests. */
  readonly kernel: () => Kernel | null;
};

/** Takes nothing for anything. */
const UNTRAINED: WrittenForest = { base: -9, trees: [] };

/** The model ready for use. Throws when it was trained on other features. */
export function toModel(written: WrittenModel): ContentModel {
  if (written.features.join() !== FEATURES.join())
    throw new InvariantError('weights.json belongs to other features: run npm run train:content');
  const [first = toForest(UNTRAINED), ...others] = written.content.map(toForest);
  const content = { first, others };
  let kernel: { readonly opened: Kernel | null } | null = null;
  return {
    names: toNameWeights(written.names, written.tags),
    vocabulary: toVocabulary(new Map(Object.entries(written.words))),
    kinds: PAGE_KINDS.map((kind) => ({ kind, forest: toForest(written.kinds[kind] ?? UNTRAINED) })),
    content,
    kernel() {
      kernel ??= { opened: openKernel(content, { own: FIRST_PAGE_FACT, shared: PAGE_FACTS.length }) };
      return kernel.opened;
    },
  };
}

/** The words and tags by which names of elements are weighed. */
export function toNameWeights(
  names: Readonly<Record<string, number>>,
  tags: Readonly<Record<string, number>>,
): NameWeights {
  const entries = Object.entries(names);
  const telling = TELLING_NAMES.flatMap(([bit, list]) => list.split(' ').map((word) => [bit, word] as const));
  const words = newWordTable(entries.length + telling.length);
  for (const [word, weight] of entries) {
    const slot = takeWord(words, hashOf(word));
    if (slot >= 0) words.weights[slot] = weight;
  }
  for (const [bit, word] of telling) {
    const slot = takeWord(words, hashOf(word));
    if (slot >= 0) words.bits[slot] = (words.bits[slot] ?? 0) | bit;
  }
  return { words, tags: TAG_NAMES.map((name) => tags[name] ?? 0) };
}
