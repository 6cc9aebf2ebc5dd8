import { referenceOf } from '../../docs/reference.ts';
import { markdownTruth } from '../scores.ts';
import type { OpenedSite } from '../site.ts';
import type { Source } from '../sources.ts';

type Wiki = {
  readonly served: { readonly origin: string; readonly close: () => Promise<void> };
  /** The path of the page that lists all articles. */
  readonly start: string;
  /** The name of the article that a source makes, and the title that its page has outside of its content, if any. */
  readonly nameOf: (source: Source) => string;
  readonly titled: boolean;
  /** The name of the article at an address; null for any other page. */
  readonly nameAt: (url: URL) => string | null;
  /** The element that holds the text of an article, and those inside it that are none of it. */
  readonly content: string;
  readonly without: readonly string[];
};

const CALL_MS = 60_000;

/** A wiki whose words are those of its own element of content, and whose structure is that of the sources. */
export function openWiki(sources: readonly Source[], wiki: Wiki): OpenedSite {
  const { served, start, nameOf, titled, nameAt, content, without } = wiki;
  const known = new Map(sources.map((source) => [nameOf(source), source]));
  return {
    url: `${served.origin}${start}`,
    sources,
    sourceAt: (url) => known.get(nameAt(new URL(url)) ?? '') ?? null,
    async truthOf(source, url) {
      const answer = await fetch(url, { signal: AbortSignal.timeout(CALL_MS) });
      const reference = referenceOf(await answer.text(), { content, without });
      if (reference === null) return null;
      const truth = markdownTruth(titled ? { ...source, title: nameOf(source) } : source, url);
      return { ...truth, text: titled ? `${nameOf(source)}\n${reference.text}` : reference.text };
    },
    close: served.close,
  };
}
