import { formatElementPath } from '#extract/view/place.ts';
import type { Tree } from '#extract/html/tree.ts';
import { readStructuredData } from '#extract/structured/structured-data.ts';
import { readSourcedFacts } from './metadata.ts';
import type { ExplainedFact } from '#extract/explained.ts';
import type { SourcedFact } from './sourced-fact.ts';

/** Explains where each metadata field of a page comes from; fields that the page does not have are omitted. */
export function explainFacts(tree: Tree, url: string, fetchedAt?: number): readonly ExplainedFact[] {
  const structured = readStructuredData(tree, url, false);
  const { published, modified, ...texts } = readSourcedFacts(tree, { url, structured, fetchedAt });
  const explained = ([fact, sourced]: readonly [string, SourcedFact | null]): readonly ExplainedFact[] => {
    if (sourced === null) return [];
    const place = sourced.node === undefined ? null : formatElementPath(tree, sourced.node);
    return [{ fact, value: sourced.value, by: sourced.source, place, also: [] }];
  };
  const day = published === null ? null : { ...published, value: published.value.instant ?? published.value.day };
  const change = modified === null ? null : { ...modified, value: modified.value.instant ?? modified.value.day };
  return [
    ...Object.entries(texts).flatMap(explained),
    ...explained(['published', day]).map((one) => ({ ...one, also: published?.also ?? [] })),
    ...explained(['modified', change]),
  ];
}
