import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { z } from 'zod';
import { showJobResult, showJob, submitJob } from '#features/jobs/operations.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import type { Remote } from '#kernel/login.ts';
import { operations } from '#features/operations.ts';
import { showUsage } from '#features/account/operations.ts';
import { runCli } from '#transports/cli/cli.ts';
import { getExitCode } from '#transports/cli/exit.ts';
import { createKeysCommand, createTenantsCommand } from '#transports/cli/operator.ts';
import { createTerminal } from '#transports/cli/terminal.ts';
import type { CommandContext } from '#transports/cli/context.ts';
import { callServer } from '#transports/cli/remote.ts';
import { lineOver } from '#support/cli.ts';
import { runHere } from '#support/command.ts';
import { at, textAt } from '#support/members.ts';
import { ROOT } from '#support/copy.ts';
import { type Ended, KEY, NO_BROWSER, runQuern, runToEnd, type Settings } from '#support/quern.ts';
import { inTemporaryFolder } from '#support/store.ts';
import { captureFailure } from '#testkit/visitor.ts';
import { openWorld, type World } from '#support/world.ts';

const PAGE = '/articles/bridge-closed-on-sunday';
const Rows = z.array(z.record(z.string(), z.unknown()));

let world: World;
let remote: Remote;
before(async () => {
  world = await openWorld();
  remote = { url: world.service.origin, apiKey: KEY };
});
after(async () => world.close());

/** A command that calls the running service, composed as in the composition root, but in this process. */
async function run(...args: readonly string[]): Promise<Ended> {
  let [out, err] = ['', ''];
  const parts: CommandContext = {
    clock: SYSTEM_CLOCK,
    place: 'here',
    serveLine: 'quern serve',
    jobs: { submit: submitJob, show: showJob, result: showJobResult },
    operations,
    ask: async (operation, raw) => callServer(remote, operation, raw, new AbortController().signal),
    work: async () => undefined,
    isServed: async () => true,
    interrupted: () => new AbortController().signal,
    version: '0.0.0',
    now: Date.now,
    terminal: createTerminal({ write: (text) => (out += text) }, { write: (text) => (err += text) }),
  };
  const code = await runCli(
    args,
    lineOver(parts, {
      keys: async () => createKeysCommand({ ...parts, operatorKeys }),
      tenants: async () => createTenantsCommand(parts),
    }),
  );
  return { code, out, err };
}

function operatorKeys(): never {
  throw new Error('no operator key is made here');
}

/** Runs a command that must succeed; returns its standard output as JSON. */
async function runForJson(...args: readonly string[]): Promise<unknown> {
  const { code, out, err } = await run(...args, '--json');
  assert.equal(code, 0, err);
  return JSON.parse(out);
}

async function callForStatus(key: string): Promise<number> {
  return (await world.call('/v1/usage', undefined, key)).status;
}

/** Runs a command in one folder for a user whose data is in another, without a data folder setting. */
async function runFor(user: string, cwd: string, args: readonly string[]): Promise<Ended> {
  return runToEnd(process.execPath, [join(ROOT, 'packages/quern/bin/quern.mjs'), ...args], {
    cwd,
    settings: { ...NO_BROWSER, QUERN_ALLOW_TARGETS: new URL(world.site).host, XDG_DATA_HOME: user },
  });
}

