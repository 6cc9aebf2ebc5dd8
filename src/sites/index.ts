import type { SiteEndpoint } from '#engine/sites/endpoint.ts';
import type { Site } from '#engine/sites/site.ts';
import { codehostEndpoints } from './codehost/index.ts';

/** Every endpoint of every site, in the order of the docs. */
export const endpoints: readonly SiteEndpoint[] = [...codehostEndpoints];

/** The sites that they belong to. */
export const sites: readonly Site[] = [...new Set(endpoints.map(({ site }) => site))];
