import type { SitePlace } from '#sites/framework/request.ts';
import { refuseParameter, refuseReference } from '#sites/framework/site.ts';

/** What the paths of a site lead to, the narrower kinds first, each in words such as `a channel`. */
export type PlaceKinds = readonly (readonly [pattern: RegExp, words: string])[];

/** What a path leads to; null where nobody knows. */
export function placeKindAt(kinds: PlaceKinds, path: string): string | null {
  return kinds.find(([pattern]) => pattern.test(path))?.[1] ?? null;
}

type Refusal = {
  /** The parameter that holds the address. */
  readonly parameter: string;
  /** What the address leads to. */
  readonly kind: string | null;
  /** What it should lead to. */
  readonly wanted: string;
};

/** Refuses an address that leads to something else than is wanted, and says to what. Throws `invalid_request`. */
export function refuseKind({ parameter, kind, wanted }: Refusal): never {
  if (kind === null || kind === wanted) return refuseReference(parameter, `is no address of ${wanted} of this site`);
  return refuseParameter(parameter, `is the address of ${kind}, not of ${wanted}`);
}

type RefusedPlace = {
  /** The parameter that holds the address. */
  readonly parameter: string;
  /** Null for an address of another site. */
  readonly place: SitePlace | null;
  readonly kinds: PlaceKinds;
  /** What the address should lead to, such as `a job`. */
  readonly wanted: string;
};

/** Refuses an address that leads to something else than is wanted, by the kinds of its site. Throws `invalid_request`. */
export function refusePlace({ parameter, place, kinds, wanted }: RefusedPlace): never {
  return refuseKind({ parameter, kind: place === null ? null : placeKindAt(kinds, place.path), wanted });
}
