import { buildHtmlReply, type PageReply } from '#demo/layout.ts';
import { readSyntheticPage, buildJsonReply, type MockSite } from './site-pages.ts';

/** Second mock video site: a search, a channel, a user, a video, a live stream, and unplayable videos. */
export const VIDEO_ALT_PAGES: MockSite = {
  site: 'video-alt',
  origins: {
    web: ({ url }) => answer(url),
    live: () => readSyntheticPage('video-alt', 'video--counter.page.json'),
  },
};

function answer({ pathname, searchParams }: URL): PageReply | null {
  const isSecond = searchParams.get('page') === '2';
  switch (pathname) {
    case '/search/video':
      if (searchParams.get('q') !== 'windmill') return nothingFound(searchParams.get('q') ?? '');
      return readSyntheticPage('video-alt', `search--${isSecond ? 'second' : 'windmill'}.page.html`);
    case '/c/HarrowMill':
      return readSyntheticPage('video-alt', `channel-videos--${isSecond ? 'second' : 'mill'}.page.html`);
    case '/user/ilse':
      return readSyntheticPage('video-alt', 'channel-videos--person.page.html');
    case '/v2mill1':
    case '/v2mill1-how-a-mill-turns.html':
      return readSyntheticPage('video-alt', 'video--mill.page.html');
    case '/v2mill3':
      return readSyntheticPage('video-alt', 'video--live.page.html');
    case '/embedJS/u3/':
      return player(searchParams.get('v'));
    default:
      return null;
  }
}

function player(id: string | null): PageReply {
  if (id === 'v2kzi5t') return readSyntheticPage('video-alt', 'video--embed.page.json');
  if (id === 'v2kzi7t') return readSyntheticPage('video-alt', 'video--embed-live.page.json');
  return buildJsonReply(id === 'v2priv0' ? {} : false, id === 'v2priv0' ? 403 : 200);
}

function nothingFound(words: string): PageReply {
  return buildHtmlReply(
    `<!doctype html><title>Search results for: ${words}</title><div class="main-and-sidebar"><div>No videos found</div></div></html>\n`,
  );
}
