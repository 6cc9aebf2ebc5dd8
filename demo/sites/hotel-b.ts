import { html, type Reply } from '#demo/reply.ts';
import { madePage } from './made-pages.ts';
import type { SitePages } from './site-pages.ts';

/** A hotel site: one inn with rooms, and a search that finds it. */
export const hotelBPages: SitePages = {
  site: 'hotel-b',
  origins: { web: ({ url }) => answer(url.pathname) },
};

function answer(path: string): Reply | null {
  switch (path) {
    case '/hotel/gb/harrow-mill-inn.html':
      return madePage('hotel-b', 'rate--inn.page.html');
    case '/searchresults.html':
      return madePage('hotel-b', 'rate--search.page.html');
    case '/hotel/gb/guarded-inn.html':
      return html('<!doctype html><script>window.gokuProps={}</script>\n', 202);
    default:
      return null;
  }
}
