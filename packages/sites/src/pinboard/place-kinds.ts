import { placeKindAt, refuseKind } from '#sites/place-kinds.ts';
import type { PlaceKinds } from '#sites/place-kinds.ts';

const PLACES: PlaceKinds = [
  [/^\/pin\//, 'a pin'],
  [/^\/search\b/, 'a search'],
  [/^\/(?:ideas|explore|topics|categories|today)\b/, 'a topic'],
  [/^\/(?:settings|login|password|business|resource)\b/, 'a form'],
  [/^\/[^/?]+\/[^_/?][^/?]*/, 'a board'],
  [/^\/[^/?]+/, 'an account'],
];

/** What a path of the site leads to; null where nobody knows. */
export function pinPlaceAt(path: string): string | null {
  return placeKindAt(PLACES, path);
}

/** Refuses an address that leads to something else than is wanted, and says to what. Throws `invalid_request`. */
export function refusePinAddress(path: string, wanted: string): never {
  return refuseKind({ parameter: 'url', kind: pinPlaceAt(path), wanted });
}
