import type { SiteView } from '#features/sites/request.ts';
import { refuseReference } from '#features/sites/site.ts';
import { permalinkAt } from './permalink.ts';
import type { Permalink } from './permalink.ts';

/** The post that an address leads to. Throws `not_found`, and `invalid_request` for another address. */
export function linkOf({ url }: { readonly url: string }, site: Pick<SiteView, 'locate'>): Permalink {
  return permalinkAt(site.locate(url)?.path ?? '') ?? refuseReference('url', 'is no address of a post');
}