suite('commands', { concurrency: 4 }, () => {
  test('a command without a service writes nothing to the current folder, and finds its data from any other', async () => {
    await inTemporaryFolder(async (home) => {
      const [user, here, there] = [join(home, 'user'), join(home, 'here'), join(home, 'there')];
      for (const folder of [user, here, there]) await mkdir(folder);
      const fetched = await runFor(user, here, ['fetch', world.site + PAGE, '--output', 'text', '--json']);
      assert.equal(fetched.code, 0, fetched.err);
      const mapped = await runFor(user, here, ['map', `${world.site}/shop`, '--max-depth', '1']);
      assert.equal(mapped.code, 0, mapped.err);
      assert.deepEqual(await readdir(here), []);
      assert.deepEqual(await readdir(user), ['quern']);
      const listed = await runFor(user, there, ['jobs', 'list', '--json']);
      assert.equal(textAt(JSON.parse(listed.out), 'data.0.kind'), 'map');
      const status = await runFor(user, there, ['status']);
      assert.match(status.out, /^folder +\S+\/user\/quern \(no service has data in \.\/data\)$/m);
      assert.match(status.out, /^service +not running: QUERN_DATA_DIR="\S+\/user\/quern" quern serve starts one$/m);
      const keys = await runFor(user, there, ['keys', 'list']);
      assert.match(keys.err, /^quern: QUERN_DATA_DIR \S+\/there\/data holds no data;/);
      assert.deepEqual(await readdir(there), []);
    });
  });

  test('a command in the folder of a service uses the data of that service', async () => {
    await inTemporaryFolder(async (home) => {
      const data = join(home, 'data');
      await mkdir(data);
      const made = await runQuern(data, ['monitors', 'list']);
      assert.equal(made.code, 0, made.err);
      const status = await runFor(join(home, 'user'), home, ['status']);
      assert.match(status.out, /^folder +\S+\/data \(nothing else is set\)$/m);
      assert.deepEqual(await readdir(home), ['data']);
    });
  });

  test('fetch works without a server: it uses the embedded store and the tenant local', async () => {
    await inTemporaryFolder(async (folder) => {
      const settings: Settings = { QUERN_ALLOW_TARGETS: new URL(world.site).host };
      const text = await runQuern(folder, ['fetch', world.site + PAGE, '--output', 'markdown'], settings);
      assert.equal(text.code, 0, text.err);
      assert.match(text.out, /^# Bridge closed on Sunday\n/m);
      assert.match(text.err, /^quern: 2 credits \(http\)\n$/);
      const again = ['fetch', world.site + PAGE, '--output', 'text', '--max-age-ms', '60000', '--json'];
      const cached: unknown = JSON.parse((await runHere(folder, again, settings)).out);
      assert.deepEqual(at(cached, 'usage'), { credits: 1, base: 1, surcharge: 0, tier: 'cache' });
      const tenants = Rows.parse(JSON.parse((await runHere(folder, ['tenants', 'list', '--json'])).out));
      assert.deepEqual(
        tenants.map(({ id, plan, used }) => [id, plan, used]),
        [['local', 'unlimited', 3]],
      );
      const refused = await runHere(folder, ['fetch', world.site + PAGE]);
      assert.deepEqual([refused.code, refused.out], [2, '']);
      assert.match(refused.err, /^quern: invalid_request: .*QUERN_ALLOW_TARGETS/);
    });
  });

  test('with QUERN_URL and QUERN_API_KEY, a command sends its request to that server', async () => {
    await inTemporaryFolder(async (folder) => {
      const settings = { QUERN_URL: `${world.service.origin}/`, QUERN_API_KEY: KEY };
      const [fetched, away] = await Promise.all([
        runHere(folder, ['fetch', world.site + PAGE, '--json'], settings),
        runHere(folder, ['usage'], { ...settings, QUERN_URL: 'http://127.0.0.1:9' }),
      ]);
      assert.equal(fetched.code, 0, fetched.err);
      const id = textAt(JSON.parse(fetched.out), 'request_id');
      assert.equal(at(await runForJson('requests', 'get', id), 'id'), id);
      const list = ['requests', '--status', '200', '--from', '2020-01-01T00:00:00Z', '--limit', '1000'];
      assert.ok((await run(...list)).out.includes(id));
      assert.deepEqual([away.code, away.out], [8, '']);
      assert.match(away.err, /^quern: backend_unavailable: QUERN_URL http:\/\/127\.0\.0\.1:9 /);
    });
  });

  test('a server error gives the same error and exit code on the command line', async () => {
    const blocked = await run('fetch', `${world.site}/blocked/403`);
    assert.deepEqual([blocked.code, blocked.out], [6, '']);
    assert.match(blocked.err, /^quern: target_blocked: /);
    for (const [apiKey, code, says] of [
      [null, 3, /missing_api_key: QUERN_URL is set: set QUERN_API_KEY/],
      ['qk_wrong', 3, /invalid_api_key/],
    ] as const) {
      const asked = callServer({ url: world.service.origin, apiKey }, showUsage, {}, new AbortController().signal);
      const failure = await captureFailure(async () => asked);
      assert.equal(getExitCode(failure), code);
      assert.match(`${failure.code}: ${failure.message}`, says);
    }
  });

  test('a key can be created, listed, rotated and revoked while the service runs, and is shown only once', async () => {
    const made = await runForJson('keys', 'create', '--plan', 'starter', '--name', 'press');
    assert.ok(typeof made === 'object' && made !== null);
    assert.deepEqual(Object.keys(made), ['tenant', 'key', 'key_id', 'plan']);
    const key = textAt(made, 'key');
    assert.match(key, /^qk_[A-Za-z0-9]{32}$/);
    assert.match(textAt(made, 'key_id'), /^key_/);
    assert.match(textAt(made, 'tenant'), /^ten_/);
    assert.equal(await callForStatus(key), 200);
    const tenant = textAt(made, 'tenant');
    const second = await run('keys', 'create', '--tenant', tenant);
    assert.match(second.out, /^qk_[A-Za-z0-9]{32}\n$/);
    assert.ok(second.err.includes(tenant) && !second.err.includes(second.out.trim()));
    const mine = Rows.parse(await runForJson('keys', 'list')).filter(({ tenant_id }) => tenant_id === tenant);
    assert.deepEqual(new Set(mine.map(({ name }) => name)), new Set(['key', 'press']));
    assert.doesNotMatch(JSON.stringify(mine), /qk_|hash/);
    const rotated = textAt(await runForJson('keys', 'rotate', textAt(made, 'key_id')), 'key');
    assert.deepEqual(
      [await callForStatus(key), await callForStatus(rotated), await callForStatus(second.out.trim())],
      [401, 200, 200],
    );
    const table = (await run('keys', 'list')).out;
    assert.match(table, /^id +tenant_id +name +created_at +revoked_at\n/);
    for (const { id, revoked_at } of Rows.parse(await runForJson('keys', 'list')))
      if (revoked_at === null) assert.ok(table.includes(String(id)));
  });

  test('a revoked key is refused immediately', async () => {
    const made = await runHere(world.folder, ['keys', 'create', '--plan', 'free', '--json']);
    const [key, keyId] = ['key', 'key_id'].map((name) => textAt(JSON.parse(made.out), name));
    assert.ok(key !== undefined && keyId !== undefined);
    assert.equal(await callForStatus(key), 200);
    assert.equal((await runHere(world.folder, ['keys', 'revoke', keyId])).code, 0);
    assert.equal(await callForStatus(key), 401);
    const again = await run('keys', 'revoke', keyId);
    assert.equal(again.code, 2);
    assert.match(again.err, /^quern: not_found: /);
  });

  test('a plan change and a top-up take effect immediately, and a charge is refunded only once', async () => {
    const { key, tenant } = await world.makeKey('free');
    assert.equal((await world.fetch(PAGE, { proxy: 'auto' }, key)).status, 402);
    assert.equal((await run('tenants', 'plan', tenant, 'starter')).code, 0);
    const { status, body } = await world.fetch(PAGE, { proxy: 'auto' }, key);
    assert.equal(status, 200);
    assert.equal((await run('tenants', 'top-up', tenant, '500')).code, 0);
    const account = async (): Promise<unknown> => (await world.call('/v1/usage', undefined, key)).body;
    assert.deepEqual([at(await account(), 'plan'), at(await account(), 'credits_remaining')], ['starter', 50_498]);
    const id = textAt(body, 'request_id');
    assert.match((await run('tenants', 'credit', tenant, id)).err, /got 2 credits/);
    assert.equal(at(await account(), 'credits_remaining'), 50_500);
    assert.equal((await run('tenants', 'credit', tenant, id)).code, 2);
  });

  test('a mistyped operator command is a usage error with an explanation', async () => {
    const lines: readonly (readonly [readonly string[], RegExp])[] = [
      [['keys', 'create'], /--plan .* --tenant/],
      [['keys', 'create', '--plan', 'gold'], /free, starter, pro, scale, unlimited/],
      [['keys', 'create', '--tenant', 'ten_none'], /not_found/],
      [['tenants', 'top-up', 'ten_none', '-5'], /./],
      [['tenants', 'plan', 'ten_none', 'pro'], /not_found/],
    ];
    await Promise.all(
      lines.map(async ([line, says]) => {
        const { code, out, err } = await run(...line);
        assert.deepEqual([code, out], [2, ''], line.join(' '));
        assert.match(err, says);
        assert.equal(err.trim().split('\n').length, 1, err);
      }),
    );
  });

  test('doctor reports what works, what is missing and what the missing parts disable', async () => {
    const findings = Rows.parse(JSON.parse((await runHere(world.folder, ['doctor', '--json'])).out));
    const states = new Map(findings.map(({ name, state, says }) => [name, { state, says: String(says) }]));
    for (const name of ['runtime', 'store', 'disk', 'tier http']) assert.equal(states.get(name)?.state, 'ok', name);
    assert.equal(states.get('tier proxy_browser')?.state, 'missing');
    assert.match(states.get('tier proxy_browser')?.says ?? '', /stealth fails with backend_unavailable/);
    const broken = await runHere(world.folder, ['doctor'], { QUERN_DATA_DIR: '/proc/quern' });
    assert.equal(broken.code, 1);
    assert.match(broken.out, /^failed +store +QUERN_DATA_DIR/m);
  });

  test('config shows each setting with its source, prefers the environment to .env, and masks secrets', async () => {
    await inTemporaryFolder(async (folder) => {
      await writeFile(
        join(folder, '.env'),
        'QUERN_PORT=7801\nQUERN_HOST=127.0.0.2\nQUERN_METRICS_TOKEN=0123456789abcdef0\n',
      );
      const settings = { QUERN_PORT: '7802' };
      const { code, out } = await runQuern(folder, ['config', '--json'], settings);
      assert.equal(code, 0);
      const shown = new Map(Rows.parse(JSON.parse(out)).map(({ name, value, source }) => [name, [value, source]]));
      assert.deepEqual(shown.get('QUERN_PORT'), ['7802', 'environment']);
      assert.deepEqual(shown.get('QUERN_HOST'), ['127.0.0.2', '.env']);
      assert.deepEqual(shown.get('QUERN_METRICS_TOKEN'), ['********', '.env']);
      assert.deepEqual(shown.get('QUERN_SQLITE_SYNC'), ['normal', 'default']);
      const table = await runHere(folder, ['config'], settings);
      assert.match(table.out, /^QUERN_PORT +7802 +environment +port to listen on/m);
      assert.doesNotMatch(table.out, /0123456789abcdef/);
      const more = await runHere(folder, ['config', 'QUERN_PORT', '--json'], settings);
      assert.deepEqual([more.code, more.out], [2, '']);
      assert.match(more.err, /^quern: config takes no arguments except --json, but got QUERN_PORT/);
    });
  });
});
