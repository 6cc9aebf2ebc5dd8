import { z } from 'zod';
import { selectAll, readAttributeAt, readLineAt, readSingleLine, selectFirst } from '#extract/dom/elements.ts';
import { type ParsedPage, parsePage } from '#extract/dom/parsed-page.ts';
import { getAttribute } from '#extract/html/tree.ts';
import { wholeNumber } from '#extract/schema/whole-number.ts';
import { parseJsonValue } from '#extract/values/json.ts';
import { toCount, toMediaUrl, toTimestamp } from '#extract/values/raw.ts';
import { answerEmpty, buildPage, markPartial, unusable } from '#sites/framework/answers.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import type { SiteContext, SourcePage } from '#sites/framework/request.ts';
import { buildApiHeaders, parseRepoSummary, readLogin, RepoSummary } from './shared.ts';
import { github } from './site.ts';

const ReposInput = z.object({
  username: z.string().min(1).max(40).optional().describe('The login, with or without @'),
  url: z.url().max(2000).optional().describe('Address of the profile'),
  page: wholeNumber(1, 10_000).default(1).describe('Number of the page, by limit; cursor takes precedence'),
  type: z
    .enum(['owner', 'all', 'member'])
    .default('owner')
    .describe('owner: their own; member: those they contribute to; all: both'),
  sort: z
    .enum(['full_name', 'created', 'updated', 'pushed'])
    .default('full_name')
    .describe('The order of the repositories'),
  direction: z.enum(['asc', 'desc']).optional().describe('By default asc for full_name, else desc'),
});

type ReposInput = z.output<typeof ReposInput>;

const ReposAnswer = z.object({ repos: z.array(RepoSummary).readonly() });

type ReposSource = EndpointSource<typeof ReposInput, typeof ReposAnswer>;

const DEFAULT_LIMIT = 30;

const apiSource: ReposSource = {
  name: 'api',
  request(input, site) {
    const { page, size } = parseToken(site) ?? { page: input.page, size: site.limit ?? DEFAULT_LIMIT };
    return {
      origin: 'api',
      path: `/users/${readLogin(input, site)}/repos`,
      query: { type: input.type, sort: input.sort, direction: readDirection(input), per_page: size, page },
      headers: buildApiHeaders(site),
    };
  },
  parse: parseApiAnswer,
};

/** The profile's tab of the repositories that a person owns. */
const profileSource: ReposSource = {
  name: 'profile',
  lacks: 'the profile page does not show ids, open issues, sizes, branches and creation times',
  request(input, site) {
    const sort = input.sort === 'full_name' ? 'name' : null;
    return {
      origin: 'web',
      path: `/${readLogin(input, site)}`,
      query: { tab: 'repositories', page: Math.floor(readStart(input, site).start / PROFILE_PAGE_SIZE) + 1, sort },
    };
  },
  parse: parseProfile,
};

export const githubRepos = github({
  path: '/repos',
  summary: "A user's public repositories, one page per request",
  input: ReposInput,
  record: ReposAnswer,
  anyOf: ['username', 'url'],
  aliases: { username: ['login', 'user'], limit: ['per_page'] },
  list: 'repos',
  limit: { default: DEFAULT_LIMIT, max: 100 },
  sources: [apiSource, profileSource],
  expected: ['repos.full_name', 'repos.stars', 'repos.forks', 'repos.created_at'],
  canary: { username: 'octocat' },
});

function parseApiAnswer(page: SourcePage, input: ReposInput, site: SiteContext): ReturnType<ReposSource['parse']> {
  const raw = parseJsonValue(page.body);
  if (!Array.isArray(raw)) return unusable('no list of repositories');
  if (raw.length === 0) return answerEmpty();
  const summaries = raw.flatMap((entry) => parseRepoSummary(entry, page.url) ?? []);
  const login = readLogin(input, site);
  const isOwn = (entry: RepoSummary): boolean => entry.owner.login.toLowerCase() === login;
  if (summaries.length === 0 || (input.type === 'owner' && !summaries.every(isOwn)))
    return unusable('the requested login is missing');
  const size = parseToken(site)?.size ?? site.limit ?? DEFAULT_LIMIT;
  const next = findNextPage(page);
  return buildPage({ repos: summaries }, next === null ? null : formatToken({ page: next, size }));
}

function parseProfile(source: SourcePage, input: ReposInput, site: SiteContext): ReturnType<ReposSource['parse']> {
  const login = readLogin(input, site);
  const page = parsePage(source.body, source.url);
  if (input.type === 'member') return unusable('the profile page lists only what its owner owns');
  const rows = selectAll(page, 'li[itemprop=owns]');
  const shows = { stars: selectFirst(page, `li ${STARS}`) !== 0, forks: selectFirst(page, `li ${FORKS}`) !== 0 };
  const summaries = rows.flatMap((row) => parseRepoRow(page, { row, login, shows }) ?? []);
  if (summaries.length === 0)
    return rows.length === 0 && reportsNoRepositories(page, login) ? answerEmpty() : unusable('no repositories');
  const { start, most } = readStart(input, site);
  const skipped = start % PROFILE_PAGE_SIZE;
  const pageRows = summaries.slice(skipped, skipped + most);
  // A cursor into the middle of a page exists only if the page had more rows.
  if (pageRows.length === 0) return unusable('the rest of the repositories is missing');
  const hasMore = skipped + pageRows.length < summaries.length;
  const hasNext =
    selectFirst(page, 'a.next_page[href]') !== 0 || selectFirst(page, '.paginate-container a[rel=next]') !== 0;
  const next = hasMore ? start + pageRows.length : hasNext ? start - skipped + PROFILE_PAGE_SIZE : null;
  const answer = buildPage({ repos: pageRows }, next === null ? null : String(next));
  const differs = isOrdered(input) ? [] : ['in the order of the page'];
  const others = input.type === 'all' ? ['without repositories of others'] : [];
  const what = [...differs, ...others].join(' and ');
  return what === '' ? answer : markPartial(answer, `the repositories come ${what}`);
}

