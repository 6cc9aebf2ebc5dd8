import type { Operation } from '#engine/call/operation.ts';
import { operationsOfSurfaces } from '#features/monitors/surfaces.ts';
import { operations } from '#features/operations.ts';
import { serpSearch } from '#features/search/serp/operation.ts';
import { websearchSearch } from '#features/search/web/operation.ts';
import { hotelRates } from '#features/sites/hotels/rates-operation.ts';
import { endpoints, listCrawls } from './endpoints.ts';

/** All operations: the general ones, searches of single engines, then the endpoints and monitors of sites, in the order of the docs. */
export const allOperations: readonly Operation[] = [
  ...operations,
  websearchSearch,
  serpSearch,
  ...[...endpoints, ...listCrawls].map(({ operation }) => operation),
  ...operationsOfSurfaces,
  hotelRates,
];

/** The operations with a route: all except those that only jobs and monitors run. */
export const routedOperations: readonly Operation[] = allOperations.filter(({ route }) => route !== null);

/** The operations that only jobs and monitors run. */
export const unroutedOperations: readonly Operation[] = allOperations.filter(({ route }) => route === null);
