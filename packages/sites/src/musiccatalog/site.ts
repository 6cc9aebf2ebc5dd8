import { rateLimited } from '#sites/framework/answers.ts';
import type { SiteAnswer } from '#sites/framework/answers.ts';
import { defineSite } from '#sites/framework/endpoint.ts';
import { retryAfterOf } from '#sites/framework/request.ts';
import type { SourcePage } from '#sites/framework/request.ts';

export const musiccatalog = defineSite({
  name: 'musiccatalog',
  about: 'music catalogue and store: songs, albums, artists and playlists',
  origins: { api: 'https://itunes.apple.com', web: 'https://music.apple.com' },
  hosts: { 'geo.music.apple.com': 'web', 'beta.music.apple.com': 'web', 'geo.itunes.apple.com': 'api' },
  classify,
});

/** The documented interface refuses with 403 those that ask too often. */
function classify({ status, requested, headers }: SourcePage): SiteAnswer | null {
  if (status !== 403 || !/^\/(?:lookup|search)$/.test(new URL(requested).pathname)) return null;
  return rateLimited(retryAfterOf(headers));
}
