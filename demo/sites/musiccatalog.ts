import { buildHtmlReply, type PageReply } from '#demo/layout.ts';
import { readSyntheticPage, buildJsonReply, type MockSite } from './site-pages.ts';

/** Mock music catalogue: one artist with songs and an album, streaming-only content, and rate limiting. */
export const MUSICCATALOG_PAGES: MockSite = {
  site: 'musiccatalog',
  origins: { api: ({ url }) => lookUp(url), web: ({ url }) => answer(url.pathname) },
};

function lookUp({ pathname, searchParams }: URL): PageReply | null {
  if (pathname === '/search') return find(searchParams);
  if (pathname !== '/lookup') return null;
  const country = searchParams.get('country');
  switch (searchParams.get('id')) {
    case '880100':
      // Sold in one storefront, streamed in another, unknown in the rest.
      if (country === 'us') return readSyntheticPage('musiccatalog', 'album--lookup.page.json');
      if (country === 'de') return readSyntheticPage('musiccatalog', 'album--streaming.page.json');
      return buildJsonReply({ resultCount: 0, results: [] });
    case '880102':
      return readSyntheticPage('musiccatalog', 'track--lookup.page.json');
    case '4410':
      return readSyntheticPage(
        'musiccatalog',
        `artist--${searchParams.get('entity') === 'album' ? 'lookup' : 'songs'}.page.json`,
      );
    case '403403':
      return buildHtmlReply('<h1>Forbidden</h1>', 403);
    default:
      return buildJsonReply({ resultCount: 0, results: [] });
  }
}

/** Search results for one word: two songs, one album and one artist. */
function find(asked: URLSearchParams): PageReply {
  const names: Readonly<Record<string, string>> = { song: 'songs', album: 'albums', musicArtist: 'artists' };
  const name =
    asked.get('term') === 'weir' && asked.get('offset') === '0' ? names[asked.get('entity') ?? ''] : undefined;
  if (name === undefined) return buildJsonReply({ resultCount: 0, results: [] });
  return readSyntheticPage('musiccatalog', `search--${name}.page.json`);
}

/** For an unknown id, the site returns an empty page. */
function answer(path: string): PageReply {
  if (path === '/de/album/880100') return readSyntheticPage('musiccatalog', 'album--lockups.page.html');
  if (path === '/us/artist/4410') return readSyntheticPage('musiccatalog', 'artist--described.page.html');
  if (path === '/us/search') return readSyntheticPage('musiccatalog', 'search--page.page.html');
  if (path.endsWith('/album/403403')) return buildHtmlReply('<h1>Too many requests</h1>', 429);
  return buildHtmlReply('<!doctype html><script type="application/ld+json">{"@type":"Organization"}</script>\n');
}
