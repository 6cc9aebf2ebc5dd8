import { z } from 'zod';
import { empty, pageOf, unusable } from '#sites/framework/answers.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import type { SourcePage } from '#sites/framework/request.ts';
import { tryParse } from '#extract/values/json.ts';
import { apiHeaders, loginOf } from './fields.ts';
import { RepoSummary, toRepoSummary } from './repo-summary.ts';
import { directionOf, ReposInput, stretchOf, toToken } from './repos-input.ts';
import { reposPage } from './repos-page.ts';
import { codehost } from './site.ts';

const record = z.object({ repos: z.array(RepoSummary).readonly() });
const USUAL = 30;

const api: EndpointSource<typeof ReposInput, typeof record> = {
  name: 'api',
  request(input, site) {
    const { page, size } = stretchOf(site) ?? { page: input.page, size: site.limit ?? USUAL };
    return {
      origin: 'api',
      path: `/users/${loginOf(input, site)}/repos`,
      query: { type: input.type, sort: input.sort, direction: directionOf(input), per_page: size, page },
      headers: apiHeaders(site),
    };
  },
  parse(page, input, site) {
    const raw = tryParse(page.body);
    if (!Array.isArray(raw)) return unusable('a list of repositories');
    if (raw.length === 0) return empty();
    const repos = raw.flatMap((one) => toRepoSummary(one, page.url) ?? []);
    const login = loginOf(input, site);
    const isOwn = (one: RepoSummary): boolean => one.owner.login.toLowerCase() === login;
    if (repos.length === 0 || (input.type === 'owner' && !repos.every(isOwn))) return unusable('the login asked for');
    const size = stretchOf(site)?.size ?? site.limit ?? USUAL;
    const next = nextOf(page);
    return pageOf({ repos }, next === null ? null : toToken({ page: next, size }));
  },
};

/** The number of the page that the answer's `Link` calls the next. */
function nextOf({ headers, url }: SourcePage): number | null {
  const href = /<([^<>]{1,2000})>;\s*rel="next"/.exec(headers['link'] ?? '')?.[1];
  const number = Number(URL.parse(href ?? '', url)?.searchParams.get('page'));
  return Number.isSafeInteger(number) && number > 0 ? number : null;
}

export const repos = codehost({
  path: '/repos',
  summary: "A user's public repositories, one page a request",
  input: ReposInput,
  record,
  anyOf: ['username', 'url'],
  aliases: { username: ['login', 'user'], limit: ['per_page'] },
  list: 'repos',
  limit: { default: USUAL, most: 100 },
  sources: [api, reposPage],
  expected: ['repos.full_name', 'repos.stars', 'repos.forks', 'repos.created_at'],
  canary: { username: 'octocat' },
});
