import { z } from 'zod';
import type { SiteView } from '#sites/framework/request.ts';
import { refuseReference } from '#sites/framework/site.ts';
import { describeMarketPage } from './page-kinds.ts';

export const VehicleInput = z.object({
  id: z.string().min(1).max(2000).optional().describe('The code of the offer, or its address; wins over url'),
  url: z.url().max(2000).optional().describe('The page of the offer'),
});

export type VehicleInput = z.output<typeof VehicleInput>;

const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

/** The code at the end of the address of an offer; null where there is none. */
export function vehicleIdIn(address: string): string | null {
  const [path = ''] = address.split(/[?#]/);
  return new RegExp(`${ID.source}/?$`, 'i').exec(path)?.[0].replace('/', '').toLowerCase() ?? null;
}

/** The code of the offer that is meant. Throws `not_found`, and `invalid_request` for another address. */
export function vehicleIdOf({ id, url }: VehicleInput, site: Pick<SiteView, 'locate'>): string {
  const given = (id ?? url ?? '').trim();
  if (new RegExp(`^${ID.source}$`, 'i').test(given)) return given.toLowerCase();
  const place = site.locate(given);
  const found = vehicleIdIn(place?.path ?? '');
  const why =
    place === null ? 'names no offer of this site' : `is ${describeMarketPage(place.path)} of this site, and no offer`;
  return found ?? refuseReference(id === undefined ? 'url' : 'id', why);
}
