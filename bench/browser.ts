/** Rendered pages per second compared with another crawler, and the cost of browsers in a service. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findConfiguredBrowsers } from '#compose/browsers.ts';
import { CONTENDERS, compareContenders } from './browser/rounds.ts';
import { measureDecision } from './browser/decision.ts';
import { measureService } from './browser/service.ts';
import { openSite } from './browser/site.ts';
import { printTable, printLine, parseNumberOption, parseOnlyOption } from './command-line.ts';

const DEFAULT_PAGES = 100;
const DEFAULT_ROUNDS = 3;
const DEFAULT_REQUESTS = 1_000;

const { values } = parseArgs({
  options: {
    pages: { type: 'string' },
    rounds: { type: 'string' },
    requests: { type: 'string' },
    only: { type: 'string' },
    /** Path of the browser; default: the one that the service would use. */
    binary: { type: 'string' },
  },
});
const pages = parseNumberOption(values, 'pages', { least: 2, most: 1_000 }) ?? DEFAULT_PAGES;
const rounds = parseNumberOption(values, 'rounds', { least: 0, most: 100 }) ?? DEFAULT_ROUNDS;
const requests = parseNumberOption(values, 'requests', { least: 0, most: 100_000 }) ?? DEFAULT_REQUESTS;
const only = parseOnlyOption(values.only, CONTENDERS);
const binary = findConfiguredBrowsers({ QUERN_CHROMIUM: values.binary })?.shell.path;
if (binary === undefined) throw new Error('there is no browser: npm run setup:browser finds or installs one');
const folder = mkdtempSync(join(tmpdir(), 'quern-bench-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
const site = await openSite();
try {
  const rates = rounds === 0 ? new Map() : await compareContenders({ site, binary, pages, rounds, only, folder });
  const decisionMs = await measureDecision(site);
  const service = requests === 0 ? null : await measureService({ site, binary, requests, folder });
  printTable([
    ['CPU that the ladder adds to a visit without a browser', `${decisionMs.toFixed(2)} ms`, '≤ 2 ms'],
    ...(service?.lines ?? []),
  ]);
  const ratesOf = Object.fromEntries([...rates].map(([name, rate]) => [name, rate]));
  printLine(`\n${JSON.stringify({ pages, rounds, rates: ratesOf, decisionMs, ...service?.figures })}`);
} finally {
  await site.close();
}
