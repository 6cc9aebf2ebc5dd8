import { defineSite } from '#sites/framework/endpoint.ts';
import type { PlaceKinds } from '#sites/place-kinds.ts';

/** The canonical origin of the board's pages, wherever they are fetched. */
export const JOBS_S_HOME = 'https://www.simplyhired.com';

/** The kinds of the board's addresses other than jobs. */
export const JOBS_S_PLACES: PlaceKinds = [
  [/^\/search(?:[/?]|$)/, 'a search'],
  [/^\/(?:browse-jobs\/companies|company)\//, 'a company'],
  [/^\/salar/, 'a list of salaries'],
];

/** SimplyHired. */
export const jobsS = defineSite({
  name: 'jobs-s',
  about: 'job board: jobs of all kinds with salaries',
  origins: { web: JOBS_S_HOME },
  hosts: { 'simplyhired.com': 'web' },
});
