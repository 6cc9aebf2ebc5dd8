import { unusable } from '#sites/framework/answers.ts';
import { tryParse } from '#extract/values/json.ts';
import { at, line } from '#extract/values/raw.ts';
import { apiHeaders, exact } from './fields.ts';
import { fullNameOf, RepoInput } from './repo-input.ts';
import { repoPage } from './repo-page.ts';
import { RepoAnswer } from './repo-record.ts';
import type { RepoSource } from './repo-record.ts';
import { toRepoSummary } from './repo-summary.ts';
import { codehost } from './site.ts';

const api: RepoSource = {
  name: 'api',
  request: (input, site) => ({
    origin: 'api',
    path: `/repos/${fullNameOf(input, site)}`,
    headers: apiHeaders(site),
  }),
  parse(page, input, site) {
    const raw = tryParse(page.body);
    const repo = toRepoSummary(raw, page.url);
    if (repo === null) return unusable('a repository');
    // One that was renamed answers under its new name, at an address of its number.
    const isMoved = new URL(page.url).pathname !== new URL(page.requested).pathname;
    if (!isMoved && repo.full_name.toLowerCase() !== fullNameOf(input, site).toLowerCase()) {
      return unusable('the repository asked for');
    }
    return {
      repo: {
        ...repo,
        watchers: exact(at(raw, 'subscribers_count')),
        parent_full_name: line(at(raw, 'parent', 'full_name')),
      },
    };
  },
};

export const repo = codehost({
  path: '/repo',
  summary: 'Public repository detail',
  input: RepoInput,
  record: RepoAnswer,
  anyOf: ['full_name', 'repo', 'owner', 'url'],
  aliases: { full_name: ['name'] },
  sources: [api, repoPage],
  expected: ['repo.stars', 'repo.forks', 'repo.owner.login', 'repo.created_at', 'repo.default_branch'],
  canary: { full_name: 'octocat/Hello-World' },
});
