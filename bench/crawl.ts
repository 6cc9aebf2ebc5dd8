/** A whole site crawled by Quern: beside other crawlers, on a world ten times as large, and killed again and again. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { CONTENDERS } from './crawl/contenders.ts';
import { measureGrowth } from './crawl/growth.ts';
import { measureKills } from './crawl/kills.ts';
import { compareContenders, type Order } from './crawl/rounds.ts';
import { readNumber, readOnly } from './options.ts';

const PAGES = 10_000;
const PAGES_TO_GROW = 100_000;
/** A tenth of it is still a world with all that worlds have. */
const MIN_PAGES = 200;

const ROUNDS = 3;
const PORT = 18_010;

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
refuseIdleOptions();
const order: Order = {
  pages: readNumber(values, 'pages', { least: MIN_PAGES, most: 1_000_000 }) ?? (values.growth ? PAGES_TO_GROW : PAGES),
  rounds: readNumber(values, 'rounds', { least: 1, most: 100 }) ?? ROUNDS,
  port: readNumber(values, 'port', { least: 1, most: 65_535 }) ?? PORT,
  only: readOnly(values.only, CONTENDERS),
  folder,
  profile: values.profile === undefined ? null : resolve(values.profile),
};
const kills = readNumber(values, 'kills', { least: 1, most: 1000 });
if (kills !== null) await measureKills(order, kills);
else if (values.growth) await measureGrowth(order);
else await compareContenders(order);

/** An option that a measure does not know would be a wish that nobody hears. */
function refuseIdleOptions(): void {
  if (values.kills !== undefined) refuse(['rounds', 'only', 'growth', 'profile'], '--kills');
  if (values.growth) refuse(['only'], '--growth');
}

function refuse(names: readonly (keyof typeof values)[], beside: string): void {
  const given = names.find((name) => values[name] !== undefined && values[name] !== false);
  if (given !== undefined) throw new Error(`--${given} says nothing beside ${beside}`);
}
