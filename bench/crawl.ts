/** A whole site crawled by Quern: beside other crawlers, on a world ten times as large, and killed again and again. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { CONTENDERS } from './crawl/contenders.ts';
import { measureGrowth } from './crawl/growth.ts';
import { measureKills } from './crawl/kills.ts';
import { compareContenders } from './crawl/rounds.ts';
import type { Order } from './crawl/rounds.ts';

const PAGES = 10_000;
const PAGES_TO_GROW = 100_000;
/** A tenth of it is still a world with all that worlds have. */
const LEAST_PAGES = 200;

const { values } = parseArgs({
  options: {
    pages: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string', default: CONTENDERS.join(',') },
    port: { type: 'string', default: '18010' },
    growth: { type: 'boolean', default: false },
    kills: { type: 'string', default: '0' },
    profile: { type: 'string' },
  },
});
const kills = Number(values.kills);
const folder = mkdtempSync(join(tmpdir(), 'quern-bench-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const order = readOrder();
if (kills > 0) await measureKills(order, kills);
else if (values.growth) await measureGrowth(order);
else await compareContenders(order);

function readOrder(): Order {
  const pages = values.pages === undefined ? (values.growth ? PAGES_TO_GROW : PAGES) : Number(values.pages);
  const rounds = Number(values.rounds);
  const port = Number(values.port);
  const only = values.only.split(',');
  if (!(pages >= LEAST_PAGES)) throw new Error(`--pages takes a number from ${LEAST_PAGES} on`);
  if (!(rounds >= 1)) throw new Error('--rounds takes a number from 1 on');
  if (!(port > 0 && port < 65_536)) throw new Error('--port takes a number from 1 to 65535');
  if (!(kills >= 0)) throw new Error('--kills takes a number from 0 on');
  const stranger = only.find((name) => !CONTENDERS.some((one) => one === name));
  if (stranger !== undefined) throw new Error(`--only ${stranger}: there are ${CONTENDERS.join(', ')}`);
  const profile = values.profile === undefined ? null : resolve(values.profile);
  return { pages, rounds, port, only, folder, profile };
}
