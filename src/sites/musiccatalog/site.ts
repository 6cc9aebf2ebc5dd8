import { rateLimited } from '#engine/sites/answers.ts';
import type { Answer } from '#engine/sites/answers.ts';
import { defineSite } from '#engine/sites/endpoint.ts';
import { retryAfterOf } from '#engine/sites/request.ts';
import type { SourcePage } from '#engine/sites/request.ts';

export const musiccatalog = defineSite({
  name: 'musiccatalog',
  origins: { api: 'https://itunes.apple.com', web: 'https://music.apple.com' },
  hosts: { 'geo.music.apple.com': 'web', 'beta.music.apple.com': 'web', 'geo.itunes.apple.com': 'api' },
  classify,
});

/** The documented interface refuses with 403 those that ask too often. */
function classify({ status, requested, headers }: SourcePage): Answer | null {
  if (status !== 403 || !/^\/(?:lookup|search)$/.test(new URL(requested).pathname)) return null;
  return rateLimited(retryAfterOf(headers));
}
