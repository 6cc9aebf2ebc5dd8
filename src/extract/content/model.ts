import { TAG_NAMES } from '#extract/html/tag-names.ts';
import { TELLING_NAMES } from './evidence.ts';
import { FEATURES, FIRST_PAGE_FACT } from './features.ts';
import { openKernel } from './forest-kernel.ts';
import type { Kernel } from './forest-kernel.ts';
import { toForest } from './forest.ts';
import type { Ensemble, Forest, WrittenForest } from './forest.ts';
import { PAGE_FACTS } from './page-facts.ts';
import type { NameWeights } from './surroundings.ts';
import { toVocabulary } from './vocabulary.ts';
import { hashOf, newWordTable, takeWord } from './word-table.ts';
import type { WordTable } from './word-table.ts';

/** The kinds of page that are told apart. */
export const PAGE_KINDS = ['article', 'documentation', 'service', 'forum', 'product', 'listing', 'collection'] as const;

export type PageKind = (typeof PAGE_KINDS)[number];

/** What training learned, as it is written in `weights.json`; all weights are log-odds of being content. */
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

export type Model = {
  readonly names: NameWeights;
  readonly vocabulary: WordTable;
  readonly kinds: readonly { readonly kind: PageKind; readonly forest: Forest }[];
  readonly content: Ensemble;
  /** What scores rows by `content` the fastest, made when first asked for; null where that has no room for its forests. */
  readonly kernel: () => Kernel | null;
};

/** Takes nothing for anything. */
const UNTRAINED: WrittenForest = { base: -9, trees: [] };

/** The model ready for use. Throws when it was trained on other features. */
export function toModel(written: WrittenModel): Model {
  if (written.features.join() !== FEATURES.join()) throw new Error('the weights are those of other features');
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
