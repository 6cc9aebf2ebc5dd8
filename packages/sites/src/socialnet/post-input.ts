import type { SiteView } from '#sites/framework/request.ts';
import { refuseAddress } from './address-kinds.ts';
import { permalinkAt } from './permalink.ts';
import type { Permalink } from './permalink.ts';

/** The post that an address leads to. Throws `not_found`, and `invalid_request` for another address. */
export function linkOf({ url }: { readonly url: string }, site: Pick<SiteView, 'locate'>): Permalink {
  const path = site.locate(url)?.path ?? '';
  return permalinkAt(path) ?? refuseAddress(path, 'a post');
}
