import { z } from 'zod';
import type { SiteView } from '#sites/framework/request.ts';
import { refuseReference } from '#sites/framework/site.ts';
import { refusePinAddress } from './place-kinds.ts';
import { pinIdOf } from './to-pin.ts';

export const PinInput = z.object({
  url: z.url().max(2000).optional().describe('The page of the pin, short or whole'),
  id: z.string().min(1).max(100).optional().describe('Its number'),
});

type PinInput = z.output<typeof PinInput>;

/** The number in the path of a pin's page, null for any other. */
export function pinIdIn(path: string): string | null {
  return pinIdOf(/^\/pin\/(?:[^/?#]*--)?(\d+)(?:[/?#]|$)/.exec(path)?.[1]);
}

/** The wanted pin: its number, or the code of a short address. Throws `not_found`, and `invalid_request` for another address. */
export function wantedPin({ id, url }: PinInput, site: SiteView): { readonly id: string } | { readonly short: string } {
  if (id !== undefined) return { id: pinIdOf(id.trim()) ?? refuseReference('id', 'is no pin of this site') };
  const place = site.locate(url ?? '');
  const code = place?.origin === 'short' ? /^\/([A-Za-z0-9]{4,20})\/?$/.exec(place.path)?.[1] : undefined;
  if (code !== undefined) return { short: code };
  const found = place?.origin === 'web' ? pinIdIn(place.path) : null;
  return { id: found ?? refusePinAddress(place?.origin === 'web' ? place.path : '', 'a pin') };
}
