import { first } from '#extract/values/first.ts';
import type { Entities, Subject } from '#extract/structured/entities.ts';
import type { PageFacts } from './page-facts.ts';
import type { Tree } from '#extract/html/tree.ts';

/** A fact of a page, and what of the page tells it. */
export type SourcedFact<T = string> = {
  readonly value: T;
  /** `json-ld NewsArticle headline`, `meta og:title`, `h1`. */
  readonly source: string;
  /** The element or text that says so, where readers see it. */
  readonly node?: number;
};

/** A source that a fact may come from, by the name that {@link Declared} has for it. */
export type FactSource<T = string> = readonly [by: string, find: () => T | null];

/** The fact from the first source that has it; one that throws counts as empty. */
export function findFirstFact<T>(...sources: readonly FactSource<T>[]): SourcedFact<T> | null {
  return first(
    ...sources.map(
      ([by, find]) =>
        () =>
          toSourcedFact(find(), by),
    ),
  );
}

/** A value with who tells it; null for none. */
export function toSourcedFact<T>(value: T | null, by: string, node?: number): SourcedFact<T> | null {
  return value === null ? null : { value, source: by, ...(node === undefined ? {} : { node }) };
}

/** Inputs that every candidate may use. */
export type MetadataInputs = {
  readonly tree: Tree;
  readonly facts: PageFacts;
  readonly entities: Entities;
  /** The things that are this page: articles, products, videos, pages. */
  readonly subjects: readonly Subject[];
  readonly openGraph: Readonly<Record<string, unknown>>;
  readonly url: string;
  /** The encoding of the page, in which the queries of its references are encoded. */
  readonly charset: string | null;
  readonly language: string | null;
  /** The last day that may be told: none is of the future. */
  readonly latest: string;
};
