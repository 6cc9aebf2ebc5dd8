import type { Operation } from '#engine/call/operation.ts';
import { operations } from '#features/operations.ts';
import { endpoints } from '#sites/index.ts';

/** Everything that can be asked: what is general, then the endpoints of sites, in the order of the docs. */
export const allOperations: readonly Operation[] = [...operations, ...endpoints.map(({ operation }) => operation)];

/** What has a route: all but what only jobs and monitors ask for. */
export const routedOperations: readonly Operation[] = allOperations.filter(({ route }) => route !== null);
