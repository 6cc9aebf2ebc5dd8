import { z } from 'zod';
import { at, boolean, homepage, line, list, mediaUrl, moment, text, url } from '#extract/values/raw.ts';
import { exact } from './fields.ts';

const Text = z.string().nullable();
const Count = z.int().min(0).nullable();
const Flag = z.boolean().nullable();

/** A repository as lists show it. */
export const RepoSummary = z.object({
  id: Text,
  name: z.string(),
  full_name: z.string(),
  url: z.string(),
  description: Text,
  homepage: Text,
  owner: z.object({ login: z.string(), type: Text, url: z.string(), avatar_url: Text }),
  stars: Count,
  forks: Count,
  open_issues: Count,
  language: Text,
  topics: z.array(z.string()).readonly().nullable(),
  license: z.object({ key: Text, name: Text, spdx_id: Text }).nullable(),
  default_branch: Text,
  is_fork: Flag,
  is_archived: Flag,
  is_template: Flag,
  visibility: Text,
  size_kb: Count,
  created_at: Text,
  updated_at: Text,
  pushed_at: Text,
  counts_approximate: z.boolean(),
});

export type RepoSummary = z.output<typeof RepoSummary>;

/** A repository of the documented interface; null for what is none. */
export function toRepoSummary(raw: unknown, base: string): RepoSummary | null {
  const name = line(at(raw, 'name'));
  const login = line(at(raw, 'owner', 'login'));
  if (name === null || login === null) return null;
  const address = url(at(raw, 'html_url'), base) ?? url(`/${login}/${name}`, base) ?? base;
  return {
    id: text(at(raw, 'id')),
    name,
    full_name: line(at(raw, 'full_name')) ?? `${login}/${name}`,
    url: address,
    description: text(at(raw, 'description')),
    homepage: homepage(at(raw, 'homepage'), base),
    owner: {
      login,
      type: line(at(raw, 'owner', 'type')),
      url: url(at(raw, 'owner', 'html_url'), base) ?? new URL(`/${login}`, address).href,
      avatar_url: mediaUrl(at(raw, 'owner', 'avatar_url'), base),
    },
    // What this interface calls watchers has always been the number of stars.
    stars: exact(at(raw, 'stargazers_count') ?? at(raw, 'watchers')),
    forks: exact(at(raw, 'forks_count') ?? at(raw, 'forks')),
    open_issues: exact(at(raw, 'open_issues_count') ?? at(raw, 'open_issues')),
    language: line(at(raw, 'language')),
    topics: Array.isArray(at(raw, 'topics')) ? textsOf(at(raw, 'topics')) : null,
    license: licenseOf(at(raw, 'license')),
    default_branch: line(at(raw, 'default_branch')),
    is_fork: boolean(at(raw, 'fork')),
    is_archived: boolean(at(raw, 'archived')),
    is_template: boolean(at(raw, 'is_template')),
    visibility: line(at(raw, 'visibility')) ?? visibilityOf(boolean(at(raw, 'private'))),
    size_kb: exact(at(raw, 'size')),
    created_at: moment(at(raw, 'created_at')),
    updated_at: moment(at(raw, 'updated_at')),
    pushed_at: moment(at(raw, 'pushed_at')),
    counts_approximate: false,
  };
}

/** Older answers say only whether it is private. */
function visibilityOf(isPrivate: boolean | null): string | null {
  return isPrivate === null ? null : isPrivate ? 'private' : 'public';
}

function licenseOf(raw: unknown): RepoSummary['license'] {
  const name = line(at(raw, 'name'));
  const spdx = line(at(raw, 'spdx_id'));
  // The interface has a word for a licence that it cannot tell.
  if (name === null && spdx === null) return null;
  return { key: line(at(raw, 'key')), name, spdx_id: spdx === 'NOASSERTION' ? null : spdx };
}

function textsOf(raw: unknown): readonly string[] {
  return list(raw)
    .map(line)
    .filter((one) => one !== null);
}
