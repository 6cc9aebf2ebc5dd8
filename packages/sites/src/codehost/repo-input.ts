import { z } from 'zod';
import type { SiteView } from '#sites/framework/request.ts';
import { refuseParameter, refuseReference } from '#sites/framework/site.ts';
import { refusePlace } from '#sites/place-kinds.ts';
import { CODEHOST_PLACES, isOwnPage } from './fields.ts';

export const RepoInput = z.object({
  full_name: z.string().min(1).max(200).optional().describe('Owner and name, as octocat/hello-world'),
  owner: z.string().min(1).max(40).optional().describe('The login of the owner; with repo'),
  repo: z.string().min(1).max(200).optional().describe('The name; with owner, or owner/name as in full_name'),
  url: z.url().max(2000).optional().describe('The page of the repository'),
});

export type RepoInput = z.output<typeof RepoInput>;

const FULL_NAME = /^([a-z0-9](?:[a-z0-9-]{0,38}))\/([\w.-]{1,100}?)(?:\.git)?$/i;

/** Owner and name of the repository that is meant. Throws `not_found`, and `invalid_request` for another address. */
export function fullNameOf({ full_name: name, owner, repo, url }: RepoInput, site: SiteView): string {
  if (name !== undefined) return checked('full_name', name);
  if (repo !== undefined) {
    if (repo.includes('/')) return checked('repo', repo);
    return owner === undefined
      ? refuseParameter('owner', 'is needed with repo, unless repo is owner/name')
      : checked('repo', `${owner.replace(/^@/, '')}/${repo}`);
  }
  if (owner !== undefined) return refuseParameter('repo', 'is needed with owner');
  const place = site.locate(url ?? '');
  const parts = place?.path.split(/[?#]/)[0]?.split('/').filter(Boolean) ?? [];
  const named = place?.origin === 'api' && parts[0] === 'repos' ? parts.slice(1, 3) : parts.slice(0, 2);
  const isOwn = place?.origin !== 'api' && isOwnPage(named[0] ?? '');
  if (place === null || isOwn || named.length < 2)
    return refusePlace({ parameter: 'url', place, kinds: CODEHOST_PLACES, wanted: 'a repository' });
  return checked('url', named.join('/'));
}

function checked(parameter: string, name: string): string {
  const [, owner, repo] = FULL_NAME.exec(name.trim()) ?? [];
  if (owner === undefined || repo === undefined || repo === '.' || repo === '..') {
    return refuseReference(parameter, 'is no repository of this site');
  }
  return `${owner}/${repo}`;
}
