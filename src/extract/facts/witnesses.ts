import type { Entities, Subject } from '#extract/structured/entities.ts';
import type { Facts } from './facts.ts';
import type { Tree } from '#extract/html/tree.ts';

/** What every candidate may look at. */
export type Witnesses = {
  readonly tree: Tree;
  readonly facts: Facts;
  readonly entities: Entities;
  /** The things that are this page: articles, products, videos, pages. */
  readonly subjects: readonly Subject[];
  readonly openGraph: Readonly<Record<string, unknown>>;
  readonly url: string;
  readonly language: string | null;
};
