import { defineSite } from '#sites/framework/endpoint.ts';
import type { PlaceKinds } from '#sites/place-kinds.ts';

/** The canonical origin of the board's pages, wherever they are fetched. */
export const JOBS_B_HOME = 'https://builtin.com';

/** The board's hosts for cities and regions, which have the same paths. */
const CITIES = [
  'builtinnyc.com',
  'builtinla.com',
  'builtinsf.com',
  'builtinboston.com',
  'builtinseattle.com',
  'builtinaustin.com',
  'builtincolorado.com',
  'builtinchicago.org',
  'builtincharlotte.com',
  'builtinlondon.uk',
  'builtinsydney.au',
  'builtinmelbourne.au',
  'builtintoronto.com',
  'builtinvancouver.org',
  'builtinsingapore.com',
] as const;

/** The kinds of the board's addresses other than jobs. */
export const JOBS_B_PLACES: PlaceKinds = [
  [/^\/company\/[^/]+\/jobs/, 'the jobs of a company'],
  [/^\/company\//, 'a company'],
  [/^\/compan(?:y|ies)/, 'a list of companies'],
  [/^\/jobs(?:[/?]|$)/, 'a search'],
  [/^\/articles\//, 'an article'],
];

/** Built In. */
export const jobsB = defineSite({
  name: 'jobs-b',
  about: 'job board: technology companies',
  origins: { web: JOBS_B_HOME },
  hosts: Object.fromEntries(
    ['builtin.com', ...CITIES].flatMap((host) => [[host, 'web'] as const, [`www.${host}`, 'web'] as const]),
  ),
});
