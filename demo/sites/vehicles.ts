import { html, type Reply } from '#demo/reply.ts';
import { madePage } from './made-pages.ts';
import type { SitePages } from './site-pages.ts';

/** A market of vehicles: three that are offered on two pages, and a make that nobody sells. */
export const vehiclesPages: SitePages = {
  site: 'vehicles',
  origins: { web: ({ url }) => answer(url) },
};

function answer({ pathname, searchParams }: URL): Reply {
  if (pathname.startsWith('/lst/harrow'))
    return madePage('vehicles', `search--${searchParams.get('page') === '2' ? 'second' : 'harrow'}.page.html`);
  if (pathname.startsWith('/lst')) return madePage('vehicles', 'search--none.page.html');
  if (pathname.endsWith('70010020-0300-4001-8001-700100200300')) return madePage('vehicles', 'vehicle--van.page.html');
  return html('<!doctype html><title>Gone</title><h1>This vehicle is no longer available</h1>\n', 410);
}
