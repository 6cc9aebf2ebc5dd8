import type { PageReply } from '#demo/layout.ts';
import { readSyntheticPage, buildJsonReply, type MockSite } from './site-pages.ts';

/** Mock image board: an account with pins, one pin from the API and one from its page, and a search. */
export const PINBOARD_PAGES: MockSite = {
  site: 'pinboard',
  origins: { web: ({ url }) => answer(url), short: () => null },
};

function answer({ pathname, searchParams }: URL): PageReply | null {
  if (pathname === '/pin/712345678906/') return readSyntheticPage('pinboard', 'pin--page.page.html');
  const resource = /^\/resource\/(\w+)Resource\/get\/$/.exec(pathname)?.[1];
  if (resource === undefined) return null;
  const { options } = JSON.parse(searchParams.get('data') ?? '{}');
  const isFirst = options.bookmarks === undefined;
  switch (resource) {
    case 'User':
      return options.username === 'harrowmill' ? readSyntheticPage('pinboard', 'profile--mill.page.json') : missing();
    case 'UserActivityPins':
      return readSyntheticPage('pinboard', `pins--${isFirst ? 'created' : 'second'}.page.json`);
    case 'Pin':
      if (options.id === '712345678906')
        return buildJsonReply({ resource_response: { status: 'failure', code: 1 } }, 500);
      return options.id === '712345678905' ? readSyntheticPage('pinboard', 'pin--video.page.json') : missing();
    case 'BaseSearch':
      if (options.query !== 'millstone')
        return buildJsonReply({ resource_response: { data: { results: [] }, bookmark: '-end-' } });
      return readSyntheticPage('pinboard', `search--${isFirst ? 'mill' : 'second'}.page.json`);
    default:
      return null;
  }
}

function missing(): PageReply {
  const error = { http_status: 404, code: 30, message: 'not found' };
  return buildJsonReply({ resource_response: { status: 'failure', code: 30, data: null, error } }, 404);
}
