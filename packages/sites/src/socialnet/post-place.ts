import { canonicalOf, openGraph } from '#extract/dom/described.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import type { Feedback } from './feedback.ts';
import { permalinkAt } from './permalink.ts';
import type { Permalink } from './permalink.ts';
import type { Post } from './post-record.ts';

/** A page, and how its post is known. */
export type PostPlace = {
  readonly page: ParsedPage;
  /** The numbers that the wanted post may go by. */
  readonly wanted: ReadonlySet<string>;
  readonly feedback: Feedback;
  /** Where the page is. */
  readonly address: string;
  readonly kind: Permalink['kind'];
};

export type FoundPost = {
  readonly post: Post;
  readonly raw: JsonObject;
  /** The numbers that comments name it by. */
  readonly targets: readonly string[];
};

/** A plain number stays what it is; one that the site veils, or leads to, is what the page itself says it has. */
export function wantedIdsOf(page: ParsedPage, link: Permalink, final: Permalink | null): ReadonlySet<string> {
  if (link.id !== null && /^\d+$/.test(link.id)) return new Set([link.id]);
  const own = [openGraph(page, 'og:url'), canonicalOf(page)].flatMap((one) => {
    const url = URL.parse(one ?? '', page.url);
    return url === null ? [] : (permalinkAt(`${url.pathname}${url.search}`) ?? []);
  });
  return new Set([link, ...own, ...(final === null ? [] : [final])].flatMap(({ id }) => id ?? []));
}

/** Whether an address is that of a wanted post. */
export function isAt(address: string, wanted: ReadonlySet<string>): boolean {
  const url = new URL(address);
  const id = permalinkAt(`${url.pathname}${url.search}`)?.id ?? null;
  return id !== null && wanted.has(id);
}
