import { explainContent } from './content/explain.ts';
import { explainFacts } from '#extract/metadata/explain-facts.ts';
import type { Tree } from '#extract/html/tree.ts';
import type { ElementSelectors } from '#extract/view/selectors.ts';
import type { PageExplanation } from './explained.ts';
import { parsePageTree } from './page-tree.ts';

/** Where a page lies, the media type that it is read as, without parameters, and when it was fetched, ms since 1970. */
export type ExplainedPage = { readonly url: string; readonly mediaType: string; readonly fetchedAt?: number };

/** The parsed page that is explained. */
export type ExplainTreeOptions = {
  readonly url: string;
  readonly fetchedAt?: number | undefined;
  readonly selectors?: ElementSelectors;
};

/** Explains a parsed page; null for the same. */
export function explainTree(tree: Tree, { url, fetchedAt, selectors }: ExplainTreeOptions): PageExplanation | null {
  const explanation = explainContent(tree, url, { selectors });
  return explanation === null ? null : { ...explanation, facts: explainFacts(tree, url, fetchedAt) };
}

/** Explains a page; null for one without text, or with too much of it to be looked at in detail. */
export function explainPage(html: string, { url, mediaType, fetchedAt }: ExplainedPage): PageExplanation | null {
  return explainTree(parsePageTree(html, mediaType).tree, { url, fetchedAt });
}
