import { defineSite } from '#features/sites/endpoint.ts';

/** The canonical origin of the board's pages, wherever they are fetched. */
export const JOBS_S_HOME = 'https://www.simplyhired.com';

export const jobsS = defineSite({
  name: 'jobs-s',
  about: 'job board: jobs of all kinds with salaries',
  origins: { web: JOBS_S_HOME },
  hosts: { 'simplyhired.com': 'web' },
});
