import { z } from 'zod';
import type { SiteView } from '#sites/framework/request.ts';
import { refuseReference } from '#sites/framework/site.ts';
import { refusePlace } from '#sites/place-kinds.ts';
import { STORE_PLACES } from './site.ts';
import type { AppStore } from './app-record.ts';

/** Where the store is asked from and in which language. */
export const PLACE = {
  country: z
    .string()
    .regex(/^[a-z]{2}$/i, 'must be two letters (ISO 3166-1), such as de')
    .default('US')
    .describe('ISO 3166-1 alpha-2'),
  language: z
    .string()
    .regex(/^[a-z]{2,3}(?:-[a-z0-9]{2,8})?$/i, 'must be a language tag (BCP 47), such as de or pt-BR')
    .default('en-US')
    .describe('BCP 47'),
};

/** Other names of those parameters. */
export const PLACE_ALIASES = { country: ['geo'], language: ['locale'] };

export const AppInput = z.object({
  id: z.string().min(1).max(300).optional().describe('A number of apple, or a name such as com.example.app of play'),
  url: z.url().max(2000).optional().describe('The page of the app in either store'),
  ...PLACE,
});

export type AppInput = z.output<typeof AppInput>;

/** A thing in one of the stores. */
export type StoreItem = { readonly store: AppStore; readonly id: string };

const APPLE_ID = /^(?:id)?(\d{5,12})$/;
const PACKAGE = /^[A-Za-z]\w*(?:\.\w+)+$/;

/** The app that an address or an id means; null for none. */
function itemOf(given: string, locate: SiteView['locate']): StoreItem | null {
  if (!given.includes('://')) {
    const number = APPLE_ID.exec(given)?.[1];
    if (number !== undefined) return { store: 'apple', id: number };
    return PACKAGE.test(given) ? { store: 'play', id: given } : null;
  }
  const place = locate(given);
  const address = place === null ? null : URL.parse(place.path, 'https://store.example');
  if (place === null || address === null) return null;
  if (place.origin === 'play') {
    const name = address.pathname.startsWith('/store/apps/details') ? address.searchParams.get('id') : null;
    return name !== null && PACKAGE.test(name) ? { store: 'play', id: name } : null;
  }
  const number = /\/app\/(?:[^/]+\/)?id(\d{5,12})(?:\/|$)/.exec(address.pathname)?.[1];
  return number === undefined ? null : { store: 'apple', id: number };
}

/** The wanted app. Throws `not_found`, and `invalid_request` for another address. */
export function wantedApp({ id, url }: Pick<AppInput, 'id' | 'url'>, site: SiteView): StoreItem {
  const given = (id ?? url ?? '').trim();
  const found = itemOf(given, site.locate);
  if (found !== null) return found;
  const parameter = id === undefined ? 'url' : 'id';
  if (!given.includes('://')) return refuseReference(parameter, 'is no app of these stores');
  return refusePlace({ parameter, place: site.locate(given), kinds: STORE_PLACES, wanted: 'an app' });
}

/** Whether the wanted app is in a store: each source asks its own. */
export function isOf(store: AppStore) {
  return (site: SiteView, input: Pick<AppInput, 'id' | 'url'>): boolean => wantedApp(input, site).store === store;
}
