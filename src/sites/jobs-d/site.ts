import { defineSite } from '#features/sites/endpoint.ts';

/** The canonical origin of the board's pages, wherever they are fetched. */
export const JOBS_D_HOME = 'https://www.dice.com';

export const jobsD = defineSite({
  name: 'jobs-d',
  about: 'job board: technology jobs',
  origins: { web: JOBS_D_HOME, mcp: 'https://mcp.dice.com' },
  hosts: { 'dice.com': 'web' },
});
