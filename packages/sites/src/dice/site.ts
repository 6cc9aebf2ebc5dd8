import { defineSite } from '#sites/framework/endpoint.ts';
import type { PathKinds } from '#sites/framework/site.ts';

/** The canonical origin of the board's pages, wherever they are fetched. */
export const HOME = 'https://www.dice.com';

/** The kinds of the board's addresses other than jobs. */
export const PATH_KINDS: PathKinds = [
  [/^\/jobs(?:[/?]|$)/, 'a search'],
  [/^\/company-profile\//, 'a company'],
  [/^\/job-applications\//, 'an application'],
  [/^\/(?:dashboard|register|login)(?:[/?]|$)/, 'a page for members'],
];

/** Dice, with its public MCP server. */
export const dice = defineSite({
  name: 'jobs-d',
  about: 'job board: technology jobs',
  origins: { web: HOME, mcp: 'https://mcp.dice.com' },
  hosts: { 'dice.com': 'web' },
});
