import type { Operation } from '#engine/operation.ts';
import { operations } from '#operations/index.ts';
import { endpoints } from '#sites/index.ts';

/** Everything that can be asked: what is general, then the endpoints of sites, in the order of the docs. */
export const registry: readonly Operation[] = [...operations, ...endpoints.map(({ operation }) => operation)];
