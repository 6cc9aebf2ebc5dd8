import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { styleText } from 'node:util';
import { startMockSites } from '#demo/sites/mock-sites.ts';
import { startSite } from '#demo/site.ts';
import { runAgent } from './agent.ts';
import { runDeveloper } from './developer.ts';
import { runOperator } from './operator.ts';
import { runTerminalUser } from './terminal.ts';
import { print, formatTable, Walkthrough } from './walk.ts';

// Replays the first hour of four kinds of user, from empty folders and on loopback only. Exits with 1 if a step fails.
const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort(new Error('stopped')));

// Packing a client and running PostgreSQL need the development dependencies.
spawnSync(process.execPath, [join(import.meta.dirname, '../../packages/quern/bin/bootstrap.mjs'), '--install'], {
  stdio: 'inherit',
});

const folder = mkdtempSync(join(tmpdir(), 'quern-hour-'));
const [site, sites] = [await startSite({ port: 0 }), await startMockSites()];
const world = {
  folder,
  site: site.origin,
  allow: `${new URL(site.origin).host},${sites.allow}`,
  sitesFile: sites.file,
  key: `qk_${randomBytes(16).toString('hex')}`,
};
const walk = new Walkthrough(stop.signal);
print(`The first hour of four people, each from an empty folder. The pages are those of ${site.origin}.`);
try {
  await walk.person(
    'terminal user',
    'an empty folder with npx quern; QUERN_ALLOW_TARGETS names our private address',
    async () => runTerminalUser(walk, world),
  );
  const told = await runAgent(walk, world);
  await walk.person(
    'client developer',
    'empty folders, both clients as they are published, a service that runs',
    async () => runDeveloper(walk, world),
  );
  await walk.person('operator', 'an empty folder with npx quern, and a PostgreSQL that runs', async () =>
    runOperator(walk, world),
  );
  print(`\n${formatTable(walk.taken)}\n`);
  for (const { way, listed, largest, all } of told)
    print(`MCP over ${way}: the list has ${listed} tokens, the largest answer ${largest}, all that was said ${all}.`);
  const failed = walk.taken.filter(({ isFine }) => !isFine).length;
  const seconds = walk.taken.reduce((sum, one) => sum + one.seconds, 0).toFixed(0);
  print(
    failed === 0
      ? styleText('green', `All ${walk.taken.length} steps went well, in ${seconds} s.`)
      : styleText('red', `${failed} of ${walk.taken.length} steps failed.`),
  );
  process.exitCode = failed === 0 ? 0 : 1;
} catch (error) {
  if (!stop.signal.aborted) throw error;
  print('Stopped.');
  process.exitCode = 130;
} finally {
  await site.close();
  await sites.close();
  rmSync(folder, { recursive: true, force: true });
}
