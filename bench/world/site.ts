import { below, pick, type Random, randomOf } from './random.ts';
import { ADJECTIVES, NOUNS, SECTIONS } from './words.ts';

const KINDS = ['article', 'article', 'article', 'docs', 'product', 'listing', 'forum', 'article'] as const;

export type Kind = (typeof KINDS)[number];

export type SiteOptions = {
  readonly pages: number;
  readonly seed: number;
  /** `http://127.0.0.1:18010` */
  readonly origin: string;
};

/** Which pages a world has, and where: all of it follows from the options. Pages are numbered from 0, the start. */
export type Site = SiteOptions & {
  /** Numbers for one purpose of one page. */
  readonly randomFor: (id: number, purpose: number) => Random;
  readonly kindOf: (id: number) => Kind;
  readonly titleOf: (id: number) => string;
  readonly sectionOf: (id: number) => string;
  /** Path without what makes a page slow or failing, and with it. */
  readonly pathOf: (id: number) => string;
  readonly placeOf: (id: number) => string;
  /** A link as pages write it: some to an old address, some with a tracking parameter, some to a fragment. */
  readonly linkTo: (id: number, random: Random) => string;
  readonly isSlow: (id: number) => boolean;
  readonly isFailing: (id: number) => boolean;
  /** Whether it has an old address that redirects, and one before that. */
  readonly isMoved: (id: number) => boolean;
  readonly isMovedTwice: (id: number) => boolean;
  readonly hasPrintCopy: (id: number) => boolean;
};

export function planSite(options: SiteOptions): Site {
  const { pages, seed } = options;
  const titles: string[] = [];
  const paths: string[] = [];
  const slowEvery = Math.max(500, Math.ceil(pages / 40));

  const randomFor = (id: number, purpose: number): Random =>
    randomOf((Math.imul(seed, 2_654_435_761) ^ Math.imul(id + 1, 40_503) ^ Math.imul(purpose + 1, 97_531)) >>> 0);
  const isSlow = (id: number): boolean => id >= 11 && id % slowEvery === 11;

  function titleOf(id: number): string {
    return (titles[id] ??= makeTitle(randomFor(id, 1)));
  }

  function pathOf(id: number): string {
    if (id === 0) return '/';
    return (paths[id] ??= `/${sectionOf(id)}/${titleOf(id).toLowerCase().replaceAll(' ', '-')}-${id}`);
  }

  function placeOf(id: number): string {
    if (isSlow(id)) return `/slow${pathOf(id)}`;
    return isFailing(id) ? `/fails${pathOf(id)}` : pathOf(id);
  }

  function linkTo(id: number, random: Random): string {
    if (isMoved(id) && random() < 0.3) return `${isMovedTwice(id) ? '/older/' : '/old/'}${id}`;
    if (hasVariant(id) && random() < 0.3) return `${placeOf(id)}?utm_source=site&utm_medium=rel`;
    return random() < 0.04 ? `${placeOf(id)}#comments` : placeOf(id);
  }

  return {
    ...options,
    randomFor,
    kindOf: (id) => KINDS[below(randomFor(id, 3), KINDS.length)] ?? 'article',
    titleOf,
    sectionOf,
    pathOf,
    placeOf,
    linkTo,
    isSlow,
    isFailing,
    isMoved,
    isMovedTwice,
    hasPrintCopy: (id) => id >= 1 && id % 101 === 13,
  };
}

function isFailing(id: number): boolean {
  return id >= 11 && id % 2000 === 1013;
}

function isMoved(id: number): boolean {
  return id >= 1 && id % 97 === 5;
}

function isMovedTwice(id: number): boolean {
  return isMoved(id) && id % 7 === 0;
}

function hasVariant(id: number): boolean {
  return id >= 1 && id % 50 === 7;
}

function sectionOf(id: number): string {
  return SECTIONS[id % SECTIONS.length] ?? '';
}

function makeTitle(random: Random): string {
  const length = 3 + below(random, 5);
  const words: string[] = [];
  while (words.length < length) words.push(pick(random, random() < 0.3 ? ADJECTIVES : NOUNS));
  return capitalize(words.join(' '));
}

export function capitalize(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
