/** Measures the slowest `/healthz` response under a mixed load, with a store that has the data of a year, on both stores. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startService, type ServiceProcess } from '#demo/service.ts';
import { openStore } from '#compose/store.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { loadConfig, type LoadedConfig } from '#kernel/config.ts';
import { loadFolderId } from '#kernel/data-dir.ts';
import type { Db } from '#store/db.ts';
import { openPostgres, PATIENT_LIMITS } from '#store/postgres.ts';
import { startPostgres } from '#testkit/postgres.ts';
import { startServerProcess, type ServerProcess } from './processes.ts';
import { type RouteFigures, runMix, type Probed, startProbe } from './grown/mix.ts';
import { createTemplateMonitor, KEY, readTenant, seedYear, ROWS_PER_YEAR } from './grown/seed.ts';
import { printTable, printProgress, printLine, parseNumberOption, parseOnlyOption } from './command-line.ts';

const STORES = ['sqlite', 'postgres'] as const;
const SECRET = Buffer.alloc(32, 'mill').toString('base64');
const GOAL_MS = 50;
const FULL_PERCENT = 100;
/** Warm-up time, so that loading and JIT compilation are not measured. */
const WARM_SECONDS = 10;

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '600' },
    rate: { type: 'string', default: '50' },
    share: { type: 'string', default: '100' },
    only: { type: 'string' },
    profile: { type: 'string' },
  },
});
const seconds = parseNumberOption(values, 'seconds', { least: 1, most: 100_000 }) ?? 0;
const rate = parseNumberOption(values, 'rate', { least: 1, most: 1000 }) ?? 0;
/** In percent of a year; 0 is an empty store, as the control. */
const share = parseNumberOption(values, 'share', { least: 0, most: 1000 }) ?? 0;

type GrownReading = { readonly readyMs: number; readonly probed: Probed; readonly routes: readonly RouteFigures[] };

const origin = await startServerProcess('grown/origin.ts');
try {
  const rows = Object.entries(ROWS_PER_YEAR).map(
    ([kind, count]) => `${Math.round((count * share) / FULL_PERCENT)} ${kind}`,
  );
  printLine(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}; ${rows.join(', ')};`);
  printLine(`${rate} calls a second for ${seconds} s, a probe of /healthz each 20 ms`);
  for (const store of parseOnlyOption(values.only, STORES)) printReading(store, await measure(store));
} finally {
  await origin.close();
}

async function measure(store: (typeof STORES)[number]): Promise<GrownReading> {
  const folder = mkdtempSync(join(tmpdir(), 'quern-grown-'));
  const server = store === 'postgres' ? await startPostgres('as installed') : null;
  try {
    const dataDir = join(folder, 'data');
    mkdirSync(dataDir);
    const settings = {
      QUERN_ALLOW_TARGETS: new URL(origin.origin).host,
      QUERN_BOOTSTRAP_KEY: KEY,
      QUERN_SECRET_KEY: SECRET,
      QUERN_LOG_LEVEL: 'warn',
      QUERN_CHROMIUM: 'off',
      ...(server === null ? {} : { QUERN_DATABASE_URL: server.url }),
    };
    const monitor = await fillStore(await startService({ dataDir, settings }), { dataDir, settings, origin });
    printProgress(`${store}: ${seconds} s of load`);
    const profiled = values.profile === undefined ? {} : buildProfileSettings(values.profile);
    const service = await startService({ dataDir, settings: { ...settings, ...profiled } });
    try {
      const mix = { page: origin.origin, monitor, rate };
      await runMix(service.origin, { ...mix, seconds: WARM_SECONDS });
      const probe = await startProbe(service.origin);
      const routes = await runMix(service.origin, { ...mix, seconds });
      return { readyMs: service.readyMs, probed: await probe.end(), routes };
    } finally {
      await service.close();
    }
  } finally {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function buildProfileSettings(folder: string) {
  return { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${folder}` };
}

type GrownService = {
  readonly dataDir: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly origin: ServerProcess;
};

/** Creates the first key and a template monitor through the service, and the other rows with SQL. */
async function fillStore(first: ServiceProcess, { dataDir, settings, origin: pages }: GrownService): Promise<string> {
  const model = await createTemplateMonitor(first.origin, pages.origin);
  await first.close();
  const loaded = loadConfig({ QUERN_DATA_DIR: dataDir, ...settings }, null);
  const db = await openSeedStore(loaded);
  try {
    const tenant = await readTenant(db);
    const folder = db.kind === 'sqlite' ? '' : loadFolderId(dataDir);
    await seedYear({ db, dataDir, tenant, folder, share: share / FULL_PERCENT, model, progress: printProgress });
    return model;
  } finally {
    await db.close();
  }
}

/** Opens the store with long timeouts, because inserting hundreds of thousands of rows takes minutes. */
async function openSeedStore(loaded: LoadedConfig): Promise<Db> {
  const { QUERN_DATABASE_URL: url } = loaded.config;
  if (url !== undefined) return openPostgres(url, { ...PATIENT_LIMITS, report: console.error, clock: SYSTEM_CLOCK });
  return (await openStore(loaded, { report: console.error, onSlow: () => undefined, note: printProgress })).db;
}

function formatMs(figure: number): string {
  return `${figure.toFixed(1)} ms`;
}

function printReading(store: string, { readyMs, probed, routes }: GrownReading): void {
  printLine(`\n${store}`);
  printTable([
    ['start to ready', `${readyMs.toFixed(0)} ms`, ''],
    [`/healthz, slowest of ${probed.count}`, formatMs(probed.mostMs), `≤ ${GOAL_MS} ms`],
    ['— p99.9, p99, p50', [probed.p999Ms, probed.p99Ms, probed.p50Ms].map(formatMs).join(', '), ''],
    ['— slower than the goal', `${probed.slow.length}`, '0'],
    ['— the slowest second of the probe itself', formatMs(probed.ownMs), ''],
  ]);
  for (const { at, ms: took } of probed.slow.slice(0, 20))
    printLine(`  ${(at / 1000).toFixed(1)} s: ${formatMs(took)}`);
  printLine('\n| route | calls | p50 | p99 | slowest | not 200 |\n|---|---|---|---|---|---|');
  for (const route of routes) {
    const figures = [route.p50Ms, route.p99Ms, route.mostMs].map(formatMs).join(' | ');
    printLine(`| ${route.name} | ${route.count} | ${figures} | ${route.failures} |`);
  }
}
