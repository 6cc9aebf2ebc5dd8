import { first } from '#extract/values/first.ts';

/** A fact of a page, and what of the page tells it. */
export type Told<T = string> = {
  readonly value: T;
  /** `json-ld NewsArticle headline`, `meta og:title`, `h1`. */
  readonly by: string;
  /** The element or text that says so, where readers see it. */
  readonly node?: number;
};

/** A source that a fact may come from, by the name that {@link Told} has for it. */
export type Source<T = string> = readonly [by: string, find: () => T | null];

/** The fact from the first source that has it; one that throws counts as empty. */
export function firstTold<T>(...sources: readonly Source<T>[]): Told<T> | null {
  return first(
    ...sources.map(
      ([by, find]) =>
        () =>
          tell(find(), by),
    ),
  );
}

/** A value with who tells it; null for none. */
export function tell<T>(value: T | null, by: string, node?: number): Told<T> | null {
  return value === null ? null : { value, by, ...(node === undefined ? {} : { node }) };
}
