import { rateLimited, type SiteAnswer } from '#sites/framework/answers.ts';
import { defineSite } from '#sites/framework/endpoint.ts';
import { parseRetryAfterSeconds, type SourcePage } from '#sites/framework/request.ts';

/**
 * Documentation of the interface:
 * https://developer.apple.com/library/archive/documentation/AudioVideo/Conceptual/iTuneSearchAPI/index.html
 */
export const appleMusic = defineSite({
  name: 'musiccatalog',
  about: 'music catalogue and store: songs, albums, artists and playlists',
  origins: { api: 'https://itunes.apple.com', web: 'https://music.apple.com' },
  hosts: { 'geo.music.apple.com': 'web', 'beta.music.apple.com': 'web', 'geo.itunes.apple.com': 'api' },
  classify,
});

/** Recognizes the rate limit of the API, which it answers with 403. */
function classify({ status, requested, headers }: SourcePage): SiteAnswer | null {
  if (status !== 403 || !/^\/(?:lookup|search)$/.test(new URL(requested).pathname)) return null;
  return rateLimited(parseRetryAfterSeconds(headers));
}
