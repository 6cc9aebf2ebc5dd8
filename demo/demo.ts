import { parseArgs } from 'node:util';

// Runs a tour of the API. `--keep` leaves the sites and the service running; `--hour` replays the first hour of four kinds of user.
const options = { keep: { type: 'boolean', default: false }, hour: { type: 'boolean', default: false } } as const;
if (parseArgs({ options }).values.hour) await import('./hour/hour.ts');
else await import('./tour.ts');
