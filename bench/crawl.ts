/** Crawls a whole site: compared with other crawlers, with ten times as many pages, or while the service is killed repeatedly. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { CONTENDERS, compareContenders, type CrawlOrder } from './crawl/rounds.ts';
import { measureGrowth } from './crawl/growth.ts';
import { measureKills } from './crawl/kills.ts';
import { parseNumberOption, parseOnlyOption } from './command-line.ts';

const DEFAULT_PAGES = 10_000;
const DEFAULT_GROWTH_PAGES = 100_000;
/** A tenth of this still has all features of the synthetic site. */
const MIN_PAGES = 200;

const DEFAULT_ROUNDS = 3;
const DEFAULT_PORT = 18_010;

const { values } = parseArgs({
  options: {
    pages: { type: 'string' },
    rounds: { type: 'string' },
    only: { type: 'string' },
    port: { type: 'string' },
    growth: { type: 'boolean', default: false },
    kills: { type: 'string' },
    profile: { type: 'string' },
  },
});
const folder = mkdtempSync(join(tmpdir(), 'quern-bench-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
assertOptionsUsed();
const order: CrawlOrder = {
  pages:
    parseNumberOption(values, 'pages', { least: MIN_PAGES, most: 1_000_000 }) ??
    (values.growth ? DEFAULT_GROWTH_PAGES : DEFAULT_PAGES),
  rounds: parseNumberOption(values, 'rounds', { least: 1, most: 100 }) ?? DEFAULT_ROUNDS,
  port: parseNumberOption(values, 'port', { least: 1, most: 65_535 }) ?? DEFAULT_PORT,
  only: parseOnlyOption(values.only, CONTENDERS),
  folder,
  profile: values.profile === undefined ? null : resolve(values.profile),
};
const kills = parseNumberOption(values, 'kills', { least: 1, most: 1000 });
if (kills !== null) await measureKills(order, kills);
else if (values.growth) await measureGrowth(order);
else await compareContenders(order);

/** Throws if an option is given that the chosen measurement ignores. */
function assertOptionsUsed(): void {
  if (values.kills !== undefined) assertAbsent(['rounds', 'only', 'growth', 'profile'], '--kills');
  if (values.growth) assertAbsent(['only'], '--growth');
}

function assertAbsent(names: readonly (keyof typeof values)[], beside: string): void {
  const given = names.find((name) => values[name] !== undefined && values[name] !== false);
  if (given !== undefined) throw new Error(`--${given} has no effect together with ${beside}`);
}
