import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { z } from 'zod';
import { startHttpServer } from '#testkit/servers.ts';
import { runHere } from '#support/command.ts';
import { until } from '#support/fleet.ts';
import { ROOT } from '#support/copy.ts';
import { KEY, NO_BROWSER, runQuern, runToEnd, type RunningService, serveQuern } from '#support/quern.ts';
import { runOnScreen } from '#support/screen.ts';
import { inTemporaryFolder } from '#support/store.ts';

const PROGRAM = join(ROOT, 'packages/quern/bin/quern.mjs');
const QUERN = `'${process.execPath}' '${PROGRAM}'`;
const Login = z.object({ url: z.string(), api_key: z.string() });

/** Prints the number of loaded modules, and whether any of these was loaded. */
const COUNT = `data:text/javascript,import { registerHooks } from 'node:module';
const seen = [];
registerHooks({ load(url, context, next) { seen.push(url); return next(url, context); } });
process.on('exit', () => console.error(JSON.stringify(seen)));`;

/** The URL that a service wrote to a file when it was ready, null before. */
async function originIn(file: string): Promise<string | null> {
  const said = await readFile(file, 'utf8').catch(() => '');
  return /^Quern listens on (\S+)/.exec(said)?.[1] ?? null;
}

suite('the command line on a terminal', { concurrency: 2 }, () => {
  let service: RunningService;
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quern-terminal-'));
    service = await serveQuern(folder);
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  test('help does not load the operations or the code that validates and runs them', async () => {
    for (const args of [['help'], ['crawl', '--help'], ['complete', 'bash', 'fe'], ['--version']]) {
      const { code, err } = await runToEnd(
        process.execPath,
        ['--import', COUNT, join(ROOT, 'packages/quern/src/main.ts'), ...args],
        {
          cwd: folder,
          settings: {},
        },
      );
      assert.equal(code, 0, err);
      const loaded = z.array(z.string()).parse(JSON.parse(err.trim().split('\n').at(-1) ?? ''));
      const heavy = loaded.filter((url) =>
        /\/zod\/|\/undici\/|src\/(?:access|extract|engine|features|sites|llm)\//.test(url),
      );
      assert.deepEqual(heavy, []);
      assert.ok(loaded.length < 60, `${loaded.length} modules`);
    }
  });

  test('login stores server and key readable only by the user, and commands use them until logout', async () => {
    await inTemporaryFolder(async (home) => {
      const settings = { XDG_CONFIG_HOME: home, XDG_DATA_HOME: home };
      const file = join(home, 'quern/login.json');
      const here = async (...args: readonly string[]) =>
        runToEnd(process.execPath, [PROGRAM, ...args], { cwd: home, settings });
      await writeFile(join(home, 'key'), `${KEY}\n`);
      const piped = await runToEnd('sh', ['-c', `${QUERN} login ${service.origin}/ < key`], { cwd: home, settings });
      assert.deepEqual([piped.code, piped.out], [0, ''], piped.err);
      assert.match(piped.err, /commands go to http:\/\/127\.0\.0\.1:\d+ now \(plan unlimited\)/);
      assert.ok(!piped.err.includes(KEY));
      assert.equal((await stat(file)).mode & 0o777, 0o600);
      assert.deepEqual(Login.parse(JSON.parse(await readFile(file, 'utf8'))), { url: service.origin, api_key: KEY });
      const status = await here('status');
      assert.match(
        status.out,
        /^server +http:\/\/127\.0\.0\.1:\d+ \(quern login\)\nversion +\d.*\nplan +unlimited\ncredits +unlimited\nqueue +0 waiting, 0 running\nservice +running\n$/,
      );
      const listed = await here('jobs', 'list');
      assert.deepEqual([listed.code, listed.err], [0, 'quern: no jobs\n']);
      const keys = await here('keys', 'list');
      assert.equal(keys.code, 0, keys.err);
      assert.match(keys.out, /^id +tenant_id +name/);
      const refused = await here('restore', 'a.quern');
      assert.deepEqual([refused.code, refused.out], [1, '']);
      assert.match(refused.err, /^quern: commands go to http:\S+ \(quern login\), [^\n]*quern logout[^\n]*\n$/);
      assert.deepEqual(await readdir(home), ['key', 'quern']);
      const out = await here('logout');
      assert.match(out.err, /logged out; commands go to the local data/);
      assert.match(
        (await here('status')).out,
        /^folder +\S+ \(no service has data in \.\/data\)\nversion .*\ndata +none yet/,
      );
    });
  });

  test('login refuses a wrong key, a wrong server and no key, and stores nothing', async () => {
    await inTemporaryFolder(async (home) => {
      for (const [url, key, code, says] of [
        [service.origin, 'qk_wrong', 3, /invalid_api_key/],
        [service.origin, '', 3, /no key was entered/],
        ['http://127.0.0.1:9', KEY, 8, /does not answer/],
        ['ftp://x', KEY, 2, /URL: must be an http or https URL/],
        ['http://me:secret@x', KEY, 2, /URL: must not contain a user/],
      ] as const) {
        const settings = { XDG_CONFIG_HOME: home };
        const line = `printf '%s' '${key}' | ${QUERN} login ${url}`;
        const ended = await runToEnd('sh', ['-c', line], { cwd: home, settings });
        assert.deepEqual([ended.code, ended.out], [code, ''], ended.err);
        assert.match(ended.err, says);
      }
      assert.deepEqual(await readdir(home), []);
    });
  });

  test('login does not echo the typed key', async () => {
    await inTemporaryFolder(async (home) => {
      const { code, text } = await runOnScreen(`${QUERN} login ${service.origin}`, {
        cwd: home,
        settings: { XDG_CONFIG_HOME: home },
        typed: { after: 'API key for', keys: `${KEY}\r` },
      });
      assert.equal(code, 0, text);
      assert.match(text, /commands go to http/);
      assert.ok(!text.includes(KEY));
      const none = await runOnScreen(`${QUERN} login ${service.origin}`, {
        cwd: home,
        settings: { XDG_CONFIG_HOME: join(home, 'other') },
        typed: { after: 'API key for', keys: '\u0003' },
      });
      assert.equal(none.code, 130);
      assert.match(none.text, /quern: nothing was stored/);
      assert.deepEqual(await readdir(home), ['quern']);
    });
  });

  test('operator commands create no store without data, and local commands are rejected with QUERN_URL', async () => {
    await inTemporaryFolder(async (empty) => {
      const lines = [
        ['keys', 'create', '--plan', 'free'],
        ['keys', 'list'],
        ['tenants', 'top-up', 'ten_x', '5'],
        ['backup', join(empty, 'a.quern')],
      ];
      for (const line of lines) {
        const { code, out, err } = await runHere(empty, line);
        assert.deepEqual([code, out], [1, ''], line.join(' '));
        assert.match(err, /^quern: QUERN_DATA_DIR \S+ holds no data; [^\n]*\n$/);
      }
      for (const line of [
        ['keys', 'create', '--operator', '--plan', 'free'],
        ['restore', 'a.quern'],
        ['sites', 'list'],
      ]) {
        const remote = { QUERN_URL: service.origin, QUERN_API_KEY: KEY };
        const { code, out, err } = await runHere(folder, line, remote);
        assert.deepEqual([code, out], [1, ''], line.join(' '));
        assert.match(err, /^quern: commands go to http:\S+ \(QUERN_URL\), [^\n]*unset QUERN_URL[^\n]*\n$/);
      }
      for (const line of [['sites', 'list'], ['status'], ['doctor']]) await runHere(join(empty, 'new', 'data'), line);
      assert.deepEqual(await readdir(empty), []);
    });
  });

  test('doctor prints the command that installs what is missing', async () => {
    await inTemporaryFolder(async (empty) => {
      const Found = z.array(z.object({ name: z.string(), state: z.string(), fix: z.string().nullable() }));
      const { code, out } = await runHere(empty, ['doctor', '--json']);
      const found = new Map(Found.parse(JSON.parse(out)).map(({ name, state, fix }) => [name, [state, fix]]));
      assert.equal(code, 0);
      assert.deepEqual(found.get('data'), ['missing', 'npx quern serve']);
      assert.deepEqual(found.get('tier browser'), ['missing', 'unset QUERN_CHROMIUM']);
      assert.deepEqual(found.get('runtime'), ['ok', null]);
      assert.match(String(found.get('model')?.[1]), /^export QUERN_MODEL_URL=/);
      const text = await runHere(empty, ['doctor']);
      assert.match(text.out, /^missing +tier proxy +[^\n]+\n +-> export QUERN_PROXIES_DATACENTER=/m);
    });
  });

  test('doctor with a server checks that server, and ignores the local settings', async () => {
    await inTemporaryFolder(async (empty) => {
      const Found = z.array(z.object({ name: z.string(), state: z.string(), says: z.string() }));
      const examine = async (key: string, url = service.origin) => {
        const settings = { QUERN_URL: url, QUERN_API_KEY: key, QUERN_PROXIES_DATACENTER: 'http://127.0.0.1:9' };
        const { code, out, err } = await runHere(join(empty, 'data'), ['doctor', '--json'], settings);
        assert.equal(err, '');
        return { code, found: new Map(Found.parse(JSON.parse(out)).map(({ name, ...rest }) => [name, rest])) };
      };
      const whole = await examine(KEY);
      assert.equal(whole.code, 0);
      assert.match(String(whole.found.get('server')?.says), /^commands go to http:\S+ \(QUERN_URL\), which is ready$/);
      assert.match(String(whole.found.get('version')?.says), /^Quern \d/);
      assert.equal(whole.found.get('tier proxy')?.state, 'missing');
      assert.match(String(whole.found.get('disk')?.says), new RegExp(`free in ${folder}$`));
      assert.match(String(whole.found.get('store')?.says), /^sqlite, /);
      assert.deepEqual([whole.found.has('DNS'), whole.found.has('proxies datacenter')], [false, false]);
      const made = await service.call('/v1/admin/tenants', { name: 'press', plan: 'starter' });
      const { body } = await service.call(`/v1/admin/tenants/${String(made.body['id'])}/keys`, { name: 'press' });
      const tenant = await examine(String(body['key']));
      assert.equal(tenant.code, 0);
      assert.match(String(tenant.found.get('key')?.says), /^plan starter, 50000 credits left$/);
      assert.match(String(tenant.found.get('store and disk')?.says), /operator key.*on the machine of the server/);
      const wrong = await examine('qk_wrong');
      assert.deepEqual([wrong.code, wrong.found.get('key')?.state], [1, 'failed']);
      const away = await examine(KEY, 'http://127.0.0.1:9');
      assert.equal(away.code, 1);
      assert.match(String(away.found.get('server')?.says), /which does not answer$/);
      assert.deepEqual(await readdir(empty), []);
    });
  });

  test('config with a server shows its settings to operators, and tells others where to run the command', async () => {
    const at = { QUERN_URL: service.origin, QUERN_API_KEY: KEY, QUERN_LOG_LEVEL: 'debug' };
    const { code, out, err } = await runHere(join(folder, 'none'), ['config'], at);
    assert.equal(code, 0, err);
    assert.match(err, /^quern: the settings of http:\S+ \(QUERN_URL\), Quern \d\S*\n$/);
    assert.match(out, new RegExp(`^QUERN_DATA_DIR +${folder} +environment `, 'm'));
    assert.match(out, /^QUERN_LOG_LEVEL +info +default /m);
    assert.match(out, /^QUERN_BOOTSTRAP_KEY +\*{8} +environment /m);
    assert.ok(!out.includes(KEY));
    const made = await service.call('/v1/admin/tenants', { name: 'wire', plan: 'starter' });
    const { body } = await service.call(`/v1/admin/tenants/${String(made.body['id'])}/keys`, { name: 'wire' });
    const refused = await runHere(folder, ['config'], { ...at, QUERN_API_KEY: String(body['key']) });
    assert.deepEqual([refused.code, refused.out], [3, '']);
    assert.match(
      refused.err,
      /only operators may read .* run quern config on the machine of http:\S+ \(QUERN_URL\)\n$/,
    );
    await using older = await startHttpServer((_, response) => {
      response.writeHead(404, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { code: 'not_found', message: 'there is no such route' } }));
    });
    const old = await runHere(folder, ['config'], { ...at, QUERN_URL: older.origin });
    assert.deepEqual([old.code, old.out], [2, '']);
    assert.match(
      old.err,
      /this server is an older version that does not report its settings: update it, or run quern config on/,
    );
  });

  test('help is bold on a terminal, and plain with NO_COLOR or in a pipe', async () => {
    const shown = await runOnScreen(`${QUERN} help`, { cwd: folder, settings: {} });
    assert.equal(shown.code, 0);
    assert.ok(shown.text.startsWith('\u001B[1mquern COMMAND\u001B[22m'), shown.text.slice(0, 80));
    const plain = await runOnScreen(`${QUERN} help`, { cwd: folder, settings: { NO_COLOR: '1' } });
    assert.ok(!plain.text.includes('\u001B'));
    assert.ok(!(await runQuern(folder, ['help'])).out.includes('\u001B'));
  });

  test('the bash completion script completes commands, options, values and files', async () => {
    const script = [
      `quern() { ${QUERN} "$@"; }`,
      'source <(quern completion bash)',
      'source <(quern completion bash)',
      'try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _quern; echo "${COMPREPLY[*]}"; }',
      'try quern fe',
      'try quern jobs s',
      'try quern fetch x --output markdown,lin',
      "try quern fetch x '--include-selectors=$(touch hacked)' --prox",
      'complete -p quern',
    ].join('\n');
    await inTemporaryFolder(async (cwd) => {
      const { code, out, err } = await runToEnd('bash', ['-c', script], { cwd, settings: {} });
      assert.deepEqual([code, err], [0, '']);
      assert.deepEqual(out.trim().split('\n'), [
        'fetch',
        'submit show',
        'markdown,links',
        '--proxy',
        'complete -F _quern quern',
      ]);
      assert.deepEqual(await readdir(cwd), []);
    });
  });

  test('the service log is human-readable on a terminal, and JSON elsewhere', async () => {
    await inTemporaryFolder(async (data) => {
      const settings = { ...NO_BROWSER, QUERN_DATA_DIR: data, QUERN_PORT: '0', QUERN_BOOTSTRAP_KEY: KEY };
      const line = `NO_COLOR=1 exec ${QUERN} serve > out`;
      const shown = runOnScreen(line, { cwd: data, settings, until: 'INFO: GET /v1/usage 200 in ' });
      await until('the service listens', async () => (await originIn(join(data, 'out'))) !== null);
      const headers = { authorization: `Bearer ${KEY}` };
      assert.equal((await fetch(`${await originIn(join(data, 'out'))}/v1/usage`, { headers })).status, 200);
      const { code, text } = await shown;
      assert.equal(code, 0, text);
      assert.match(text, /^\[\d\d:\d\d:\d\d\.\d{3}\] INFO: GET \/v1\/usage 200 in \d+ ms \{"request_id":"req_/m);
    });
    await service.call('/v1/usage');
    await service.waitForOutput('"route":"/v1/usage"');
  });
});
