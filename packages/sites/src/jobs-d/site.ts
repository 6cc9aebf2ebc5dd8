import type { PlaceKinds } from '#sites/place-kinds.ts';
import { defineSite } from '#sites/framework/endpoint.ts';

/** The canonical origin of the board's pages, wherever they are fetched. */
export const JOBS_D_HOME = 'https://www.dice.com';

/** What else than a job the paths of the board lead to. */
export const JOBS_D_PLACES: PlaceKinds = [
  [/^\/jobs(?:[/?]|$)/, 'a search'],
  [/^\/company-profile\//, 'a company'],
  [/^\/job-applications\//, 'an application'],
  [/^\/(?:dashboard|register|login)(?:[/?]|$)/, 'a page for members'],
];

export const jobsD = defineSite({
  name: 'jobs-d',
  about: 'job board: technology jobs',
  origins: { web: JOBS_D_HOME, mcp: 'https://mcp.dice.com' },
  hosts: { 'dice.com': 'web' },
});
