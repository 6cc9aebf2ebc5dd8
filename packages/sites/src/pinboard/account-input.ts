import { z } from 'zod';
import type { SiteView } from '#sites/framework/request.ts';
import { refuseReference } from '#sites/framework/site.ts';
import { pinPlaceAt, refusePinAddress } from './place-kinds.ts';

export const PinboardAccountInput = z.object({
  username: z.string().min(1).max(100).optional().describe('The name in the address of the account, with or without @'),
  url: z.url().max(2000).optional().describe('The page of the account'),
});

export type PinboardAccountInput = z.output<typeof PinboardAccountInput>;

const USERNAME = /^[a-z0-9][a-z0-9_-]{1,49}$/i;
/** First parts of paths that are no account. */
const PAGES: ReadonlySet<string> = new Set([
  'pin',
  'search',
  'ideas',
  'resource',
  'today',
  'settings',
  'login',
  'explore',
  'topics',
  'categories',
  'business',
  'password',
  'videos',
]);

/** The name of the wanted account, in lower case. Throws `not_found`, and `invalid_request` for another address. */
export function accountNameOf({ username, url }: PinboardAccountInput, site: SiteView): string {
  const place = username === undefined ? site.locate(url ?? '') : null;
  const path = place?.origin === 'web' ? place.path : '';
  const name = (username?.trim().replace(/^@/, '') ?? /^\/([^/?#]+)/.exec(path)?.[1] ?? '').toLowerCase();
  const isBoard = username === undefined && pinPlaceAt(path) === 'a board';
  if (USERNAME.test(name) && !PAGES.has(name) && !isBoard) return name;
  return username === undefined
    ? refusePinAddress(path, 'an account')
    : refuseReference('username', 'is no account of this site');
}
