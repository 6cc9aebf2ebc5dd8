import { buildHtmlReply, type PageReply } from '#demo/layout.ts';
import { readSyntheticPage, type MockSite } from './site-pages.ts';

/** Mock hotel site: one hotel with rooms, and a search that finds it. */
export const HOTEL_B_PAGES: MockSite = {
  site: 'hotel-b',
  origins: { web: ({ url }) => answer(url.pathname) },
};

function answer(path: string): PageReply | null {
  switch (path) {
    case '/hotel/gb/harrow-mill-inn.html':
      return readSyntheticPage('hotel-b', 'rate--inn.page.html');
    case '/searchresults.html':
      return readSyntheticPage('hotel-b', 'rate--search.page.html');
    case '/hotel/gb/guarded-inn.html':
      return buildHtmlReply('<!doctype html><script>window.gokuProps={}</script>\n', 202);
    default:
      return null;
  }
}
