import { unusable } from '#sites/framework/answers.ts';
import { attributeAt, lineAt, one } from '#extract/dom/elements.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { countOf, line, text, url } from '#extract/values/raw.ts';
import { fullNameOf } from './repo-input.ts';
import type { RepoSource } from './repo-record.ts';

/** What the page tells the site's own statistics about the repository. */
const FACT = (name: string) => `meta[name="octolytics-dimension-repository_${name}"]`;

/** The page of a repository. */
export const repoPage: RepoSource = {
  name: 'page',
  lacks: 'the page of a repository says neither when it was made nor its size, licence and topics in full',
  request: (input, site) => ({ origin: 'web', path: `/${fullNameOf(input, site)}` }),
  parse(source, input, site) {
    const page = parsePage(source.body, source.url);
    const named = attributeAt(page, FACT('nwo'), 'content');
    const [owner, name] = named?.split('/') ?? [];
    if (named === null || owner === undefined || name === undefined) return unusable('no repository in the page');
    const isMoved = new URL(source.url).pathname.toLowerCase() !== new URL(source.requested).pathname.toLowerCase();
    if (!isMoved && named.toLowerCase() !== fullNameOf(input, site).toLowerCase()) {
      return unusable('the repository asked for');
    }
    const stars = countAt(page, '#repo-stars-counter-star');
    const forks = countAt(page, '#repo-network-counter');
    const issues = countAt(page, '#issues-repo-tab-count');
    return {
      repo: {
        id: text(attributeAt(page, FACT('id'), 'content')),
        name,
        full_name: named,
        url: url(`/${named}`, source.url) ?? source.url,
        description: descriptionOf(page, named),
        homepage: url(attributeAt(page, '.BorderGrid a[role=link][rel~=nofollow]', 'href'), source.url),
        owner: { login: owner, type: null, url: url(`/${owner}`, source.url) ?? source.url, avatar_url: null },
        stars: stars?.value ?? null,
        forks: forks?.value ?? null,
        open_issues: issues?.value ?? null,
        language: lineAt(page, '.BorderGrid [data-ga-click*="language stats"] .text-bold'),
        topics: null,
        license: null,
        default_branch: null,
        is_fork: flagOf(attributeAt(page, FACT('is_fork'), 'content')),
        is_archived: null,
        is_template: null,
        visibility: visibilityOf(attributeAt(page, FACT('public'), 'content')),
        size_kb: null,
        created_at: null,
        updated_at: null,
        pushed_at: null,
        counts_approximate: [stars, forks, issues].some((count) => count?.approximate === true),
        watchers: null,
        parent_full_name: line(attributeAt(page, FACT('parent_nwo'), 'content')),
      },
    };
  },
};

/** The exact number stands in the title of the rounded one. */
function countAt(page: ParsedPage, selector: string) {
  if (one(page, selector) === 0) return null;
  return countOf(attributeAt(page, selector, 'title') ?? lineAt(page, selector), 'en-US');
}

/** The page's description is that of the repository, or says that it has none. */
function descriptionOf(page: ParsedPage, named: string): string | null {
  const said = line(attributeAt(page, 'meta[property="og:description"]', 'content'));
  if (said === null || said.startsWith('Contribute to ')) return null;
  const tail = ` - ${named}`;
  return said.endsWith(tail) ? said.slice(0, -tail.length) : said;
}

function flagOf(word: string | null): boolean | null {
  return word === 'true' ? true : word === 'false' ? false : null;
}

function visibilityOf(word: string | null): string | null {
  return word === 'true' ? 'public' : null;
}
