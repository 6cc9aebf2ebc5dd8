import { rateLimited } from '#features/sites/answers.ts';
import type { SiteAnswer } from '#features/sites/answers.ts';
import { defineSite } from '#features/sites/endpoint.ts';
import { retryAfterOf } from '#features/sites/request.ts';
import type { SourcePage } from '#features/sites/request.ts';

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
