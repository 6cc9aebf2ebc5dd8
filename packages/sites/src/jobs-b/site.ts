import type { PlaceKinds } from '#sites/place-kinds.ts';
import { defineSite } from '#sites/framework/endpoint.ts';

/** The canonical origin of the board's pages, wherever they are fetched. */
export const JOBS_B_HOME = 'https://builtin.com';

/** The board's own hosts for cities and regions have the same paths. */
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

/** What else than a job the paths of the board lead to. */
export const JOBS_B_PLACES: PlaceKinds = [
  [/^\/company\/[^/]+\/jobs/, 'the jobs of a company'],
  [/^\/company\//, 'a company'],
  [/^\/compan(?:y|ies)/, 'a list of companies'],
  [/^\/jobs(?:[/?]|$)/, 'a search'],
  [/^\/articles\//, 'an article'],
];

export const jobsB = defineSite({
  name: 'jobs-b',
  about: 'job board: technology companies',
  origins: { web: JOBS_B_HOME },
  hosts: Object.fromEntries(
    ['builtin.com', ...CITIES].flatMap((host) => [[host, 'web'] as const, [`www.${host}`, 'web'] as const]),
  ),
});
