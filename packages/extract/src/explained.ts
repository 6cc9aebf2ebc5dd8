import type { Explanation } from './content/explain.ts';

/** A fact in the metadata of a page, and its source. */
export type ExplainedFact = {
  /** The field of the metadata. The day and the instant of a date are one fact. */
  readonly fact: string;
  readonly value: string;
  /** The source: `json-ld NewsArticle headline`, `meta og:title`, `h1`, `byline`. */
  readonly by: string;
  /** Path of the visible element, such as `header > p.byline`. Null for a source that is not visible. */
  readonly place: string | null;
  /** Other sources with the same date. */
  readonly also: readonly string[];
};

/** How a page is read: which blocks are main content and why, and the source of each fact in its metadata. */
export type PageExplanation = Explanation & { readonly facts: readonly ExplainedFact[] };

/** An element with its own text, and selectors for it. */
export type PickableElement = {
  /** Matches only this element. Null if it would be too long. */
  readonly selector: string | null;
  /** Matches this and similar elements. Null if there is no such selector. */
  readonly similar: string | null;
  /** Number of elements that `similar` matches. */
  readonly matches: number;
  readonly tag: string;
  readonly text: string;
  /** Number of its ancestors. */
  readonly depth: number;
};

/** How many elements the selector of a field matches, null without a selector, and the first texts. */
export type FieldMatches = { readonly matches: number | null; readonly values: readonly string[] };

/** How a page is read, which elements can be selected, and what the selectors of fields match. */
export type PageReport = {
  readonly explanation: PageExplanation | null;
  readonly elements: readonly PickableElement[];
  readonly fields: Readonly<Record<string, FieldMatches>>;
};
