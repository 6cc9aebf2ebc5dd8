import { explainContent } from './content/explain.ts';
import { explainFacts } from './metadata/metadata.ts';
import type { Tree } from '#extract/html/tree.ts';
import type { ElementSelectors } from '#extract/view/selectors.ts';
import type { PageExplanation } from './explained.ts';
import { parsePageTree } from './page-tree.ts';

/** The URL of a page, its media type without parameters, and when it was fetched, in ms since 1970. */
export type ExplainedPage = { readonly url: string; readonly mediaType: string; readonly fetchedAt?: number };

/** Options for a parsed page. */
export type ExplainTreeOptions = {
  readonly url: string;
  readonly fetchedAt?: number | undefined;
  readonly selectors?: ElementSelectors;
};

/** Explains how a parsed page is read. Null for a page without text, or with too much to analyse. */
export function explainTree(tree: Tree, { url, fetchedAt, selectors }: ExplainTreeOptions): PageExplanation | null {
  const explanation = explainContent(tree, url, { selectors });
  return explanation === null ? null : { ...explanation, facts: explainFacts(tree, url, fetchedAt) };
}

/** Explains how a page is read. Null for a page without text, or with too much to analyse. */
export function explainPage(html: string, { url, mediaType, fetchedAt }: ExplainedPage): PageExplanation | null {
  return explainTree(parsePageTree(html, mediaType).tree, { url, fetchedAt });
}
