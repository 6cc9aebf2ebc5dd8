import { empty, pageOf, partly, unusable } from '#sites/framework/answers.ts';
import type { SiteRequest, SiteView, SourcePage } from '#sites/framework/request.ts';
import { attributeOf } from '#extract/html/tree.ts';
import { all, attributeAt, lineAt, lineOf, one } from '#extract/dom/elements.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { countOf, mediaUrl, moment } from '#extract/values/raw.ts';
import { loginOf } from './fields.ts';
import type { RepoSummary } from './repo-summary.ts';
import { directionOf } from './repos-input.ts';
import type { ReposInput } from './repos-input.ts';

/** Repositories on one page of the site. */
const SIZE = 30;

/** The tab of the profile that lists what a person owns. */
export const reposPage = {
  name: 'profile',
  lacks: 'the profile page does not give ids, open issues, sizes, branches, and when a repository was made',
  request(input: ReposInput, site: SiteView): SiteRequest {
    const sort = input.sort === 'full_name' ? 'name' : null;
    return {
      origin: 'web',
      path: `/${loginOf(input, site)}`,
      query: { tab: 'repositories', page: Math.floor(startOf(input, site).start / SIZE) + 1, sort },
    };
  },
  parse(source: SourcePage, input: ReposInput, site: SiteView) {
    const login = loginOf(input, site);
    const page = parsePage(source.body, source.url);
    if (input.type === 'member') return unusable('the profile page lists only what its owner owns');
    const rows = all(page, 'li[itemprop=owns]');
    const shows = { stars: one(page, `li ${STARS}`) !== 0, forks: one(page, `li ${FORKS}`) !== 0 };
    const repos = rows.flatMap((row) => toRepo(page, { row, login, shows }) ?? []);
    if (repos.length === 0) return rows.length === 0 && saysNone(page, login) ? empty() : unusable('no repositories');
    const { start, most } = startOf(input, site);
    const skipped = start % SIZE;
    const taken = repos.slice(skipped, skipped + most);
    // A token into the middle of a page was given because there was more of it.
    if (taken.length === 0) return unusable('the rest of the repositories');
    const hasMore = skipped + taken.length < repos.length;
    const hasNext = one(page, 'a.next_page[href]') !== 0 || one(page, '.paginate-container a[rel=next]') !== 0;
    const next = hasMore ? start + taken.length : hasNext ? start - skipped + SIZE : null;
    const answer = pageOf({ repos: taken }, next === null ? null : String(next));
    const differs = isOrdered(input) ? [] : ['in the order of the page'];
    const others = input.type === 'all' ? ['without those of others'] : [];
    const what = [...differs, ...others].join(' and ');
    return what === '' ? answer : partly(answer, `the repositories come ${what}`);
  },
};

/**
 * The number of the first repository that is wanted, and how many of its page. What follows a token is the rest of the
 * page, whatever the limit has become; the first answer is cut here, so that its token says where it ended.
 */
function startOf({ page }: ReposInput, { cursor, limit }: SiteView): { readonly start: number; readonly most: number } {
  if (cursor !== null && /^\d{1,7}$/.test(cursor)) return { start: Number(cursor), most: SIZE };
  const most = limit ?? SIZE;
  return { start: (page - 1) * most, most };
}

/** Whether the page can order as asked: by name, or what was changed last first. */
function isOrdered(input: ReposInput): boolean {
  if (input.sort === 'full_name') return directionOf(input) === 'asc';
  return input.sort === 'pushed' && directionOf(input) === 'desc';
}

/** The page is that of the person and says that there are none. */
function saysNone(page: ParsedPage, login: string): boolean {
  const shown = lineAt(page, '.p-nickname[itemprop=additionalName]')?.split(' ')[0]?.toLowerCase();
  if (shown !== login) return false;
  return /doesn.t have any (?:public )?repositories/i.test(lineAt(page, '#user-repositories-list, .blankslate') ?? '');
}

const STARS = 'a[href$="/stargazers"]';
const FORKS = 'a[href$="/forks"]';

type RepoRow = {
  readonly row: number;
  readonly login: string;
  /** Which counts the list shows at all: one that a row leaves out is then 0. */
  readonly shows: { readonly stars: boolean; readonly forks: boolean };
};

function toRepo(page: ParsedPage, { row, login, shows }: RepoRow): RepoSummary | null {
  const link = one(page, 'a[itemprop~=codeRepository]', row);
  const address = URL.parse(attributeOf(page.tree, link, 'href') ?? '', page.url);
  const [, owner = '', name = ''] = address?.pathname.split('/') ?? [];
  if (address === null || name === '' || owner.toLowerCase() !== login) return null;
  const stars = countAt(page, row, STARS);
  const forks = countAt(page, row, FORKS);
  const topics = all(page, 'a.topic-tag', row).flatMap((node) => lineOf(page, node) ?? []);
  const label = lineAt(page, '.Label', row)?.toLowerCase() ?? '';
  return {
    id: null,
    name,
    full_name: `${owner}/${name}`,
    url: address.href,
    description: lineAt(page, '[itemprop=description]', row),
    homepage: null,
    owner: {
      login: owner,
      type: 'User',
      url: new URL(`/${owner}`, address).href,
      avatar_url: mediaUrl(attributeAt(page, 'img.avatar-user', 'src'), page.url),
    },
    stars: stars?.value ?? (shows.stars ? 0 : null),
    forks: forks?.value ?? (shows.forks ? 0 : null),
    open_issues: null,
    language: lineAt(page, '[itemprop=programmingLanguage]', row),
    topics,
    license: null,
    default_branch: null,
    is_fork: /\bfork\b/.test(attributeOf(page.tree, row, 'class') ?? ''),
    is_archived: label.includes('archive'),
    is_template: label.includes('template'),
    visibility: label.includes('public') ? 'public' : null,
    size_kb: null,
    created_at: null,
    updated_at: null,
    pushed_at: moment(attributeAt(page, 'relative-time', 'datetime', row)),
    counts_approximate: stars?.approximate === true || forks?.approximate === true,
  };
}

function countAt(page: ParsedPage, row: number, selector: string) {
  return countOf(lineAt(page, selector, row), 'en-US');
}
