import { rateLimited, type SiteAnswer } from '#sites/framework/answers.ts';
import { defineSite } from '#sites/framework/endpoint.ts';
import { parseRetryAfterSeconds, type SourcePage } from '#sites/framework/request.ts';

/** Documentation of the interface: https://docs.github.com/rest */
export const github = defineSite({
  name: 'codehost',
  about: 'code hosting: repositories and users',
  origins: { api: 'https://api.github.com', web: 'https://github.com' },
  hosts: { 'www.github.com': 'web' },
  credentials: ['token'],
  classify,
});

/** Recognizes an exhausted rate limit. The API answers it with 403 as well as with 429. */
function classify({ status, headers }: SourcePage): SiteAnswer | null {
  if (status !== 403 && status !== 429) return null;
  if (status === 403 && headers['x-ratelimit-remaining'] !== '0') return null;
  const reset = Number(headers['x-ratelimit-reset']);
  const now = Date.parse(headers['date'] ?? '') / 1000;
  const wait = parseRetryAfterSeconds(headers) ?? reset - now;
  return rateLimited(Number.isFinite(wait) && wait > 0 ? Math.ceil(wait) : null);
}
