import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startPostgres } from '#testkit/postgres.ts';
import { linkQuern, createShell } from './shell.ts';
import type { Walkthrough, HourSetup } from './walk.ts';

/** An operator who runs a service and a worker on PostgreSQL: tenants, plans, metrics, backup and restore. */
export async function runOperator(walk: Walkthrough, { folder, site, allow }: HourSetup): Promise<void> {
  const postgres = await startPostgres();
  const secret = randomBytes(32).toString('base64');
  const common = { QUERN_SECRET_KEY: secret, QUERN_ALLOW_TARGETS: allow, QUERN_CHROMIUM: 'off', QUERN_PORT: '0' };
  const shell = createShell(walk, {
    folder: join(folder, 'operator'),
    settings: { ...common, QUERN_DATABASE_URL: postgres.url },
  });
  linkQuern(shell.folder);
  try {
    writeFileSync(join(shell.folder, 'plans.json'), '{ "newsroom": { "like": "pro", "requests_per_minute": 77 } }\n');
    shell.set({ QUERN_PLANS_FILE: join(shell.folder, 'plans.json') });
    await shell.type('a plan of their own', 'cat plans.json', { shows: /newsroom/ });
    const serving = {
      command: 'QUERN_JOB_SLOTS=0 npx quern serve',
      says: /Quern listens on (http:\S+)[^]*first key +(qk_\w+)/,
    };
    const service = await shell.keep('a service that leaves jobs to workers', serving.command, serving.says);
    const [origin = '', key = ''] = service.found;
    const working = { command: 'npx quern worker', says: /health and metrics are on (http:\S+)\n/ };
    const worker = await shell.keep('a worker', working.command, working.says);
    const [health = ''] = worker.found;
    await shell.type('its health', `curl -s ${health}/readyz`, { shows: /"ready"/ });
    await shell.type('what is well and what is missing', 'npx quern doctor; true', { shows: /store/ });
    // The remaining commands run as if from another machine.
    const remote = createShell(walk, {
      folder: join(folder, 'operator-desk'),
      settings: { QUERN_URL: origin, QUERN_API_KEY: key },
    });
    linkQuern(remote.folder);
    await remote.type('the plans, over the admin API', 'npx quern admin plans', { shows: /"newsroom"/ });
    const made = await remote.type(
      'a tenant and its key',
      'npx quern keys create --plan newsroom --name newsroom --json',
      { shows: /"plan":"newsroom"/ },
    );
    const tenant = /ten_\w+/.exec(made)?.[0] ?? 'ten_none';
    const own = /qk_\w+/.exec(made)?.[0] ?? 'qk_none';
    await remote.type('a top-up', `npx quern tenants top-up ${tenant} 10000`, { shows: /10000 more credits/ });
    const fetched = `curl -s ${origin}/v1/fetch -H "Authorization: Bearer ${own}" -H 'Content-Type: application/json' -d '{"url": "${site}/"}'`;
    await remote.type('a call of that tenant', fetched, { shows: /"markdown":/ });
    const job = `QUERN_API_KEY=${own} npx quern fetch ${site}/shop --job`;
    await remote.type('a job of that tenant, by the worker', job, { shows: /Harrow Mill|flour/i });
    await remote.type('suspend it', `npx quern tenants suspend ${tenant}`, { shows: /is suspended/ });
    await remote.type('its next call', fetched, { shows: /tenant_suspended/ });
    await remote.type('resume it', `npx quern tenants resume ${tenant}`, { shows: /is resumed/ });
    await remote.type('all tenants', 'npx quern tenants list', { shows: /newsroom/ });
    await remote.type(
      'the same by curl',
      `curl -s ${origin}/v1/admin/tenants -H "Authorization: Bearer $QUERN_API_KEY"`,
      { shows: /"credits_topped_up":10000/ },
    );
    await remote.type('all keys', 'npx quern keys list', { shows: /key_/ });
    await remote.type('the queue', 'npx quern admin queue', { shows: /"queued": 0/ });
    await remote.type('usage as CSV', 'npx quern admin usage --format csv', { shows: /"newsroom","fetch",\d+,\d+/ });
    await remote.type(
      'metrics of the service and of the worker',
      `curl -s ${origin}/metrics ${health}/metrics | grep -E '^quern_(info|jobs_total|requests_total|queue_jobs)'`,
      { shows: /quern_jobs_total\{kind="fetch",outcome="completed"\} 1/ },
    );
    await remote.type('a backup, over the admin API', 'npx quern backup today.quern', { shows: /\d+ rows, \d+ bytes/ });
    await remote.type('what only works on the machine', 'npx quern restore today.quern', {
      shows: /stop the service and run the command on its machine/,
      code: 1,
    });
    await worker.stop();
    await service.stop();
    const other = createShell(walk, { folder: join(folder, 'operator-new'), settings: common });
    linkQuern(other.folder);
    await other.type('restore it on a new machine', `npx quern restore ${join(remote.folder, 'today.quern')}`, {
      shows: /rows of \S+ restored/,
    });
    try {
      await other.keep('the service there', 'npx quern serve', /Quern listens on (http:\S+)\n/);
      await other.type('the same tenants', 'npx quern tenants list', { shows: new RegExp(tenant) });
    } finally {
      await other.close();
    }
  } finally {
    await shell.close();
    await postgres.stop();
  }
}
