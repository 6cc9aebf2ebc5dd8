import type { SiteRequest, SourcePage } from '#sites/framework/request.ts';
import { findWith } from '#extract/json/search.ts';
import { valueAfter } from '#extract/json/scan.ts';
import { at, line } from '#extract/values/raw.ts';

/** A value that the page freezes under a name; undefined where it has none. */
export function frozenIn({ body }: SourcePage, name: string): unknown {
  const place = body.indexOf(`'${name}'`);
  return place === -1 ? undefined : valueAfter(body.slice(place), 'deepFreeze(');
}

/** What a page asks the chain's interface with: a key that every page carries, and the number of the visitor. */
export type InterfaceWords = { readonly key: string; readonly visitor: string | null };

export function interfaceWordsIn(page: SourcePage): InterfaceWords | null {
  const services = at(frozenIn(page, '__CONFIG__'), 'services');
  const key = line(at(services, 'redskyAggregations', 'apiKey') ?? at(services, 'redsky', 'apiKey'));
  if (key === null || !/^\w{16,64}$/.test(key)) return null;
  const visitor = /"visitor_?[iI]d\\?"\s*:\s*\\?"(\w{16,64})/.exec(page.body)?.[1] ?? null;
  return { key, visitor };
}

/** A request of the interface that the chain's own pages make. */
export function askChain(
  name: string,
  { key, visitor }: InterfaceWords,
  query: NonNullable<SiteRequest['query']>,
): SiteRequest {
  return {
    origin: 'api',
    path: `/redsky_aggregations/v1/web/${name}`,
    query: { key, channel: 'WEB', platform: 'desktop', visitor_id: visitor, ...query },
    headers: { accept: 'application/json' },
  };
}

/** The product with that number that an answer, or the data of a page, is about. */
export function productIn(data: unknown, id: string): unknown {
  const own = at(data, 'data', 'product');
  if (line(at(own, 'tcin')) === id) return own;
  return findWith(data, 'tcin', 'item', 'category').find((one) => line(one['tcin']) === id);
}
