import { html, type Reply } from '#demo/reply.ts';
import { madePage } from './made-pages.ts';
import { json, type SitePages } from './site-pages.ts';

/** A music catalogue: one artist with songs and an album, the same for streaming alone, and a visitor who asks too often. */
export const musiccatalogPages: SitePages = {
  site: 'musiccatalog',
  origins: { api: ({ url }) => lookUp(url), web: ({ url }) => answer(url.pathname) },
};

function lookUp({ pathname, searchParams }: URL): Reply | null {
  if (pathname === '/search') return find(searchParams);
  if (pathname !== '/lookup') return null;
  const country = searchParams.get('country');
  switch (searchParams.get('id')) {
    case '880100':
      // Sold in one storefront, streamed in another, unknown in the rest.
      if (country === 'us') return madePage('musiccatalog', 'album--lookup.page.json');
      if (country === 'de') return madePage('musiccatalog', 'album--streaming.page.json');
      return json({ resultCount: 0, results: [] });
    case '880102':
      return madePage('musiccatalog', 'track--lookup.page.json');
    case '4410':
      return madePage(
        'musiccatalog',
        `artist--${searchParams.get('entity') === 'album' ? 'lookup' : 'songs'}.page.json`,
      );
    case '403403':
      return html('<h1>Forbidden</h1>', 403);
    default:
      return json({ resultCount: 0, results: [] });
  }
}

/** Two songs, one album and one artist, for one word. */
function find(asked: URLSearchParams): Reply {
  const names: Readonly<Record<string, string>> = { song: 'songs', album: 'albums', musicArtist: 'artists' };
  const name =
    asked.get('term') === 'weir' && asked.get('offset') === '0' ? names[asked.get('entity') ?? ''] : undefined;
  if (name === undefined) return json({ resultCount: 0, results: [] });
  return madePage('musiccatalog', `search--${name}.page.json`);
}

/** For a number that it does not know the site answers with a page that says nothing. */
function answer(path: string): Reply {
  if (path === '/de/album/880100') return madePage('musiccatalog', 'album--lockups.page.html');
  if (path === '/us/artist/4410') return madePage('musiccatalog', 'artist--described.page.html');
  if (path === '/us/search') return madePage('musiccatalog', 'search--page.page.html');
  if (path.endsWith('/album/403403')) return html('<h1>Too many requests</h1>', 429);
  return html('<!doctype html><script type="application/ld+json">{"@type":"Organization"}</script>\n');
}
