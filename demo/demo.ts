import { parseArgs } from 'node:util';

// A tour of the API; `--keep` leaves its world up, `--hour` walks the first hour of four people instead.
const options = { keep: { type: 'boolean', default: false }, hour: { type: 'boolean', default: false } } as const;
if (parseArgs({ options }).values.hour) await import('./hour/hour.ts');
else await import('./tour.ts');
