import { INDEX } from '#features/search/settings.ts';
import type { SearchIndex } from '#features/search/index/search-index.ts';
import type { SourcedText } from '#features/search/index/put-pages.ts';
import type { IndexSources } from '#features/search/index/sources.ts';
import { snippetOf } from '#features/search/snippet.ts';
import { readWordQuery } from '#features/search/words.ts';
import type { SearchBackend } from './backend.ts';

export type OwnIndexParts = {
  readonly index: SearchIndex;
  readonly sources: Pick<IndexSources, 'there'>;
};

const PAGE_SIZE = 10;
/** A page of results, and one more that tells whether there is another. */
const SHOWN_AT_ONCE = PAGE_SIZE + 1;
const MAX_PAGES = 20;
/** Pages that may be gone since before more are looked for. */
const SPARE = 20;

/** The pages that this instance fetched and crawled for the tenant that asks. */
export function buildOwnIndex({ index, sources }: OwnIndexParts): SearchBackend {
  return {
    name: INDEX,
    kinds: ['organic'],
    mostPages: MAX_PAGES,
    async search({ search, language, page }, { tenant, signal }) {
      const wanted = page * PAGE_SIZE;
      /** The pages that are still there, one more than are wanted at most. */
      async function ask(enough: number) {
        const { ids, isWhole } = await index.find({ tenant, query: search, language, enough }, signal);
        const found: SourcedText[] = [];
        // A page whose job or copy is gone is passed over, so that a later one takes its place.
        for (let at = 0; at < ids.length && found.length <= wanted; at += SHOWN_AT_ONCE) {
          const shown = await index.show(tenant, ids.slice(at, at + SHOWN_AT_ONCE), signal);
          const there = await sources.there(shown.map(({ source }) => source));
          found.push(...shown.filter(({ source }) => there.has(source)));
        }
        return { found, isWhole, count: ids.length };
      }
      const first = await ask(wanted + SPARE);
      const { found, isWhole, count } =
        first.isWhole || first.found.length > wanted ? first : await ask(Number.POSITIVE_INFINITY);
      const words = readWordQuery(search).asked.flat();
      return {
        organic: found.slice(wanted - PAGE_SIZE, wanted).map((hit) => ({
          title: hit.title === '' ? hit.url : hit.title,
          url: hit.url,
          description: snippetOf({ ...hit, body: withoutTitle(hit) }, words),
          publishedAt: hit.publishedAt,
          language: hit.language,
          imageUrl: null,
          text: hit.body,
        })),
        news: [],
        dropped: 0,
        hasMore: found.length > wanted,
        total: isWhole ? count : null,
      };
    },
  };
}

/** The text of a page after its heading, which the title says already. */
function withoutTitle({ title, body }: SourcedText): string {
  return title !== '' && body.startsWith(title) ? body.slice(title.length).trimStart() : body;
}
