import { buildHtmlReply, type PageReply } from '#demo/layout.ts';
import { readSyntheticPage, buildJsonReply, type MockSite } from './site-pages.ts';

const page = (name: string): PageReply => readSyntheticPage('shortvideo', name);

/** Mock of short videos: one account. Its pages load lists by script, which needs a browser. */
export const SHORTVIDEO_PAGES: MockSite = {
  site: 'shortvideo',
  origins: { web: ({ url }) => answer(url) },
};

function answer({ pathname, searchParams }: URL): PageReply {
  switch (pathname) {
    case '/@harrow.mill':
      return page('profile--mill.page.html');
    case '/@_/video/7571863205253000001':
      return page('video--wheel.page.html');
    case '/tag/rye':
      return page('hashtag--rye.page.html');
    case '/search/video':
      return searchFor(searchParams.get('q') ?? '');
    case '/api/post/item_list/':
    case '/api/challenge/item_list/':
      return page('videos--mill.page.json');
    case '/api/comment/list/':
      return page('comments--wheel.page.json');
    case '/api/search/item/full/':
      return searchParams.get('keyword') === 'wheel'
        ? page('search--wheel.page.json')
        : buildJsonReply({ status_code: 0, has_more: 0, data: [] });
    default:
      return buildRefusal(pathname.startsWith('/@_/video/') ? 'webapp.video-detail' : 'webapp.user-detail');
  }
}

function searchFor(words: string): PageReply {
  const asked = JSON.stringify(`/api/search/item/full/?keyword=${encodeURIComponent(words)}`);
  return buildHtmlReply(
    `<!doctype html><title>Search</title><script>fetch(${asked}).then((answer) => answer.json()).then(() => document.body.append('done'));</script>\n`,
  );
}

function buildRefusal(part: string): PageReply {
  const statusCode = part === 'webapp.user-detail' ? 10202 : 10204;
  const data = JSON.stringify({ __DEFAULT_SCOPE__: { [part]: { statusCode } } });
  return buildHtmlReply(
    `<!doctype html><title>Not there</title><script id="__UNIVERSAL_DATA_FOR_REHYDRATION__" type="application/json">${data}</script>\n`,
  );
}
