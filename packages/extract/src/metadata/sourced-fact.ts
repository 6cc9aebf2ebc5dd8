import { findFirstValue } from '#extract/values/find-first-value.ts';
import type { Entities, Subject } from '#extract/structured/entities.ts';
import type { PageFacts } from './page-facts.ts';
import type { Tree } from '#extract/html/tree.ts';

/** A fact of a page, and the source that states it. */
export type SourcedFact<T = string> = {
  readonly value: T;
  /** `json-ld NewsArticle headline`, `meta og:title`, `h1`. */
  readonly source: string;
  /** The element or text that states it visibly; omitted for other sources. */
  readonly node?: number;
};

/** A possible source of a fact, with the name that {@link SourcedFact} has for it. */
export type FactSource<T = string> = readonly [by: string, find: () => T | null];

/** The fact from the first source that has it. A source that throws counts as having none. */
export function findFirstFact<T>(...sources: readonly FactSource<T>[]): SourcedFact<T> | null {
  return findFirstValue(
    ...sources.map(
      ([by, find]) =>
        () =>
          toSourcedFact(find(), by),
    ),
  );
}

/** A fact with its source; null if the value is null. */
export function toSourcedFact<T>(value: T | null, by: string, node?: number): SourcedFact<T> | null {
  return value === null ? null : { value, source: by, ...(node === undefined ? {} : { node }) };
}

/** The inputs of all metadata choices. */
export type MetadataInputs = {
  readonly tree: Tree;
  readonly facts: PageFacts;
  readonly entities: Entities;
  /** The entities that describe this page: articles, products, videos, pages. */
  readonly subjects: readonly Subject[];
  readonly openGraph: Readonly<Record<string, unknown>>;
  readonly url: string;
  /** The encoding of the page, used for the queries of its URLs. */
  readonly charset: string | null;
  readonly language: string | null;
  /** The latest plausible day, since dates are not in the future. */
  readonly latest: string;
};
