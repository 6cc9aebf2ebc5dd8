import { html } from '#demo/reply.ts';
import type { Reply } from '#demo/reply.ts';
import { madePage } from './made-pages.ts';
import { json } from './site-pages.ts';
import type { SitePages } from './site-pages.ts';

/** A music catalogue: one album, the same for streaming alone, and a visitor who asks too often. */
export const musiccatalogPages: SitePages = {
  site: 'musiccatalog',
  origins: { api: ({ url }) => lookUp(url), web: ({ url }) => answer(url.pathname) },
};

function lookUp({ pathname, searchParams }: URL): Reply | null {
  if (pathname !== '/lookup') return null;
  const country = searchParams.get('country');
  switch (searchParams.get('id')) {
    case '880100':
      // Sold in one storefront, streamed in another, unknown in the rest.
      if (country === 'us') return madePage('musiccatalog', 'album--lookup.page.json');
      if (country === 'de') return madePage('musiccatalog', 'album--streaming.page.json');
      return json({ resultCount: 0, results: [] });
    case '403403':
      return html('<h1>Forbidden</h1>', 403);
    default:
      return json({ resultCount: 0, results: [] });
  }
}

/** For a number that it does not know the site answers with a page that says nothing. */
function answer(path: string): Reply {
  if (path === '/de/album/880100') return madePage('musiccatalog', 'album--lockups.page.html');
  if (path.endsWith('/album/403403')) return html('<h1>Too many requests</h1>', 429);
  return html('<!doctype html><script type="application/ld+json">{"@type":"Organization"}</script>\n');
}
