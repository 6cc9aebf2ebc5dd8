import type { SitePlace } from '#features/sites/request.ts';
import { placeKindAt, refuseKind } from './place-kinds.ts';
import type { PlaceKinds } from './place-kinds.ts';

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
