/**
 * Trains the content model on the labelled pages of the corpus, without the held-out ones, and writes
 * `packages/extract/src/content/model/weights.json`: `QUERN_CORPUS=… npm run train:content`. With `--folds` it writes nothing, but
 * trains on four fifths of the sites and measures the other fifth, five times. Tune by these figures. Differences that are as
 * large as those between seeds (`--seed`) are noise.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { findCorpusFolder, type Sample } from '#bench/extraction/corpus.ts';
import { NO_METADATA, type PageReadout, scoreSuite, TEXT_FIGURES } from '#bench/extraction/suites.ts';
import { chooseMainContent } from '#extract/content/content.ts';
import { type ContentModel, toModel, type StoredModel } from '#extract/content/model/model.ts';
import { createResolver } from '#extract/view/resolve-reference.ts';
import { buildView } from '#extract/view/view.ts';
import type { Tree } from '#extract/html/tree.ts';
import { toPlainText } from '#extract/renderers/markdown.ts';
import { FOLDS, parseNamelessTree, readLabelledPages, parsePageTree } from './content/labelled-pages.ts';
import { CONTENT_BOOSTING, train } from './content/train.ts';

const { values } = parseArgs({
  options: {
    folds: { type: 'string' },
    trees: { type: 'string', default: String(CONTENT_BOOSTING.trees) },
    leaves: { type: 'string', default: String(CONTENT_BOOSTING.leaves) },
    rate: { type: 'string', default: String(CONTENT_BOOSTING.rate) },
    seed: { type: 'string', default: String(CONTENT_BOOSTING.seed) },
  },
});
const boosting = {
  ...CONTENT_BOOSTING,
  trees: Number(values.trees),
  leaves: Number(values.leaves),
  rate: Number(values.rate),
  seed: Number(values.seed),
};

const folder = findCorpusFolder();
if (folder === null) throw new Error('QUERN_CORPUS names the folder of the corpus');
const pages = readLabelledPages(folder);
console.log(`${pages.length} labelled pages, ${pages.reduce((sum, { shares }) => sum + shares.length, 0)} blocks`);
if (values.folds === undefined) writeModel(train(pages, boosting));
else measureFolds(values.folds.split(',').map(Number));

function writeModel(model: StoredModel): void {
  const { content, kinds, ...words } = model;
  const lines = Object.entries({ ...words, kinds }).map(
    ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`,
  );
  const forests = content.map(({ base, trees }) => {
    const written = trees.map((tree) => JSON.stringify(tree)).join(',\n');
    return `{"base":${base},"trees":[\n${written}\n]}`;
  });
  const text = `{\n${lines.join(',\n')},\n"content":[${forests.join(',\n')}]}\n`;
  writeFileSync(new URL('../packages/extract/src/content/model/weights.json', import.meta.url), text);
  console.log(`${text.length} characters of weights, ${content.length} forests`);
}

function measureFolds(folds: readonly number[]): void {
  const reads: PageReadout[] = [];
  const nameless: PageReadout[] = [];
  for (const fold of folds.filter((number) => number < FOLDS)) {
    const model = toModel(
      train(
        pages.filter((page) => page.fold !== fold),
        boosting,
      ),
    );
    for (const { sample } of pages.filter((page) => page.fold === fold)) {
      reads.push(readWith(sample, parsePageTree(sample), model));
      nameless.push(readWith(sample, parseNamelessTree(sample, false), model));
    }
  }
  showScores(reads);
  console.log('the same pages as if nothing in them were named');
  showScores(nameless);
}

function showScores(reads: readonly PageReadout[]): void {
  for (const suite of new Set(reads.map(({ sample }) => sample.suite))) {
    const scores = scoreSuite(
      suite,
      reads.filter(({ sample }) => sample.suite === suite),
    );
    const figures = Object.entries(scores).filter(([name]) => TEXT_FIGURES.includes(name));
    console.log(suite, figures.map(([name, figure]) => `${name} ${figure.toFixed(3)}`).join('  '));
  }
}

function readWith(sample: Sample, tree: Tree, model: ContentModel): PageReadout {
  const { kept, headline } = chooseMainContent(tree, sample.url, model);
  // Without a headline that is separated from the text, as in the output `text`.
  const running = headline === null ? kept : kept.slice().fill(0, headline.from, headline.to);
  const text = toPlainText(buildView(tree, running, createResolver(tree, sample.url)));
  return { sample, text, markdown: '', metadata: NO_METADATA };
}
