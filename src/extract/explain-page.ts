import { explainContent } from './content/explain.ts';
import type { Explanation } from './content/explain.ts';
import { explainFacts } from '#extract/metadata/explain-facts.ts';
import type { ExplainedFact } from '#extract/metadata/explain-facts.ts';
import { toPageTree } from './page-tree.ts';

/** How a page is read: what of it is main content and why, and what tells each fact of its metadata. */
export type PageExplanation = Explanation & { readonly facts: readonly ExplainedFact[] };

/** Where a page lies, and the media type that it is read as, without parameters. */
export type Explained = { readonly url: string; readonly mediaType: string };

/** Explains a page; null for one without text, or with too much of it to be looked at in detail. */
export function explainPage(html: string, { url, mediaType }: Explained): PageExplanation | null {
  const { tree } = toPageTree(html, mediaType);
  const explanation = explainContent(tree, url);
  return explanation === null ? null : { ...explanation, facts: explainFacts(tree, url) };
}
