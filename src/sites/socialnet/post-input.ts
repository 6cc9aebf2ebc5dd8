import type { SiteView } from '#features/sites/request.ts';
import { refuseParameter } from '#features/sites/site.ts';
import { permalinkAt } from './permalink.ts';
import type { Permalink } from './permalink.ts';

/** The post that an address leads to. Throws `invalid_request`. */
export function linkOf({ url }: { readonly url: string }, site: Pick<SiteView, 'locate'>): Permalink {
  return permalinkAt(site.locate(url)?.path ?? '') ?? refuseParameter('url', 'is no address of a post');
}
