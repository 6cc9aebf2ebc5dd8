import { explainContent } from './content/explain.ts';
import type { Explanation } from './content/explain.ts';
import { explainFacts } from './facts/explain-facts.ts';
import type { ExplainedFact } from './facts/explain-facts.ts';
import { parseHtml } from './html/parse.ts';
import { withShadowRoots } from './html/shadow-roots.ts';

/** How a page is read: what of it is main content and why, and what tells each fact of its metadata. */
export type PageExplanation = Explanation & { readonly facts: readonly ExplainedFact[] };

/** Explains a page; null for one without text, or with too much of it to be looked at in detail. */
export function explainPage(html: string, url: string): PageExplanation | null {
  const tree = withShadowRoots(parseHtml(html));
  const explanation = explainContent(tree, url);
  return explanation === null ? null : { ...explanation, facts: explainFacts(tree, url) };
}