/** A page number and the repositories per page. */
type PageRange = { readonly page: number; readonly size: number };

/** Parses a cursor. It includes the page size, because a caller may change `limit` between pages. */
function parseToken({ cursor }: Pick<SiteContext, 'cursor'>): PageRange | null {
  const [, page, size] = /^(\d{1,6})x(\d{1,3})$/.exec(cursor ?? '') ?? [];
  return page === undefined || size === undefined ? null : { page: Number(page), size: Number(size) };
}

function formatToken({ page, size }: PageRange): string {
  return `${page}x${size}`;
}

/** Reads the sort direction, with the site's default if the caller gives none. */
function readDirection({ sort, direction }: ReposInput): 'asc' | 'desc' {
  return direction ?? (sort === 'full_name' ? 'asc' : 'desc');
}

/** Finds the number of the next page in the `Link` header. */
function findNextPage({ headers, url }: SourcePage): number | null {
  const href = /<([^<>]{1,2000})>;\s*rel="next"/.exec(headers['link'] ?? '')?.[1];
  const number = Number(URL.parse(href ?? '', url)?.searchParams.get('page'));
  return Number.isSafeInteger(number) && number > 0 ? number : null;
}

/** Repositories on one page of a profile. */
const PROFILE_PAGE_SIZE = 30;

/**
 * Reads the index of the first repository, and how many to take from its page. A cursor takes the rest of the page,
 * whatever `limit` is now. The first answer is cut here, so that its cursor records where it ended.
 */
function readStart(
  { page }: ReposInput,
  { cursor, limit }: SiteContext,
): { readonly start: number; readonly most: number } {
  if (cursor !== null && /^\d{1,7}$/.test(cursor)) return { start: Number(cursor), most: PROFILE_PAGE_SIZE };
  const most = limit ?? PROFILE_PAGE_SIZE;
  return { start: (page - 1) * most, most };
}

/** Whether the page supports the order: by name, or by last push with the newest first. */
function isOrdered(input: ReposInput): boolean {
  if (input.sort === 'full_name') return readDirection(input) === 'asc';
  return input.sort === 'pushed' && readDirection(input) === 'desc';
}

/** Whether the page belongs to the person and reports that they have no repositories. */
function reportsNoRepositories(page: ParsedPage, login: string): boolean {
  const shown = readLineAt(page, '.p-nickname[itemprop=additionalName]')?.split(' ')[0]?.toLowerCase();
  if (shown !== login) return false;
  return /doesn.t have any (?:public )?repositories/i.test(
    readLineAt(page, '#user-repositories-list, .blankslate') ?? '',
  );
}

const STARS = 'a[href$="/stargazers"]';
const FORKS = 'a[href$="/forks"]';

type RepoRow = {
  readonly row: number;
  readonly login: string;
  /** Counts that any row of the list shows. A row that leaves such a count out has 0. */
  readonly shows: { readonly stars: boolean; readonly forks: boolean };
};

function parseRepoRow(page: ParsedPage, { row, login, shows }: RepoRow): RepoSummary | null {
  const link = selectFirst(page, 'a[itemprop~=codeRepository]', row);
  const address = URL.parse(getAttribute(page.tree, link, 'href') ?? '', page.url);
  const [, owner = '', name = ''] = address?.pathname.split('/') ?? [];
  if (address === null || name === '' || owner.toLowerCase() !== login) return null;
  const stars = parseCount(page, row, STARS);
  const forks = parseCount(page, row, FORKS);
  const topics = selectAll(page, 'a.topic-tag', row).flatMap((node) => readSingleLine(page, node) ?? []);
  const label = readLineAt(page, '.Label', row)?.toLowerCase() ?? '';
  return {
    id: null,
    name,
    full_name: `${owner}/${name}`,
    url: address.href,
    description: readLineAt(page, '[itemprop=description]', row),
    homepage: null,
    owner: {
      login: owner,
      type: 'User',
      url: new URL(`/${owner}`, address).href,
      avatar_url: toMediaUrl(readAttributeAt(page, 'img.avatar-user', 'src'), page.url),
    },
    stars: stars?.value ?? (shows.stars ? 0 : null),
    forks: forks?.value ?? (shows.forks ? 0 : null),
    open_issues: null,
    language: readLineAt(page, '[itemprop=programmingLanguage]', row),
    topics,
    license: null,
    default_branch: null,
    is_fork: /\bfork\b/.test(getAttribute(page.tree, row, 'class') ?? ''),
    is_archived: label.includes('archive'),
    is_template: label.includes('template'),
    visibility: label.includes('public') ? 'public' : null,
    size_kb: null,
    created_at: null,
    updated_at: null,
    pushed_at: toTimestamp(readAttributeAt(page, 'relative-time', 'datetime', row)),
    counts_approximate: stars?.approximate === true || forks?.approximate === true,
  };
}

function parseCount(page: ParsedPage, row: number, selector: string) {
  return toCount(readLineAt(page, selector, row), 'en-US');
}
