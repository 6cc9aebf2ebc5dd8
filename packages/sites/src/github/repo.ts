import { z } from 'zod';
import { readAttributeAt, readLineAt, selectFirst } from '#extract/dom/elements.ts';
import { type ParsedPage, parsePage } from '#extract/dom/parsed-page.ts';
import { parseJsonValue } from '#extract/values/json.ts';
import { getPath, toCount, toLine, toText, toCleanUrl } from '#extract/values/raw.ts';
import { unusable } from '#sites/framework/answers.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import type { SiteContext, SourcePage } from '#sites/framework/request.ts';
import { refuseParameter, refuseReference, refuseLink } from '#sites/framework/site.ts';
import { buildApiHeaders, PATH_KINDS, isOwnPage, parseExactCount, parseRepoSummary, RepoSummary } from './shared.ts';
import { github } from './site.ts';

/** A repository with the members that lists do not have. */
const RepoRecord = RepoSummary.extend({
  watchers: z
    .int()
    .min(0)
    .nullable()
    .describe('Accounts that get notifications about the repository, which differs from stars'),
  parent_full_name: z.string().nullable().describe('Only of a fork: the repository that it was forked from'),
});

const RepoAnswer = z.object({ repo: RepoRecord });

type RepoSource = EndpointSource<typeof RepoInput, typeof RepoAnswer>;

const RepoInput = z.object({
  full_name: z.string().min(1).max(200).optional().describe('Owner and name, such as octocat/hello-world'),
  owner: z.string().min(1).max(40).optional().describe('The login of the owner; requires repo'),
  repo: z.string().min(1).max(200).optional().describe('The name, together with owner; or owner/name as in full_name'),
  url: z.url().max(2000).optional().describe('Address of the repository'),
});

type RepoInput = z.output<typeof RepoInput>;

const apiSource: RepoSource = {
  name: 'api',
  request: (input, site) => ({
    origin: 'api',
    path: `/repos/${readFullName(input, site)}`,
    headers: buildApiHeaders(site),
  }),
  parse: parseApiAnswer,
};

const pageSource: RepoSource = {
  name: 'page',
  lacks: 'the page does not show the creation time, the size, and all of the licence and topics',
  request: (input, site) => ({ origin: 'web', path: `/${readFullName(input, site)}` }),
  parse: parseRepoPage,
};

export const githubRepo = github({
  path: '/repo',
  summary: 'Public repository detail',
  input: RepoInput,
  record: RepoAnswer,
  anyOf: ['full_name', 'repo', 'owner', 'url'],
  aliases: { full_name: ['name'] },
  sources: [apiSource, pageSource],
  expected: ['repo.stars', 'repo.forks', 'repo.owner.login', 'repo.created_at', 'repo.default_branch'],
  canary: { full_name: 'octocat/Hello-World' },
});

function parseApiAnswer(page: SourcePage, input: RepoInput, site: SiteContext): ReturnType<RepoSource['parse']> {
  const raw = parseJsonValue(page.body);
  const summary = parseRepoSummary(raw, page.url);
  if (summary === null) return unusable('no repository');
  // A renamed repository answers under its new name, at a URL with its id.
  const isMoved = new URL(page.url).pathname !== new URL(page.requested).pathname;
  if (!isMoved && summary.full_name.toLowerCase() !== readFullName(input, site).toLowerCase()) {
    return unusable('the requested repository is missing');
  }
  return {
    repo: {
      ...summary,
      watchers: parseExactCount(getPath(raw, 'subscribers_count')),
      parent_full_name: toLine(getPath(raw, 'parent', 'full_name')),
    },
  };
}

