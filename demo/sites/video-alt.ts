import { html, type Reply } from '#demo/reply.ts';
import { madePage } from './made-pages.ts';
import { json, type SitePages } from './site-pages.ts';

/** Another video site: a search, a channel and a person, a video, a broadcast, and what a player may not play. */
export const videoAltPages: SitePages = {
  site: 'video-alt',
  origins: {
    web: ({ url }) => answer(url),
    live: () => madePage('video-alt', 'video--counter.page.json'),
  },
};

function answer({ pathname, searchParams }: URL): Reply | null {
  const isSecond = searchParams.get('page') === '2';
  switch (pathname) {
    case '/search/video':
      if (searchParams.get('q') !== 'windmill') return nothingFound(searchParams.get('q') ?? '');
      return madePage('video-alt', `search--${isSecond ? 'second' : 'windmill'}.page.html`);
    case '/c/HarrowMill':
      return madePage('video-alt', `channel-videos--${isSecond ? 'second' : 'mill'}.page.html`);
    case '/user/ilse':
      return madePage('video-alt', 'channel-videos--person.page.html');
    case '/v2mill1':
    case '/v2mill1-how-a-mill-turns.html':
      return madePage('video-alt', 'video--mill.page.html');
    case '/v2mill3':
      return madePage('video-alt', 'video--live.page.html');
    case '/embedJS/u3/':
      return player(searchParams.get('v'));
    default:
      return null;
  }
}

function player(id: string | null): Reply {
  if (id === 'v2kzi5t') return madePage('video-alt', 'video--embed.page.json');
  if (id === 'v2kzi7t') return madePage('video-alt', 'video--embed-live.page.json');
  return json(id === 'v2priv0' ? {} : false, id === 'v2priv0' ? 403 : 200);
}

function nothingFound(words: string): Reply {
  return html(
    `<!doctype html><title>Search results for: ${words}</title><div class="main-and-sidebar"><div>No videos found</div></div></html>\n`,
  );
}
