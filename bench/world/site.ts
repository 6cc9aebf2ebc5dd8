import {
  drawBelow,
  drawItem,
  type RandomSource,
  createRandom,
  ADJECTIVES,
  NOUNS,
  SECTIONS,
  capitalize,
} from './prose.ts';

const KINDS = ['article', 'article', 'article', 'docs', 'product', 'listing', 'forum', 'article'] as const;

export type PageKind = (typeof KINDS)[number];

export type WorldOptions = {
  readonly pages: number;
  readonly seed: number;
  /** `http://127.0.0.1:18010` */
  readonly origin: string;
};

/** The plan of a synthetic site, which is determined by the options. Pages are numbered from 0, the start page. */
export type World = WorldOptions & {
  /** A random source for one purpose of one page. */
  readonly createRandom: (id: number, purpose: number) => RandomSource;
  readonly getKind: (id: number) => PageKind;
  readonly getTitle: (id: number) => string;
  readonly getSection: (id: number) => string;
  /** Path of a page without, and with, the prefix of slow and failing pages. */
  readonly getBasePath: (id: number) => string;
  readonly getPath: (id: number) => string;
  /** A link to a page: some use an old URL, a tracking parameter or a fragment. */
  readonly buildLink: (id: number, random: RandomSource) => string;
  readonly isSlow: (id: number) => boolean;
  readonly isFailing: (id: number) => boolean;
  /** Whether the page has an old URL that redirects, and an older one that redirects to that. */
  readonly hasOldPath: (id: number) => boolean;
  readonly hasTwoOldPaths: (id: number) => boolean;
  readonly hasPrintCopy: (id: number) => boolean;
};

export function planWorld(options: WorldOptions): World {
  const { pages, seed } = options;
  const titles: string[] = [];
  const paths: string[] = [];
  const slowEvery = Math.max(500, Math.ceil(pages / 40));

  const randomFor = (id: number, purpose: number): RandomSource =>
    createRandom((Math.imul(seed, 2_654_435_761) ^ Math.imul(id + 1, 40_503) ^ Math.imul(purpose + 1, 97_531)) >>> 0);
  const isSlow = (id: number): boolean => id >= 11 && id % slowEvery === 11;

  function titleOf(id: number): string {
    return (titles[id] ??= buildTitle(randomFor(id, 1)));
  }

  function pathOf(id: number): string {
    if (id === 0) return '/';
    return (paths[id] ??= `/${getSection(id)}/${titleOf(id).toLowerCase().replaceAll(' ', '-')}-${id}`);
  }

  function buildPagePath(id: number): string {
    if (isSlow(id)) return `/slow${pathOf(id)}`;
    return isFailing(id) ? `/fails${pathOf(id)}` : pathOf(id);
  }

  function linkTo(id: number, random: RandomSource): string {
    if (hasOldPath(id) && random() < 0.3) return `${hasTwoOldPaths(id) ? '/older/' : '/old/'}${id}`;
    if (hasVariant(id) && random() < 0.3) return `${buildPagePath(id)}?utm_source=site&utm_medium=rel`;
    return random() < 0.04 ? `${buildPagePath(id)}#comments` : buildPagePath(id);
  }

  return {
    ...options,
    createRandom: randomFor,
    getKind: (id) => KINDS[drawBelow(randomFor(id, 3), KINDS.length)] ?? 'article',
    getTitle: titleOf,
    getSection: getSection,
    getBasePath: pathOf,
    getPath: buildPagePath,
    buildLink: linkTo,
    isSlow,
    isFailing,
    hasOldPath: hasOldPath,
    hasTwoOldPaths: hasTwoOldPaths,
    hasPrintCopy: (id) => id >= 1 && id % 101 === 13,
  };
}

function isFailing(id: number): boolean {
  return id >= 11 && id % 2000 === 1013;
}

function hasOldPath(id: number): boolean {
  return id >= 1 && id % 97 === 5;
}

function hasTwoOldPaths(id: number): boolean {
  return hasOldPath(id) && id % 7 === 0;
}

function hasVariant(id: number): boolean {
  return id >= 1 && id % 50 === 7;
}

function getSection(id: number): string {
  return SECTIONS[id % SECTIONS.length] ?? '';
}

function buildTitle(random: RandomSource): string {
  const length = 3 + drawBelow(random, 5);
  const words: string[] = [];
  while (words.length < length) words.push(drawItem(random, random() < 0.3 ? ADJECTIVES : NOUNS));
  return capitalize(words.join(' '));
}
