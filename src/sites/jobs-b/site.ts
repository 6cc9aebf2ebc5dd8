import { defineSite } from '#features/sites/endpoint.ts';

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

export const jobsB = defineSite({
  name: 'jobs-b',
  about: 'job board: technology companies',
  origins: { web: JOBS_B_HOME },
  hosts: Object.fromEntries(
    ['builtin.com', ...CITIES].flatMap((host) => [[host, 'web'] as const, [`www.${host}`, 'web'] as const]),
  ),
});
