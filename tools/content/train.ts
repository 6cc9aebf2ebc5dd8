import {
  FEATURES,
  fillFeatures,
  FIRST_PAGE_FACT,
  createRow,
  type PageFeatures,
} from '#extract/content/features/features.ts';
import { computeFeatures } from '#extract/content/content.ts';
import type { StoredForest } from '#extract/content/model/forest.ts';
import { type ContentModel, PAGE_KINDS, toModel, type StoredModel } from '#extract/content/model/model.ts';
import { hashWord } from '#extract/content/features/hash-tables.ts';
import { type BinnedData, trainBoosting, type Boosting, type Targets, buildBins } from './boosting.ts';
import { type LabelledPage, parseNamelessTree, parsePageTree } from './labelled-pages.ts';
import { weighWords, type WordWeights } from './word-counts.ts';

export const CONTENT_BOOSTING: Boosting = {
  trees: 100,
  leaves: 31,
  rate: 0.12,
  fewest: 60,
  shrinkage: 1,
  smoothing: 100,
  columnShare: 0.5,
  splitShare: 0.25,
  groupShare: 0.7,
  seed: 1,
};

const KIND_BOOSTING: Boosting = {
  trees: 40,
  leaves: 6,
  rate: 0.1,
  fewest: 4,
  shrinkage: 1,
  smoothing: 0,
  columnShare: 0.4,
  splitShare: 1,
  groupShare: 0.8,
  seed: 1,
};

/**
 * Number of parts into which sites are split. The words of a page are weighted by the votes of the other parts. Its own vote,
 * or the difference that leaving out only its own vote makes, would reveal its labels.
 */
const PARTS = 8;

/**
 * The weight of a copy of a page without names. From pages with meaningful names trees learn little else. The copies train
 * the other features, for sites whose names have no meaning, as those of many page builders.
 */
const NAMELESS = 0.5;

/** Whether the copy of a page keeps its landmarks, because some sites have no other names. */
function hasLandmarks(url: string): boolean {
  return hashWord(`mode ${url}`) % 2 === 1;
}

/** The features of the blocks and pages of a training set, and their target scores. */
export type Lesson = {
  readonly words: WordWeights;
  readonly kinds: Readonly<Record<string, StoredForest>>;
  readonly blocks: BinnedData;
  readonly targets: Targets;
};

/** Trains on labelled pages: first word weights per site, then page kinds, then blocks. */
export function train(pages: readonly LabelledPage[], boosting = CONTENT_BOOSTING): StoredModel {
  return learn(toLesson(pages), boosting);
}

/** The data for training the block forests, so that several settings can be tried on it. */
export function toLesson(pages: readonly LabelledPage[]): Lesson {
  const rows = new RowList();
  const facts: number[] = [];
  const models = Array.from({ length: PARTS }, (_, part) =>
    listUntrained(weighWords(pages.filter(({ site }) => getPart(site) !== part))),
  );
  for (const [group, page] of pages.entries()) {
    const model = models[getPart(page.site)];
    if (model === undefined) continue;
    const { sample } = page;
    const features = computeFeatures(parsePageTree(sample), sample.url, model);
    if (features === null) continue;
    facts.push(...features.pageFacts);
    rows.add(features, { page, group, weight: 1 });
    const nameless = computeFeatures(parseNamelessTree(sample, hasLandmarks(sample.url)), sample.url, model);
    if (nameless?.blocks.length === features.blocks.length) rows.add(nameless, { page, group, weight: NAMELESS });
  }
  return {
    words: weighWords(pages),
    kinds: trainKinds(pages, Float32Array.from(facts)),
    blocks: buildBins(rows.values(), FEATURES.length),
    targets: rows.targets(),
  };
}

/** Number of forests whose predictions are averaged, to reduce the effect of random sampling. */
const FORESTS = 3;
/** Distance between their seeds, so that trainings with other seeds do not overlap. */
const SEEDS = 1000;

export function learn({ words, kinds, blocks, targets }: Lesson, boosting: Boosting): StoredModel {
  const forests = Array.from({ length: FORESTS }, (_, at) =>
    trainBoosting(blocks, targets, { ...boosting, seed: boosting.seed + at * SEEDS }),
  );
  return { features: FEATURES, ...words, kinds, content: forests };
}

function listUntrained(weights: WordWeights): ContentModel {
  return toModel({ features: FEATURES, ...weights, kinds: {}, content: [] });
}

function getPart(site: string): number {
  return hashWord(`part ${site}`) & (PARTS - 1);
}

/** The labels of the blocks of a page, and the weight of the page. */
type Labels = { readonly page: LabelledPage; readonly group: number; readonly weight: number };

type Target = { readonly target: number; readonly weight: number; readonly group: number };

/** A growing buffer of feature rows. */
class RowList {
  #values = new Float32Array(1 << 22);
  #length = 0;
  readonly #targets: Target[] = [];

  /** Adds a row for each labelled block. */
  add(features: PageFeatures, { page, group, weight }: Labels): void {
    const row = createRow(features);
    for (let at = 0; at < features.blocks.length; at++) {
      const counts = weight * (page.weights[at] ?? 0);
      if (counts === 0) continue;
      fillFeatures(row, at);
      this.#push(row.values, { target: page.shares[at] ?? 0, weight: counts, group });
    }
  }

  #push(row: Float32Array, target: Target): void {
    if (this.#length + row.length > this.#values.length) {
      const larger = new Float32Array(this.#values.length * 2);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values.set(row, this.#length);
    this.#length += row.length;
    this.#targets.push(target);
  }

  values(): Float32Array {
    return this.#values.subarray(0, this.#length);
  }

  targets(): Targets {
    const mean = this.#targets.reduce((sum, { weight }) => sum + weight, 0) / this.#targets.length;
    return {
      target: Float32Array.from(this.#targets, ({ target }) => target),
      weight: Float32Array.from(this.#targets, ({ weight }) => weight / mean),
      group: Int32Array.from(this.#targets, ({ group }) => group),
    };
  }
}

/** The weight of the pages of a suite for predicting the kind of page; other suites have no kinds. */
const KIND_WEIGHTS: Readonly<Record<string, number>> = {
  wcxb: 1,
  'zyte-articles': 0.3,
  'magic-html': 0.6,
  'trafi-segments': 0.15,
  'readability-pages': 0.15,
};
/** Suites whose pages are all, or nearly all, articles. */
const ARTICLE_SUITES = new Set(['zyte-articles', 'trafi-segments', 'readability-pages']);

function trainKinds(pages: readonly LabelledPage[], facts: Float32Array): Readonly<Record<string, StoredForest>> {
  const binned = buildBins(facts, FEATURES.length - FIRST_PAGE_FACT);
  const weight = Float32Array.from(pages, ({ sample }) => KIND_WEIGHTS[sample.suite] ?? 0);
  const group = Int32Array.from(pages.keys());
  return Object.fromEntries(
    PAGE_KINDS.map((kind) => {
      const target = Float32Array.from(pages, ({ sample }) => (getKind(sample) === kind ? 1 : 0));
      return [kind, trainBoosting(binned, { target, weight, group }, KIND_BOOSTING)];
    }),
  );
}

function getKind({ suite, type }: LabelledPage['sample']): string {
  return ARTICLE_SUITES.has(suite) ? 'article' : type;
}
