import { buildHtmlReply, type PageReply } from '#demo/layout.ts';
import { readSyntheticPage, type MockSite } from './site-pages.ts';

/** Mock vehicle market: three offers on two pages, and a make without offers. */
export const VEHICLES_PAGES: MockSite = {
  site: 'vehicles',
  origins: { web: ({ url }) => answer(url) },
};

function answer({ pathname, searchParams }: URL): PageReply {
  if (pathname.startsWith('/lst/harrow'))
    return readSyntheticPage('vehicles', `search--${searchParams.get('page') === '2' ? 'second' : 'harrow'}.page.html`);
  if (pathname.startsWith('/lst')) return readSyntheticPage('vehicles', 'search--none.page.html');
  if (pathname.endsWith('70010020-0300-4001-8001-700100200300'))
    return readSyntheticPage('vehicles', 'vehicle--van.page.html');
  return buildHtmlReply('<!doctype html><title>Gone</title><h1>This vehicle is no longer available</h1>\n', 410);
}