function parseRepoPage(source: SourcePage, input: RepoInput, site: SiteContext): ReturnType<RepoSource['parse']> {
  const page = parsePage(source.body, source.url);
  const named = readAttributeAt(page, selectFact('nwo'), 'content');
  const [owner, name] = named?.split('/') ?? [];
  if (named === null || owner === undefined || name === undefined) return unusable('no repository in the page');
  const isMoved = new URL(source.url).pathname.toLowerCase() !== new URL(source.requested).pathname.toLowerCase();
  if (!isMoved && named.toLowerCase() !== readFullName(input, site).toLowerCase()) {
    return unusable('the requested repository is missing');
  }
  const stars = parseCount(page, '#repo-stars-counter-star');
  const forks = parseCount(page, '#repo-network-counter');
  const issues = parseCount(page, '#issues-repo-tab-count');
  return {
    repo: {
      id: toText(readAttributeAt(page, selectFact('id'), 'content')),
      name,
      full_name: named,
      url: toCleanUrl(`/${named}`, source.url) ?? source.url,
      description: parseDescription(page, named),
      homepage: toCleanUrl(readAttributeAt(page, '.BorderGrid a[role=link][rel~=nofollow]', 'href'), source.url),
      owner: { login: owner, type: null, url: toCleanUrl(`/${owner}`, source.url) ?? source.url, avatar_url: null },
      stars: stars?.value ?? null,
      forks: forks?.value ?? null,
      open_issues: issues?.value ?? null,
      language: readLineAt(page, '.BorderGrid [data-ga-click*="language stats"] .text-bold'),
      topics: null,
      license: null,
      default_branch: null,
      is_fork: parseFlag(readAttributeAt(page, selectFact('is_fork'), 'content')),
      is_archived: null,
      is_template: null,
      visibility: parseVisibility(readAttributeAt(page, selectFact('public'), 'content')),
      size_kb: null,
      created_at: null,
      updated_at: null,
      pushed_at: null,
      counts_approximate: [stars, forks, issues].some((count) => count?.approximate === true),
      watchers: null,
      parent_full_name: toLine(readAttributeAt(page, selectFact('parent_nwo'), 'content')),
    },
  };
}

const FULL_NAME = /^([a-z0-9](?:[a-z0-9-]{0,38}))\/([\w.-]{1,100}?)(?:\.git)?$/i;

/** Reads `owner/name` from the input. Throws `not_found`, or `invalid_request` for another address. */
function readFullName({ full_name: name, owner, repo: repoName, url: address }: RepoInput, site: SiteContext): string {
  if (name !== undefined) return checkFullName('full_name', name);
  if (repoName !== undefined) {
    if (repoName.includes('/')) return checkFullName('repo', repoName);
    return owner === undefined
      ? refuseParameter('owner', 'is required with repo, unless repo is owner/name')
      : checkFullName('repo', `${owner.replace(/^@/, '')}/${repoName}`);
  }
  if (owner !== undefined) return refuseParameter('repo', 'is required with owner');
  const place = site.locate(address ?? '');
  const parts = place?.path.split(/[?#]/)[0]?.split('/').filter(Boolean) ?? [];
  const named = place?.origin === 'api' && parts[0] === 'repos' ? parts.slice(1, 3) : parts.slice(0, 2);
  const isOwn = place?.origin !== 'api' && isOwnPage(named[0] ?? '');
  if (place === null || isOwn || named.length < 2)
    return refuseLink({ parameter: 'url', place, kinds: PATH_KINDS, wanted: 'a repository' });
  return checkFullName('url', named.join('/'));
}

function checkFullName(parameter: string, name: string): string {
  const [, owner, repoName] = FULL_NAME.exec(name.trim()) ?? [];
  if (owner === undefined || repoName === undefined || repoName === '.' || repoName === '..') {
    return refuseReference(parameter, 'is not a repository of this site');
  }
  return `${owner}/${repoName}`;
}

/** Builds the selector of a fact that the page contains for the site's own analytics. */
function selectFact(name: string): string {
  return `meta[name="octolytics-dimension-repository_${name}"]`;
}

/** The element shows a rounded count and has the exact one in its title. */
function parseCount(page: ParsedPage, selector: string) {
  if (selectFirst(page, selector) === 0) return null;
  return toCount(readAttributeAt(page, selector, 'title') ?? readLineAt(page, selector), 'en-US');
}

/** A repository without a description has a generic one in its page. */
function parseDescription(page: ParsedPage, named: string): string | null {
  const description = toLine(readAttributeAt(page, 'meta[property="og:description"]', 'content'));
  if (description === null || description.startsWith('Contribute to ')) return null;
  const tail = ` - ${named}`;
  return description.endsWith(tail) ? description.slice(0, -tail.length) : description;
}

function parseFlag(word: string | null): boolean | null {
  return word === 'true' ? true : word === 'false' ? false : null;
}

function parseVisibility(word: string | null): string | null {
  return word === 'true' ? 'public' : null;
}
