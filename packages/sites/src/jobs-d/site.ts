import { defineSite } from '#sites/framework/endpoint.ts';
import type { PlaceKinds } from '#sites/place-kinds.ts';

/** The canonical origin of the board's pages, wherever they are fetched. */
export const JOBS_D_HOME = 'https://www.dice.com';

/** The kinds of the board's addresses other than jobs. */
export const JOBS_D_PLACES: PlaceKinds = [
  [/^\/jobs(?:[/?]|$)/, 'a search'],
  [/^\/company-profile\//, 'a company'],
  [/^\/job-applications\//, 'an application'],
  [/^\/(?:dashboard|register|login)(?:[/?]|$)/, 'a page for members'],
];

/** Dice, with its public MCP server. */
export const jobsD = defineSite({
  name: 'jobs-d',
  about: 'job board: technology jobs',
  origins: { web: JOBS_D_HOME, mcp: 'https://mcp.dice.com' },
  hosts: { 'dice.com': 'web' },
});
