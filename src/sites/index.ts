import type { SiteEndpoint } from '#engine/sites/endpoint.ts';
import type { Site } from '#engine/sites/site.ts';
import { codehostEndpoints } from './codehost/index.ts';
import { forumEndpoints } from './forum/index.ts';
import { hotelBEndpoints } from './hotel-b/index.ts';
import { musiccatalogEndpoints } from './musiccatalog/index.ts';
import { PROOFS } from './proofs.ts';
import { shopAEndpoints } from './shop-a/index.ts';
import { socialnetEndpoints } from './socialnet/index.ts';
import { videoEndpoints } from './video/index.ts';

const DECLARED: readonly SiteEndpoint[] = [
  ...codehostEndpoints,
  ...forumEndpoints,
  ...hotelBEndpoints,
  ...musiccatalogEndpoints,
  ...shopAEndpoints,
  ...socialnetEndpoints,
  ...videoEndpoints,
];

/** Every endpoint of every site, in the order of the docs; each says whether it is verified. */
export const endpoints: readonly SiteEndpoint[] = DECLARED.map((endpoint) => ({
  ...endpoint,
  operation: { ...endpoint.operation, verified: Object.hasOwn(PROOFS, endpoint.operation.id) },
}));

/** The sites that they belong to. */
export const sites: readonly Site[] = [...new Set(endpoints.map(({ site }) => site))];
