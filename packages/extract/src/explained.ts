import type { Explanation } from './content/explain.ts';

/** A fact of a page as its metadata has it, and what of the page tells it. */
export type ExplainedFact = {
  /** The member of the metadata; the day and the instant of a date are one fact. */
  readonly fact: string;
  readonly value: string;
  /** `json-ld NewsArticle headline`, `meta og:title`, `h1`, `byline`. */
  readonly by: string;
  /** Where readers see it, as `header > p.byline`; null for what only machines are told. */
  readonly place: string | null;
  /** Other sources that name the same date. */
  readonly also: readonly string[];
};

/** How a page is read: what of it is main content and why, and what tells each fact of its metadata. */
export type PageExplanation = Explanation & { readonly facts: readonly ExplainedFact[] };

/** An element with text of its own, and how to select it. */
export type PickableElement = {
  /** Selects this one alone; null where none of reasonable length does. */
  readonly selector: string | null;
  /** Selects it with those like it. */
  readonly similar: string | null;
  /** Elements that `similar` matches. */
  readonly matches: number;
  readonly tag: string;
  readonly text: string;
  /** Elements that it stands in. */
  readonly depth: number;
};

/** How many elements the selector of a field matches, null without one, and the texts of the first of them. */
export type FieldMatches = { readonly matches: number | null; readonly values: readonly string[] };

/** How a page is read, what can be selected in it, and what the selectors of fields match. */
export type PageReport = {
  readonly explanation: PageExplanation | null;
  readonly elements: readonly PickableElement[];
  readonly fields: Readonly<Record<string, FieldMatches>>;
};
