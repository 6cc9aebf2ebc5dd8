import { openGraph } from '#extract/dom/described.ts';
import { imageOf } from './media.ts';
import { permalinkAt } from './permalink.ts';
import type { PostPlace } from './post-place.ts';
import { NOTHING } from './post-record.ts';
import type { Post } from './post-record.ts';

/** What a page tells those who share it. */
export function sharedAs({ page, wanted, address }: PostPlace): Post | null {
  const place = URL.parse(openGraph(page, 'og:url') ?? '', page.url);
  const link = place === null ? null : permalinkAt(`${place.pathname}${place.search}`);
  const said = openGraph(page, 'og:description') ?? openGraph(page, 'og:title');
  if (link?.id === undefined || link.id === null || !wanted.has(link.id) || said === null) return null;
  const image = imageOf({ uri: openGraph(page, 'og:image') }, openGraph(page, 'og:image:alt'));
  return {
    ...NOTHING,
    id: link.id,
    url: address,
    text: said,
    type: link.kind === 'group' || link.kind === 'share' ? 'post' : link.kind,
    images: image === null ? [] : [image],
  };
}
